"""Ranks papers for each query: those of its cluster, of a random cluster, and all papers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from aimsciqa.bm25 import Papers, Ranked
from aimsciqa.documents import Documents
from aimsciqa.measures.ranking import KEPT
from aimsciqa_assets.retrieval.retrievers import Retriever

_NUMBERS_AT_ONCE = 2**23
"""How many scores of passages are in memory at a time."""


class OutdatedQueriesError(RuntimeError):
    """Queries name papers that are no longer in the corpus."""


def ranking_rows(
    name: str,
    retriever: Retriever,
    documents: Documents,
    queries: pl.DataFrame,
    advance: Callable[[int], None] = lambda _queries: None,
) -> Iterator[dict[str, Any]]:
    """Rows of `benchmark.rankings` for rows of `benchmark.queries` with their papers `gold` and `in_hand`.

    The candidates are the item's cluster and random cluster, if it has them, and all documents except those
    in hand. Queries are searched once, in blocks, so that memory does not grow with their number. Raises
    `OutdatedQueriesError` when a paper of a query is not among the documents.
    """
    places = {paper: place for place, paper in enumerate(documents.papers)}
    named = [queries[column].explode() for column in ("gold", "cluster", "random_cluster")]
    if missing := set(pl.concat(named).drop_nulls()) - places.keys():
        raise OutdatedQueriesError(
            f"{len(missing)} papers of the queries are not in the corpus, such as {min(missing)}: the "
            "queries are older than the corpus. Materialize benchmark/queries first, or `aimsciqa run`."
        )
    everything = np.arange(len(places))
    at_once = max(1, _NUMBERS_AT_ONCE // max(1, len(documents.passages)))
    for block in queries.iter_slices(at_once):
        search = retriever.search(block["query"].to_list())
        for row, query in enumerate(block.iter_rows(named=True)):
            in_hand = [places[paper] for paper in query["in_hand"] if paper in places]
            candidates = {"full": np.delete(everything, in_hand)}
            if query["cluster"] is not None:
                candidates = {
                    "cluster": _places(query["cluster"], places),
                    "random": _places(query["random_cluster"], places),
                } | candidates
            gold = _places(query["gold"], places)
            for setting, among in candidates.items():
                yield {
                    "retriever": name,
                    "item_id": query["item_id"],
                    "variant": query["variant"],
                    "setting": setting,
                    **_placed(search.ranked(row, among), gold, documents.papers),
                }
        advance(block.height)


def _places(papers: Sequence[str], places: dict[str, int]) -> Papers:
    return np.array(sorted(places[paper] for paper in papers))


def _placed(ranked: Ranked, gold: Papers, papers: Sequence[str]) -> dict[str, Any]:
    return {
        "candidates": len(ranked.papers),
        "rank": int(np.flatnonzero(np.isin(ranked.papers, gold))[0]) + 1,
        "papers": [papers[place] for place in ranked.papers[:KEPT]],
        "scores": [None if np.isnan(score) else float(score) for score in ranked.scores[:KEPT]],
    }
