"""HopWeaver: bridge and comparison questions over two documents, without a relation given beforehand.

`documents` says what a document is, `delimited` and `replies` read what models write, `searching` finds the
second document, `bridges` holds the dialogue of a bridge question, `comparison/` that of a comparison,
`polishing` mends or rejects what either made. `assets` makes tables of it.
"""
