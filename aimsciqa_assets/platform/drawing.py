"""Simple random samples that are the same on every machine and in every version of Python."""

from collections.abc import Iterable

from aimsciqa_assets.platform.identity import row_id


def drawn(ids: Iterable[str], number: int, seed: int) -> list[str]:
    """`number` of the ids at random, or all of them where there are fewer, in random order.

    Ids are ordered by their hash, so an id that is added or removed does not change the order of the others.
    """
    return sorted(set(ids), key=lambda one: (row_id(seed, one), one))[:number]
