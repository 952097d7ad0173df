"""AirQA's examples: the form of one, files of them, what is wrong with them, and where they come from."""
