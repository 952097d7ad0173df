"""Rows as polars frames with exactly the columns and types that `tables/` declares."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from aimsciqa_assets.tables import EMBEDDING_TYPE, TABLES

# Rows in between are read and thrown away: so many take no longer than another query.
_GAP = 2048
# A frame of so many vectors finds its memory in use already; a larger one asks the system for each page.
_ROWS_AT_ONCE = 8192

Frames = dict[str, pl.DataFrame]
"""Frames by table name: what a step returns and what is written."""

_POLARS: dict[str, pl.DataType] = {
    "VARCHAR": pl.String(),
    "VARCHAR[]": pl.List(pl.String()),
    "INTEGER": pl.Int32(),
    "BIGINT": pl.Int64(),
    "DOUBLE": pl.Float64(),
    "DOUBLE[]": pl.List(pl.Float64()),
    "BOOLEAN": pl.Boolean(),
}


def frame_of(table: str, rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Rows of a table without vectors. Raises when a row lacks a column or has one too many."""
    schema = {column.name: _POLARS[column.type] for column in TABLES[table].columns}
    listed = list(rows)
    for row in listed[:1]:
        if row.keys() != schema.keys():
            raise ValueError(f"{table}: columns differ: {sorted(row.keys() ^ schema.keys())}")
    return pl.DataFrame(listed, schema=schema)


def vector_frame(
    table: str, columns: Mapping[str, Iterable[Any]], vectors: npt.NDArray[np.float32]
) -> pl.DataFrame:
    """Rows of a table with one vector column; `vectors` is `(n_rows, dim)` float32."""
    declared = TABLES[table].columns
    frame = pl.DataFrame(dict(columns))
    vector = pl.Series(vectors, dtype=pl.Array(pl.Float32, vectors.shape[1]))
    return frame.with_columns(
        vector.alias(column.name) for column in declared if column.type == EMBEDDING_TYPE
    ).select(column.name for column in declared)


def vectors_of(
    rows: npt.NDArray[np.int64], read: Callable[[int, int], pl.DataFrame]
) -> npt.NDArray[np.float32]:
    """The vectors of some rows of a table, in their order, `(n_rows, dim)` float32.

    `read` gives the columns `row` and `vector` of all rows from one number to another. It is asked for ranges
    that hold enough of them, one after another: there may be half a million vectors, and this is the only
    place that holds all.
    """
    vectors = np.zeros((0, 0), dtype=np.float32)
    order = np.argsort(rows)
    for part in _ranges(rows[order]):
        wanted = rows[order[part]]
        frame = read(int(wanted[0]), int(wanted[-1]))
        found = frame["row"].to_numpy()
        at = np.searchsorted(wanted, found)
        is_wanted = wanted[at] == found
        values = frame["vector"].to_numpy()
        if not vectors.size:
            vectors = np.empty((len(rows), values.shape[1]), dtype=np.float32)
        vectors[order[part][at[is_wanted]]] = values if is_wanted.all() else values[is_wanted]
    return vectors


def _ranges(rows: npt.NDArray[np.int64]) -> Iterator[slice]:
    """Where sorted row numbers lie close to each other: parts of them, none too long."""
    gaps = np.flatnonzero(np.diff(rows) > _GAP) + 1
    edges = [0, *gaps.tolist(), len(rows)]
    for first, last in pairwise(edges):
        for start in range(first, last, _ROWS_AT_ONCE):
            yield slice(start, min(start + _ROWS_AT_ONCE, last))


def as_declared(table: str, rows: pl.DataFrame) -> pl.DataFrame:
    """The result of a query with the columns, order and types that the table declares."""
    declared = TABLES[table].columns
    return rows.select(pl.col(column.name).cast(_POLARS[column.type]) for column in declared)
