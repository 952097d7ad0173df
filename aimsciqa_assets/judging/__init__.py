"""Quality of the items beyond the paper: gates, evidence coverage, judges and their reliability."""
