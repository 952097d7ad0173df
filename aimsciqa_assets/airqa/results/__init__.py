"""What runs over examples are worth: verdicts, labels, scores, comparisons, and files of them."""
