"""RAG baselines: ways of answering a question from documents that the method itself searches for.

Each method is a dialogue in a module of its own; `inquiry` is what they share, `methods` lists them, and
`running` runs them over the items.
"""
