"""Measures of rankings, answers and agreement with their uncertainty: pure, shared by every system."""
