"""The agent's action Query: one SQL statement on the papers' tables, and the observation that it gives.

`aimsciqa_resources.untrusted_sql` runs the statement. `frames` makes a table of what it sends, `observations`
the text that the agent reads. Observations have the form that agents of AirQA's authors are trained on.
"""
