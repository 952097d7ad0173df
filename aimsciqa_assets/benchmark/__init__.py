"""Measures of retrieval and agreement, as pure functions."""
