"""Rows of `airqa.summaries`, and what the published store takes from them."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import polars as pl

from aimsciqa_assets.airqa.summaries.writing import NOTHING_TO_READ, Written

SUMMARIES: Final = "airqa.summaries"
SUMMARY_VECTORS: Final = "airqa.summary_vectors"
WRITTEN: Final = "status = 'written'"

_TAGS: Final = "tags"
Row = dict[str, Any]


def summary_row(done: Written, batch: str, made_by: Mapping[str, str]) -> Row:
    """The row of a cell: its text, or why it stays empty and what the model said instead."""
    cell, outcome = done.cell, done.outcome
    reason = outcome.reason
    status = (
        "written"
        if reason is None
        else "rejected"
        if outcome.text is not None
        else "left_out"
        if reason == NOTHING_TO_READ
        else "failed"
    )
    return {
        "table_name": cell.table,
        "column_name": cell.column,
        "primary_key": cell.key,
        "batch": batch,
        "uuid": cell.uuid,
        "page_number": cell.page,
        "text": outcome.value if reason is None else None,
        "status": status,
        "rejection_reason": reason,
        "reply": outcome.text if reason else None,
        "was_cut": cell.was_cut,
        "has_image": done.has_image,
        **made_by,
    }


def filled(kept: pl.DataFrame, summaries: pl.DataFrame) -> pl.DataFrame:
    """Rows of `airqa.rows` with what was written (rows of `airqa.summaries`) in their empty cells."""
    texts: defaultdict[tuple[str, str], Row] = defaultdict(dict)
    for table, column, key, text in summaries.select(
        "table_name", "column_name", "primary_key", "text"
    ).iter_rows():
        texts[table, key][column] = json.loads(text) if column == _TAGS else text
    if not texts:
        return kept
    rows = [
        json.dumps(json.loads(row) | texts[table, key], ensure_ascii=False) if (table, key) in texts else row
        for table, key, row in kept.select("table_name", "primary_key", "row").iter_rows()
    ]
    return kept.with_columns(row=pl.Series(rows, dtype=pl.String))


def written_cells(summaries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Row, str]]:
    """What is encoded of the written cells, with its text: all but tags, which are found by SQL."""
    names = ("table_name", "column_name", "primary_key", "batch", "uuid", "page_number")
    for one in summaries:
        if one["column_name"] != _TAGS:
            yield {name: one[name] for name in names}, one["text"]
