"""Measures of a ranking with one right paper (section 5.1): Hit@k and MRR@k."""

from collections.abc import Sequence


def rank_of(gold: str, ranking: Sequence[str]) -> int | None:
    """The place of the gold paper, from 1; None when the ranking lacks it."""
    return ranking.index(gold) + 1 if gold in ranking else None


def hit_at(k: int, rank: int | None) -> int:
    """1 when the gold paper is among the first k."""
    return int(rank is not None and rank <= k)


def reciprocal_rank_at(k: int, rank: int | None) -> float:
    """1 / rank, and 0 beyond k."""
    return 1 / rank if rank is not None and rank <= k else 0.0
