"""What comes in: files of a folder and articles of PubMed Central, put into paper batches."""
