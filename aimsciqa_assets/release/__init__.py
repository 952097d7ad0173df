"""The release: which items may be passed on, the dataset in the forms that others load, and the report."""
