"""What the settings choose to be answered: the settings, and the retriever to read from."""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from aimsciqa.measures.ranking import MEASURES, query_values

_BEST: Final = "best"
_MEASURE: Final = "Hit@1"


class UnknownMeasureError(ValueError):
    """The best retriever is asked for by a measure that there is not."""


def is_chosen(setting: str, chosen: str) -> bool:
    """Whether a setting is among those `chosen`, by blanks; all are where none is named."""
    return not chosen or ("alone" if setting.endswith("_only") else setting) in chosen.split()


def realistic_retriever(
    wanted: str, names: Sequence[str], rankings: pl.DataFrame, gold: Mapping[str, Sequence[str]]
) -> str | None:
    """The retriever whose first papers are read: the one `wanted`, the first of `names`, or the best of them.

    `best` is the one with the highest mean of Hit@1, `best:MRR@5` of another measure, over all items with
    `gold` papers, in their clusters or else among all papers; of equally good ones the first. Raises
    `UnknownMeasureError`.
    """
    best, _, measure = wanted.partition(":")
    if best != _BEST:
        return wanted or next(iter(names), None)
    measure = measure or _MEASURE
    if measure not in MEASURES:
        raise UnknownMeasureError(
            f"AIMSCIQA_BENCHMARK_REALISTIC_RETRIEVER: there is no measure {measure!r}; there are "
            f"{', '.join(MEASURES)}."
        )
    of_items = rankings.filter(pl.col("item_id").is_in(list(gold)))
    first = of_items.sort(pl.col("setting") != "cluster", maintain_order=True)
    means = {
        name: float(
            query_values(dict(rows.select("item_id", "papers").iter_rows()), gold, [measure])[measure].mean()
        )
        for name in names
        if (rows := _of(first, name)).height == len(gold) > 0
    }
    return max(means, key=means.__getitem__, default=next(iter(names), None))


def _of(rankings: pl.DataFrame, retriever: str) -> pl.DataFrame:
    """A retriever's ranking of each item, the first one that there is."""
    of_retriever = rankings.filter(pl.col("retriever") == retriever)
    return of_retriever.unique("item_id", keep="first", maintain_order=True).sort("item_id")
