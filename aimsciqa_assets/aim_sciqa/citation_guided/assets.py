"""The citation-guided variant as an asset: single-citation sentences that lead to a paper of the corpus.

From there on it goes the same way as the other variant: its section pairs, relations, clusters, retrieval
questions and items are the rows with `variant = 'cim'` of the same tables.
"""

from aimsciqa_assets.orchestration.sql_assets import sql_asset

pairs = sql_asset("citation_guided.pairs")
