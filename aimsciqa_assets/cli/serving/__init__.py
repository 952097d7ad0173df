"""The report and the review page over http, for browsers on this machine alone."""
