"""Measures that only the platform needs: agreement of raters, BERTScore. See also `aimsciqa.measures`."""
