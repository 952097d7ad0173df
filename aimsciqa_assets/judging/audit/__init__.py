"""People rate a sample: sheets that are handed out, ratings that come back, and how far the raters agree."""
