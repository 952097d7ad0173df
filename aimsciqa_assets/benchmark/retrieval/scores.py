"""Tables of the retrieval benchmark: measures with intervals, and retrievers compared in pairs."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from aimsciqa.measures.ranking import COMPARED, measures_for, query_values
from aimsciqa.measures.resampling import Clusters, Values, bootstrap_intervals, holm, sign_flip_p_value


def score_rows(
    rankings: pl.DataFrame,
    gold: Mapping[str, Sequence[str]],
    *,
    clusters: Mapping[str, str],
    resamples: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Rows of `benchmark.retrieval_scores` for rows of `benchmark.rankings`; `gold` are the gold papers.

    `clusters` has the cluster of each item, over which intervals are drawn. A retriever that did not rank
    all of these queries has no scores: it ranked earlier queries.
    """
    current = _current(rankings, gold)
    for (retriever, variant, setting), rows in _groups(current, "retriever", "variant", "setting"):
        names = measures_for(setting, rows["candidates"].max())  # type: ignore[arg-type]
        found = query_values(_papers(rows), gold, names)
        values = np.stack([found[name] for name in names], axis=1)
        drawn = [clusters.get(item, item) for item in rows["item_id"]]
        intervals = bootstrap_intervals(values, resamples, seed, drawn)
        for name, mean, (low, high) in zip(names, values.mean(axis=0), intervals, strict=True):
            yield {
                "retriever": retriever,
                "variant": variant,
                "setting": setting,
                "measure": name,
                "value": float(mean),
                "low": low,
                "high": high,
                "queries": rows.height,
                "clusters": len(set(drawn)),
            }


def comparison_rows(
    rankings: pl.DataFrame,
    gold: Mapping[str, Sequence[str]],
    *,
    clusters: Mapping[str, str],
    resamples: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Rows of `benchmark.retrieval_comparisons`: every pair of retrievers that have scores.

    The p-values of a measure are adjusted together, over the pairs of retrievers.
    """
    for (variant, setting), rows in _groups(_current(rankings, gold), "variant", "setting"):
        values = {
            str(retriever): query_values(_papers(of_retriever), gold, COMPARED[setting])
            for (retriever,), of_retriever in _groups(rows, "retriever")
        }
        # The rankings of every retriever are in the order of the items.
        drawn = [clusters.get(item, item) for item in rows["item_id"].unique(maintain_order=True)]
        for measure in COMPARED[setting]:
            pairs = [
                {"retriever": one, "other": other, "variant": variant, "setting": setting, "measure": measure}
                | _comparison(values[one][measure] - values[other][measure], drawn, resamples, seed)
                for one, other in combinations(values, 2)
            ]
            adjusted = holm([pair["p_value"] for pair in pairs])
            yield from (pair | {"p_adjusted": p} for pair, p in zip(pairs, adjusted, strict=True))


def _comparison(differences: Values, clusters: Clusters, resamples: int, seed: int) -> dict[str, Any]:
    ((low, high),) = bootstrap_intervals(differences[:, None], resamples, seed, clusters)
    return {
        "difference": float(differences.mean()),
        "low": low,
        "high": high,
        "p_value": sign_flip_p_value(differences, resamples, seed, clusters),
        "queries": len(differences),
        "clusters": len(set(clusters)),
    }


def _current(rankings: pl.DataFrame, gold: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    """The rankings of these queries, by retrievers that ranked all of them."""
    of_these = rankings.filter(pl.col("item_id").is_in(list(gold)))
    return of_these.filter(pl.col("item_id").n_unique().over("retriever") == len(gold))


def _papers(rankings: pl.DataFrame) -> dict[str, list[str]]:
    """The ranked papers of each item."""
    return dict(rankings.select("item_id", "papers").iter_rows())


def _groups(rankings: pl.DataFrame, *by: str) -> Iterator[tuple[tuple[Any, ...], pl.DataFrame]]:
    """Rankings by these columns, in order."""
    yield from rankings.sort(*by, "item_id").group_by(*by, maintain_order=True)
