"""What judges together say of the items of a kind (HopWeaver, evaluation).

The ratings of an item by a judge are averaged over the runs, then over the judges, and then over the items.
Of the binary dimension this gives the share of Yes. Runs without a score do not count.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import polars as pl

from aimsciqa.measures.resampling import bootstrap_intervals
from aimsciqa_assets.judging.dimensions import DIMENSIONS, MULTI_HOP, OVERALL


def rating_score_rows(
    ratings: pl.DataFrame,
    variants: Mapping[str, str],
    judges: Collection[str],
    *,
    clusters: Mapping[str, str],
    resamples: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Rows of `benchmark.rating_scores` for rows of `benchmark.ratings` by these `judges`.

    `variants` has the kind of each item: one without a kind is there no more. `clusters` has the cluster of
    each item, over which intervals are drawn.
    """
    counted = pl.col("judge").is_in(list(judges)) & pl.col("item_id").is_in(list(variants))
    scored = (
        ratings.filter(counted)
        # Ratings of earlier versions do not say it: they were of paragraphs.
        .with_columns(pl.col("shown").fill_null("paragraphs"))
        .select("judge", "item_id", "run", "shown", "dimension", pl.col("score").cast(pl.Float64))
        .drop_nulls("score")
    )
    overall = (
        scored.filter(pl.col("dimension") != MULTI_HOP)
        .group_by("judge", "item_id", "run", "shown")
        .agg(pl.col("score").mean())
        .with_columns(dimension=pl.lit(OVERALL))
    )
    by_judge = (
        pl.concat([scored, overall.select(scored.columns)])
        .group_by("item_id", "shown", "dimension", "judge")
        .agg(pl.col("score").mean())
        .sort("judge")
    )
    by_item = (
        by_judge.group_by("item_id", "shown", "dimension", maintain_order=True)
        .agg(pl.col("score").mean(), "judge")
        .with_columns(variant=pl.col("item_id").replace_strict(variants, return_dtype=pl.String))
        .sort("item_id")
    )
    order = {dimension: place for place, dimension in enumerate((*DIMENSIONS, OVERALL))}
    groups = dict(by_item.group_by("variant", "shown", "dimension", maintain_order=True))
    for variant, shown, dimension in sorted(groups, key=lambda key: (key[0], key[1], order[str(key[2])])):
        rows = groups[variant, shown, dimension]
        values = rows["score"].to_numpy()
        drawn = [clusters.get(item, item) for item in rows["item_id"]]
        ((low, high),) = bootstrap_intervals(values[:, None], resamples, seed, drawn)
        yield {
            "variant": variant,
            "shown": shown,
            "dimension": dimension,
            "value": float(values.mean()),
            "low": low,
            "high": high,
            "items": rows.height,
            "judges": rows["judge"].explode().n_unique(),
        }
