"""The eight baselines of AirQA, by configuration: what each shows a model, and how it comes to an answer.

`methods` has them by name. `reading` are those with one request, `text2sql` writes one statement, the others
are agents (`airqa.agent`). `assets` runs them over the examples.
"""
