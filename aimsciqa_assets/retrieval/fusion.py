"""Five ways to make one ranking of several (HopWeaver's hybrid retrieval)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from typing import Final, Literal

from aimsciqa_assets.retrieval.retrievers import RRF_K

Fusion = Literal["default", "interleave", "rrf", "dense_first", "bm25_first"]
"""How n hits are made of the rankings of m retrievers. A document counts where it first appears.

- default: n // m + 1 of each, one ranking after the other.
- interleave: the first of each, the second of each, and so on.
- rrf: reciprocal-rank fusion of the first 2 n of each: the sum of 1 / (60 + rank), with ranks from 0.
- dense_first, bm25_first: one ranking after the other, so that the later ones only fill what is missing.

The score of a hit is that sum for rrf, otherwise the raw score of the retriever that it is taken from.
"""

Scored = tuple[str, float]
"""A document's id and score."""

_DECIMALS: Final = 12


def hits_to_ask_for(fusion: Fusion, count: int, retrievers: int) -> int:
    """How many hits each retriever must give, so that `count` can be made of them."""
    return {"default": count // retrievers + 1, "rrf": 2 * count}.get(fusion, count)


def fused(fusion: Fusion, rankings: Sequence[Sequence[Scored]], count: int) -> list[Scored]:
    """At most `count` documents of the rankings, which are in the order that the fusion takes them in."""
    if fusion == "rrf":
        return _by_reciprocal_ranks(rankings)[:count]
    if fusion == "interleave":
        rows = zip_longest(*rankings)
        return _first_of_each(hit for row in rows for hit in row if hit is not None)[:count]
    return _first_of_each(chain.from_iterable(rankings))[:count]


def _first_of_each(hits: Iterable[Scored]) -> list[Scored]:
    found: dict[str, float] = {}
    for document, score in hits:
        found.setdefault(document, score)
    return list(found.items())


def _by_reciprocal_ranks(rankings: Sequence[Sequence[Scored]]) -> list[Scored]:
    sums: defaultdict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, (document, _) in enumerate(ranking):
            sums[document] += 1 / (RRF_K + rank)
    scores = {document: round(score, _DECIMALS) for document, score in sums.items()}
    return sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))
