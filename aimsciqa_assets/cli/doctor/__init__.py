"""`aimsciqa doctor`: looks at what a run needs and says what to do about what is missing.

`findings` says what a check is, `checks` lists all of them. A set-up that needs more, such as a warehouse on
several machines, adds a file of checks here and their names to that list.
"""
