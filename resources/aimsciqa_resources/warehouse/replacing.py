"""Replaces rows of a table by new ones, from a frame, from many of them or from a Parquet file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from aimsciqa_resources.warehouse.errors import VectorLengthError
from aimsciqa_resources.warehouse.opening import quoted
from aimsciqa_resources.warehouse.places import Tables


@dataclass(frozen=True, slots=True)
class Write:
    """New rows of a table; they replace the rows where every column in `where` has the given value, or one of
    several.

    With `by`, they replace only rows that agree with a new row in these columns. Without either they
    replace all rows. `ddl` creates the table when it is missing.
    """

    table: str
    ddl: str
    rows: pl.DataFrame
    where: Mapping[str, str | tuple[str, ...]]
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteMany:
    """New rows of a table without vectors in several frames, for more rows than memory should hold.

    They replace the rows where every column in `where` has the given value.
    """

    table: str
    ddl: str
    frames: Iterable[pl.DataFrame]
    where: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WriteFile:
    """A Parquet file whose rows replace all rows of a table; for more rows than memory should hold.

    With `by`, they replace only rows that agree with a new row in these columns.
    """

    table: str
    ddl: str
    parquet: Path
    by: tuple[str, ...] = ()


def replace_rows(connection: duckdb.DuckDBPyConnection, write: Write, tables: Tables) -> None:
    """Replace the rows that the new ones stand for; raises `VectorLengthError`."""
    table = _created(connection, write, tables)
    _check_vectors(connection, write, tables)
    with _incoming(connection, _as_arrow(write.rows)):
        _delete(connection, table, write.where, write.by)
        if write.rows.height:
            tables.refuse(connection, write.table, write.ddl, "incoming")
            connection.execute(f"insert into {table} by name from incoming")


def replace_by_many(connection: duckdb.DuckDBPyConnection, write: WriteMany, tables: Tables) -> None:
    """Replace the rows that the new ones stand for, in one statement that takes frame after frame.

    A statement for each of them would keep twice as much in memory.
    """
    from pyarrow import RecordBatchReader

    table = _created(connection, write, tables)
    _delete(connection, table, write.where)
    frames = iter(write.frames)
    if (first := next(frames, None)) is None:
        return
    found = map(_as_arrow, chain([first], frames))
    batches = (batch for one in found for batch in one.to_batches())
    with _incoming(connection, RecordBatchReader.from_batches(_as_arrow(first).schema, batches)):
        connection.execute(f"insert into {table} by name from incoming")
    # They pass by only once, so they are looked at behind the insertion, in its transaction.
    new = " and ".join(f"\"{column}\" = '{quoted(value)}'" for column, value in write.where.items()) or "true"
    tables.refuse(connection, write.table, write.ddl, f"(from {table} where {new})")


def replace_by_file(connection: duckdb.DuckDBPyConnection, write: WriteFile, tables: Tables) -> None:
    """Replace the rows that those of a Parquet file stand for."""
    rows = f"read_parquet('{quoted(str(write.parquet))}')"
    if not write.by:
        connection.execute(f"drop table if exists {write.table}")
    tables.create(connection, write.table, write.ddl)
    tables.refuse(connection, write.table, write.ddl, rows)
    if write.by:
        key = ", ".join(f'"{column}"' for column in write.by)
        connection.execute(f"delete from {write.table} where ({key}) in (select ({key}) from {rows})")
    connection.execute(f"insert into {write.table} by name from {rows}")


def _created(connection: duckdb.DuckDBPyConnection, write: Write | WriteMany, tables: Tables) -> str:
    """The table, as SQL names it; it is made where it is missing."""
    schema, name = write.table.split(".")
    tables.create(connection, write.table, write.ddl)
    return f'"{schema}"."{name}"'


def _as_arrow(rows: pl.DataFrame) -> Any:
    # Not as Arrow had strings at first: that would copy all of them.
    return rows.to_arrow(compat_level=pl.CompatLevel.newest())


@contextmanager
def _incoming(connection: duckdb.DuckDBPyConnection, arrow: Any) -> Iterator[None]:
    """Rows as the table `incoming`."""
    connection.register("incoming", arrow)
    yield
    connection.unregister("incoming")


def _delete(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    where: Mapping[str, str | tuple[str, ...]],
    by: Sequence[str] = (),
) -> None:
    wanted = {column: (value,) if isinstance(value, str) else value for column, value in where.items()}
    # With one value too: "in" of one is "=", which finds its files by their statistics.
    condition = " and ".join(f'"{column}" in ({", ".join("?" * len(of))})' for column, of in wanted.items())
    condition = condition or "true"
    if by:
        key = ", ".join(f'"{column}"' for column in by)
        condition += f" and ({key}) in (select ({key}) from incoming)"
    connection.execute(f"delete from {table} where {condition}", list(chain.from_iterable(wanted.values())))


def _check_vectors(connection: duckdb.DuckDBPyConnection, write: Write, tables: Tables) -> None:
    """Raise `VectorLengthError` when another encoder gives vectors of another length than the table has.

    A table that was made without any vector takes the length of the first ones.
    """
    lengths = {name: kind.shape[0] for name, kind in write.rows.schema.items() if isinstance(kind, pl.Array)}
    if not lengths or write.rows.is_empty():
        return
    held = tables.lengths(connection, write.table, lengths)
    for name, length in lengths.items():
        if name not in held:
            tables.take_length(connection, write.table, name, length)
        elif held[name] != length:
            raise VectorLengthError(
                f"{write.table} holds FLOAT[{held[name]}] vectors, the encoder gives {length} numbers."
                " Run `aimsciqa reset --from single_hop`, then `aimsciqa run`."
            )
