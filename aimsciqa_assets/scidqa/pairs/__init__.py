"""From review threads to pairs of question and answer (SciDQA, section 3.1).

`requests` finds what a review asks, `discussions` keeps the discussions in which something is asked,
`extraction` is the task that finds pairs in them, `quotes` looks for their quotes, `editing` is the task that
judges and rewrites them, with `references`; `wording` and `versions` are rules, `deciding` says what becomes
of each pair. `assets` makes tables of it.
"""
