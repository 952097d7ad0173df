"""Running text: sentences and characters. Pure functions that every system shares."""
