"""The files of HopWeaver's authors, read as they are and written as real JSON lines, JSON lists and CSV.

`objects` reads and writes JSON, `results` has the results of both kinds, `datasets` the sets that are
evaluated, `evaluations` what judges and retrievers gave. All of it is pure: nothing knows the tables.
"""
