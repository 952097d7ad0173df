"""The first step of the citation-guided variant: sentences that cite a single paper, one of the corpus.

Both variants share the later steps: the section pairs, relations, clusters, retrieval questions and items of
this one are the rows with `variant = 'cim'` of the same tables.
"""

from aimsciqa_assets.orchestration.sql_assets import sql_asset

pairs = sql_asset("citation_guided.pairs")
