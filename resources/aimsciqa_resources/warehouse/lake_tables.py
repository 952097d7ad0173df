"""What DuckLake lacks, and what stands for it here.

- Arrays of a fixed length: a column `FLOAT[384]` is `FLOAT[]`. A frame gets the length from its first row.
- CHECK, and so the closed sets of words: rows are compared with the declaration before they are written.
- Keys are checked by SQL on every backend, after each step.
- Rows of a paper batch lie in files of their own: a table with a column `batch` is partitioned by it, and one
  with vectors of several levels by `level`, too, because whoever reads vectors needs those of one level.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Final

import duckdb
import polars as pl

from aimsciqa_resources.warehouse.opening import quoted

NAME: Final = "lake"
METADATA: Final = f"__ducklake_metadata_{NAME}"
PARTITIONS: Final = ("batch", "level")
NOT_NULL: Final = " not null"
_VECTOR: Final = "FLOAT["
_COLUMNS: Final = """
select column_name, data_type, is_nullable from duckdb_columns()
where not internal order by column_index
"""
_LENGTHS: Final = """
select distinct on (vector.column_name) vector.column_name, stats.value_count / f.record_count
from ducklake_data_file f
join ducklake_table t on t.table_id = f.table_id and t.end_snapshot is null and t.table_name = '{table}'
join ducklake_schema s on s.schema_id = t.schema_id and s.end_snapshot is null and s.schema_name = '{schema}'
join ducklake_file_column_stats stats on stats.data_file_id = f.data_file_id
join ducklake_column number on number.column_id = stats.column_id and number.table_id = f.table_id
    and number.end_snapshot is null
join ducklake_column vector on vector.column_id = number.parent_column and vector.table_id = f.table_id
    and vector.end_snapshot is null and not vector.nulls_allowed
where f.end_snapshot is null and f.record_count > 0 and stats.value_count > 0
"""
_ONE_READS: Final = Lock()
_CHECKS: Final = "select expression from duckdb_constraints() where constraint_type = 'CHECK'"


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration as DuckDB reads it.

    `columns` are types as the lake can hold them, `checks` conditions that no row may break.
    """

    columns: Mapping[str, str]
    checks: tuple[str, ...]

    @classmethod
    def read(cls, table: str, ddl: str) -> "Declaration":
        """What a `create table` declares."""
        return _read(table, ddl)


class LakeTables:
    """The tables of a lake."""

    def has(self, connection: duckdb.DuckDBPyConnection, table: str) -> bool:
        """Whether there is a table of this name."""
        schema, name = table.split(".")
        try:
            # Much quicker than a look into the list of all tables.
            connection.execute(f'select 1 from "{schema}"."{name}" limit 0')
        except duckdb.CatalogException:
            return False
        return True

    def create(self, connection: duckdb.DuckDBPyConnection, table: str, ddl: str) -> None:
        """Create a table that is missing, partitioned by batch and level where it has them."""
        if not self.has(connection, table):
            self._make(connection, table, ddl)

    def _make(self, connection: duckdb.DuckDBPyConnection, table: str, ddl: str) -> None:
        schema, name = table.split(".")
        columns = Declaration.read(table, ddl).columns
        lines = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
        connection.execute(f'create schema if not exists "{schema}"')
        connection.execute(f'create table "{schema}"."{name}" ({lines})')
        if partitions := [column for column in PARTITIONS if column in columns]:
            by = ", ".join(partitions)
            connection.execute(f'alter table "{schema}"."{name}" set partitioned by ({by})')

    def refuse(self, connection: duckdb.DuckDBPyConnection, table: str, ddl: str, rows: str) -> None:
        """Raise `duckdb.ConstraintException` for a row with a word that its declaration does not know."""
        for check in Declaration.read(table, ddl).checks:
            # As in a CHECK, what is null is not wrong.
            wrong = f"select 1 from {rows} where ({check}) = false limit 1"
            if connection.execute(wrong).fetchall():
                raise duckdb.ConstraintException(f"CHECK constraint failed on table {table}: {check}")

    def lengths(
        self, connection: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, int]
    ) -> dict[str, int]:
        """The lengths of the vectors in any row; nothing where there is none.

        The catalogue knows how many numbers a file holds, and how many rows. To fetch a row would fetch all
        vectors of its file, while other writers wait; only where some may be null, nothing else tells.
        """
        schema, name = (part.strip('"') for part in table.split(".")[-2:])
        asked = quoted(_LENGTHS.format(schema=quoted(schema), table=quoted(name)))
        told = dict(connection.execute(f"from postgres_query('{METADATA}', '{asked}')").fetchall())
        if missing := [column for column in columns if column not in told]:
            lengths = ", ".join(f'len("{column}")' for column in missing)
            first = connection.execute(f"select {lengths} from {table} limit 1").fetchall()
            told |= dict(zip(missing, first[0], strict=True)) if first else {}
        return {column: told[column] for column in columns if column in told}

    def take_length(
        self, connection: duckdb.DuckDBPyConnection, table: str, column: str, length: int
    ) -> None:
        """The first vectors tell it."""

    def framed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The frame with its lists of floats as arrays."""
        lists = [name for name, kind in frame.schema.items() if kind == pl.List(pl.Float32)]
        vectors = [name for name in lists if frame[name].null_count() < frame.height]
        return frame.with_columns(
            pl.col(name).list.to_array(len(frame[name].drop_nulls()[0])) for name in vectors
        )


@lru_cache(maxsize=512)
def _read(table: str, ddl: str) -> Declaration:
    # Two threads could not declare the same table at once.
    with _ONE_READS, _reader().cursor() as connection:
        connection.begin()
        try:
            connection.execute(f'create schema "{table.split(".", maxsplit=1)[0]}"')
            connection.execute(ddl)
            columns = connection.execute(_COLUMNS).fetchall()
            checks = connection.execute(_CHECKS).fetchall()
        finally:
            connection.rollback()
    return Declaration(
        {
            name: ("FLOAT[]" if kind.startswith(_VECTOR) else kind) + ("" if null else NOT_NULL)
            for name, kind, null in columns
        },
        tuple(check for (check,) in checks),
    )


@lru_cache(maxsize=1)
def _reader() -> duckdb.DuckDBPyConnection:
    """A DuckDB that stays empty: to start one for every declaration takes ten times as long."""
    return duckdb.connect(config={"threads": 1})
