"""What a corpus of any size costs: measured points, how quantities grow between them, and prices."""
