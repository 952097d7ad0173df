"""Texts of cells of the paper store -> rows of `airqa.vectors` or `airqa.summary_vectors`."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl
from aimsciqa_resources.encoder import Encoder

from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.tables import TABLES


def encoded(table: str, cells: Iterable[tuple[Mapping[str, Any], str]], encoder: Encoder) -> pl.DataFrame:
    """A row for each cell, in the order of the key; `cells` are their names, each with its text."""
    told = list(cells)
    if not told:
        return frame_of(table, [])
    vectors = encoder.encode_documents([text for _, text in told])
    rows = pl.DataFrame([names for names, _ in told]).with_columns(
        pl.Series("vector", vectors),
        encoder=pl.lit(encoder.name),
        encoder_revision=pl.lit(encoder.revision),
    )
    return as_declared(table, rows).sort(*TABLES[table].key)
