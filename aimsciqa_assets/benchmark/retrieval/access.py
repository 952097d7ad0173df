"""Evidence accessibility of the items (HopWeaver, evaluation), by the stored rankings among all papers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from aimsciqa.measures.evidence import REPORTED, EvidenceAccess, Missing, evidence_access
from aimsciqa.measures.resampling import Values, bootstrap_intervals

Gold = Mapping[str, Sequence[str]]


def access_rows(
    rankings: pl.DataFrame,
    queries: pl.DataFrame,
    *,
    missing: Missing,
    clusters: Mapping[str, str],
    resamples: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Rows of `benchmark.evidence_access` for rows of `benchmark.rankings` among all papers.

    `queries` has `item_id, variant, gold`: every item that asks for papers, also one without gold papers. A
    retriever that did not rank all queries with gold has no rows: it ranked earlier queries.
    """
    gold: dict[str, list[str]] = dict(queries.select("item_id", "gold").iter_rows())
    searched = {item for item, papers in gold.items() if papers}
    for (retriever,), of_retriever in rankings.sort("retriever").group_by("retriever", maintain_order=True):
        found: dict[str, list[str]] = dict(of_retriever.select("item_id", "papers").iter_rows())
        if not searched <= found.keys():
            continue
        for (variant,), of_variant in queries.sort("variant", "item_id").group_by(
            "variant", maintain_order=True
        ):
            of_items = {item: gold[item] for item in of_variant["item_id"]}
            measured = _measured(of_items, found, missing)
            drawn = [clusters.get(item, item) for item in measured.counted]
            intervals = (
                bootstrap_intervals(measured.values, resamples, seed, drawn)
                if drawn
                else [(None, None)] * len(REPORTED)
            )
            for (measure, mean), (low, high) in zip(measured.access.means.items(), intervals, strict=True):
                yield {
                    "retriever": retriever,
                    "variant": variant,
                    "measure": measure,
                    "value": mean,
                    "low": low,
                    "high": high,
                    "queries": measured.access.counted,
                    "without_gold": measured.access.without_gold,
                    "without_ranking": measured.access.without_ranking,
                    "missing": missing,
                }


@dataclass(frozen=True, slots=True)
class _Measured:
    """The measures of the queries of a kind; `values` are `(n_counted, n_measures)`."""

    access: EvidenceAccess
    counted: list[str]
    values: Values


def _measured(gold: Gold, found: Gold, missing: Missing) -> _Measured:
    counted = [item for item in gold if missing == "zero" or (gold[item] and found.get(item))]
    values = [[measure(gold[item], found.get(item, ())) for measure in REPORTED.values()] for item in counted]
    return _Measured(evidence_access(gold, found, missing), counted, np.array(values, dtype=np.float64))
