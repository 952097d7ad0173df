"""Comparison questions: an entity of one document is set beside one of another (HopWeaver, section 3.2).

`dialogue` asks the tasks of `tasks` in their order; the modules before it read replies (`subjects`, `scores`,
`queries`, `questions`), merge what was found, and check what was built (`constraints`). Nothing
here opens a database or knows Dagster.
"""
