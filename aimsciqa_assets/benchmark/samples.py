"""Samples of the items that are evaluated, the same for every retriever and model."""

import polars as pl

from aimsciqa_assets.platform.drawing import drawn


def sampled(queries: pl.DataFrame, number: int, seed: int) -> pl.DataFrame:
    """The queries of `number` items of each kind, drawn at random; 0: of all.

    A larger sample holds every smaller one of the same seed.
    """
    if not number:
        return queries
    ids = queries.group_by("variant").agg("item_id")["item_id"].to_list()
    return queries.filter(pl.col("item_id").is_in([one for of in ids for one in drawn(of, number, seed)]))
