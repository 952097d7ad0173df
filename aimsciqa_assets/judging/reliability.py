"""How far judges agree with themselves, over their runs, and with each other (HopWeaver, eq. 10 to 12)."""

from collections.abc import Iterator
from math import floor

import polars as pl

from aimsciqa_assets.judging.dimensions import DIMENSIONS, MULTI_HOP, OVERALL, words_of
from aimsciqa_assets.metrics.agreement import Ratings, average_sd, fleiss_kappa, krippendorff_alpha
from aimsciqa_assets.platform.frames import frame_of

ALL = "all"
"""The judges together: each judge's mean over its runs counts as a rating."""


def reliability_of(ratings: pl.DataFrame) -> pl.DataFrame:
    """Rows of `benchmark.reliability` from rows of `benchmark.ratings`, for each judge and for all together.

    A judge without any score has no row.
    """
    scored = ratings.select("judge", "item_id", "run", "dimension", "score").drop_nulls("score")
    scored = scored.with_columns(pl.col("score").cast(pl.Float64))
    overall = (
        scored.filter(pl.col("dimension") != MULTI_HOP)
        .group_by("judge", "item_id", "run")
        .agg(pl.col("score").mean())
        .with_columns(pl.lit(OVERALL).alias("dimension"))
    )
    scored = pl.concat([scored, overall.select(scored.columns)])
    means = scored.group_by("judge", "item_id", "dimension").agg(pl.col("score").mean())
    together = means.select(pl.lit(ALL).alias("judge"), "item_id", "dimension", "score", rater="judge")
    by_judge = scored.select("judge", "item_id", "dimension", "score", rater=pl.col("run").cast(pl.String))
    rows = list(_rows(pl.concat([by_judge, together])))
    return frame_of("benchmark.reliability", rows)


def _rows(ratings: pl.DataFrame) -> Iterator[dict[str, object]]:
    order = {dimension: place for place, dimension in enumerate((*DIMENSIONS, OVERALL))}
    groups = dict(ratings.group_by("judge", "dimension"))
    for judge, dimension in sorted(groups, key=lambda key: (key[0] == ALL, key[0], order[str(key[1])])):
        group = groups[judge, dimension]
        table = _table(group)
        words = words_of(str(dimension)).values()
        per_item = group.group_by("item_id").agg(pl.col("score").mean())
        yield {
            "judge": judge,
            "dimension": dimension,
            "items": len(table),
            "raters": group["rater"].n_unique(),
            "mean": per_item["score"].sort().mean(),
            "average_sd": average_sd(table),
            "krippendorff_alpha": krippendorff_alpha(table),
            "fleiss_kappa": fleiss_kappa(_rounded(table), [float(score) for score in words]),
        }


def _table(group: pl.DataFrame) -> Ratings:
    """Ratings of a judge and dimension as `(n_items, n_raters)`, by the ids of both."""
    wide = group.sort("rater", "item_id").pivot("rater", index="item_id", values="score").sort("item_id")
    return wide.drop("item_id").rows()


def _rounded(table: Ratings) -> Ratings:
    """The ratings rounded to whole numbers, halves up, because a mean over runs is not a category."""
    return [[None if rating is None else float(floor(rating + 0.5)) for rating in row] for row in table]
