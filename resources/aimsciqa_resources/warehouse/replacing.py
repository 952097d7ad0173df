"""Replaces rows of a table by new ones, from a frame or from a Parquet file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from aimsciqa_resources.warehouse.errors import VectorLengthError
from aimsciqa_resources.warehouse.opening import quoted
from aimsciqa_resources.warehouse.places import Tables


@dataclass(frozen=True, slots=True)
class Write:
    """New rows of a table; they replace the rows where every column in `where` has the given value.

    With `by`, they replace only rows that agree with a new row in these columns. Without either they
    replace all rows. `ddl` creates the table when it is missing.
    """

    table: str
    ddl: str
    rows: pl.DataFrame
    where: Mapping[str, str]
    by: tuple[str, ...] = ()


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
    schema, name = write.table.split(".")
    table = f'"{schema}"."{name}"'
    tables.create(connection, write.table, write.ddl)
    condition = " and ".join(f'"{column}" = ?' for column in write.where) or "true"
    _check_vectors(connection, write, tables)
    # Not as Arrow had strings at first: that would copy all of them.
    connection.register("incoming", write.rows.to_arrow(compat_level=pl.CompatLevel.newest()))
    if write.by:
        key = ", ".join(f'"{column}"' for column in write.by)
        condition += f" and ({key}) in (select ({key}) from incoming)"
    connection.execute(f"delete from {table} where {condition}", list(write.where.values()))
    if write.rows.height:
        tables.refuse(connection, write.table, write.ddl, "incoming")
        connection.execute(f"insert into {table} by name from incoming")
    connection.unregister("incoming")


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


def _check_vectors(connection: duckdb.DuckDBPyConnection, write: Write, tables: Tables) -> None:
    """Raise `VectorLengthError` when another encoder gives vectors of another length than the table has."""
    lengths = {name: kind.shape[0] for name, kind in write.rows.schema.items() if isinstance(kind, pl.Array)}
    if not lengths:
        return
    for name, held in tables.lengths(connection, write.table, lengths).items():
        if held != lengths[name]:
            raise VectorLengthError(
                f"{write.table} holds FLOAT[{held}] vectors, the encoder gives {lengths[name]} numbers."
                " Run `aimsciqa reset --from single_hop`, then `aimsciqa run`."
            )
