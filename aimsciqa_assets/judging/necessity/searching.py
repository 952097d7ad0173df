"""Searches the corpus for many queries, and keeps the first papers of each, and where some papers stand."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from aimsciqa.documents import Documents
from aimsciqa_assets.retrieval.retrievers import Retriever

_NUMBERS_AT_ONCE = 2**23
"""How many scores of passages are in memory at a time."""


@dataclass(frozen=True, slots=True)
class Found:
    """A paper that a search found: its place, from 1, and its score."""

    paper_id: str
    rank: int
    score: float


Nearest = Mapping[str, list[Found]]
"""The papers found for each query, the best first."""


def nearest(
    retriever: Retriever,
    documents: Documents,
    wanted: Mapping[str, Iterable[str]],
    count: int,
    advance: Callable[[int], None] = lambda _queries: None,
) -> dict[str, list[Found]]:
    """The first `count` papers for each query, and behind them the papers `wanted` for it."""
    places = {paper: place for place, paper in enumerate(documents.papers)}
    everything = np.arange(len(places))
    queries = list(wanted)
    at_once = max(1, _NUMBERS_AT_ONCE // max(1, len(documents.passages)))
    found: dict[str, list[Found]] = {}
    for start in range(0, len(queries), at_once):
        block = queries[start : start + at_once]
        search = retriever.search(block)
        for number, query in enumerate(block):
            ranked = search.ranked(number, everything)
            rank_of = np.empty(len(places), dtype=np.int64)
            rank_of[ranked.papers] = np.arange(len(places))
            also = {int(rank_of[places[paper]]) for paper in wanted[query] if paper in places}
            ranks = sorted({*range(min(count, len(places))), *also})
            found[query] = [
                Found(documents.papers[ranked.papers[rank]], rank + 1, float(ranked.scores[rank]))
                for rank in ranks
            ]
        advance(len(block))
    return found


def found_rows(found: Nearest) -> Iterator[dict[str, Any]]:
    """Rows of `quality.searches`."""
    for query, papers in sorted(found.items()):
        for one in papers:
            yield {"query": query, "rank": one.rank, "paper_id": one.paper_id, "score": one.score}


def nearest_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Found]]:
    """The way back, from rows in the order of their key."""
    found: dict[str, list[Found]] = {}
    for row in rows:
        found.setdefault(row["query"], []).append(Found(row["paper_id"], row["rank"], row["score"]))
    return found
