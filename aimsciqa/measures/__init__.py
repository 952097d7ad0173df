"""Measures of rankings and answers with their uncertainty: pure, shared by the platform and its users."""
