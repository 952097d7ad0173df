"""Rows as polars frames with exactly the columns and types that `tables/` declares."""

import json
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from aimsciqa_assets.tables import EMBEDDING_TYPE, TABLES

Frames = dict[str, pl.DataFrame]
"""Frames by table name."""

_POLARS: dict[str, pl.DataType] = {
    "VARCHAR": pl.String(),
    "INTEGER": pl.Int32(),
    "BIGINT": pl.Int64(),
    "DOUBLE": pl.Float64(),
    "BOOLEAN": pl.Boolean(),
}


def frame_of(table: str, rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Rows of a table without vectors. Raises when a row lacks a column or has one too many.

    Half a surrogate pair, which JSON and file names may hold and no table can, is written as its escape.
    """
    schema = {column.name: _polars(column.type) for column in TABLES[table].columns}
    listed = list(rows)
    for row in listed[:1]:
        if row.keys() != schema.keys():
            raise ValueError(f"{table}: columns differ: {sorted(row.keys() ^ schema.keys())}")
    try:
        return pl.DataFrame(listed, schema=schema)
    except UnicodeEncodeError:
        storable = [{name: _storable(value) for name, value in row.items()} for row in listed]
        return pl.DataFrame(storable, schema=schema)


def _polars(declared: str) -> pl.DataType:
    """Return the type of a column in polars: a plain one, `STRUCT(name TYPE, ...)`, or a list of either."""
    if declared.endswith("[]"):
        return pl.List(_polars(declared.removesuffix("[]")))
    if declared.startswith("STRUCT("):
        fields = declared.removeprefix("STRUCT(").removesuffix(")").split(", ")
        return pl.Struct({name: _polars(kind) for name, kind in (field.split(" ") for field in fields)})
    return _POLARS[declared]


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {name: _storable(part) for name, part in value.items()}
    return [_storable(one) for one in value] if isinstance(value, list) else value


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


def vectors_of(rows: npt.NDArray[np.int64], read: Iterable[pl.DataFrame]) -> npt.NDArray[np.float32]:
    """The vectors of some rows of a table, in their order, `(n_rows, dim)` float32.

    `read` gives the columns `row` and `vector` of each of them, in any order, in many small frames: there may
    be half a million vectors, and this is the only place that holds all.
    """
    vectors = np.zeros((0, 0), dtype=np.float32)
    order = np.argsort(rows)
    for frame in read:
        values = frame["vector"].to_numpy()
        if not vectors.size:
            vectors = np.empty((len(rows), values.shape[1]), dtype=np.float32)
        vectors[order[np.searchsorted(rows, frame["row"].to_numpy(), sorter=order)]] = values
    return vectors


def keys_of(frames: Frames) -> str:
    """A hash of which rows the frames hold, by their keys."""
    keys = {table: frame.select(TABLES[table].key).sort(pl.all()).rows() for table, frame in frames.items()}
    return blake2b(json.dumps(keys, sort_keys=True).encode(), digest_size=16).hexdigest()


def as_declared(table: str, rows: pl.DataFrame) -> pl.DataFrame:
    """The result of a query with the columns, order and types that the table declares."""
    declared = TABLES[table].columns
    return rows.select(pl.col(column.name).cast(_polars(column.type)) for column in declared)
