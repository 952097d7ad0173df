"""The retrieval benchmark (section 5.1, Table 6): does a retriever find the paper that an item asks for?

`queries` chooses the queries and the papers to search, `rankings` ranks these papers, and `scores` measures
the rankings. The retrievers are in `aimsciqa_assets/retrieval/`, the measures in `aimsciqa_assets/metrics/`.
"""
