"""SQL of a model, or of anybody who is not trusted: it reads the tables of one file and does nothing else.

`statements` says which statements may run, `names` which functions and tables they may name. `worker` is the
inside of the process in which they run, `cells` what it sends of their result. `pool` keeps such processes,
and ends one that is late. docs/airqa-sandbox.md says what each wall is for.
"""
