"""The benchmark: retrieval of the papers that an item needs, and answers to its question."""
