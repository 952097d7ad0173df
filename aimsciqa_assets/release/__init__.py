"""The release: the dataset in its published forms, and the report."""
