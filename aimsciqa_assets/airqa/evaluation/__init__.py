"""AirQA's evaluation: 19 functions that give an answer 1 or 0, their catalogue, and those who judge."""
