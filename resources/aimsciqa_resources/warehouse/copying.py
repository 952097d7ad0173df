"""Copies tables between a DuckDB file and a lake, one after the other, in bounded memory.

Both are attached to one DuckDB. A table is compared by the number of its rows and the sum of their hashes,
which depends on no order; the hash of a row covers its vectors.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from aimsciqa_resources.warehouse.duckdb_file import FilePlace
from aimsciqa_resources.warehouse.errors import CopyError
from aimsciqa_resources.warehouse.lake import LakePlace
from aimsciqa_resources.warehouse.lake_tables import NAME, NOT_NULL, Declaration
from aimsciqa_resources.warehouse.opening import STORAGE, Config, all_or_nothing, quoted
from aimsciqa_resources.warehouse.places import DdlOf, Place, Tables
from aimsciqa_resources.warehouse.schema_versions import VERSIONS

_FILE: Final = "file"
_LIMITS: Final[Config] = {"memory_limit": "1GB", "threads": 2, "preserve_insertion_order": False}
_COLUMNS: Final = """
select schema_name, table_name, column_name, data_type, is_nullable from duckdb_columns()
where database_name = $database and not internal
    and (schema_name, table_name) in
        (select (schema_name, table_name) from duckdb_tables() where database_name = $database)
order by schema_name, table_name, column_index
"""
_VECTOR: Final = "FLOAT["


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table that is copied."""

    name: str
    type: str
    null: bool

    @property
    def quoted(self) -> str:
        """The name as it stands in SQL."""
        return f'"{self.name}"'

    @property
    def is_vector(self) -> bool:
        """Whether it holds vectors, which a lake holds as lists."""
        return self.type.startswith(_VECTOR)


@dataclass(frozen=True, slots=True)
class Digest:
    """What two equal tables agree in."""

    rows: int
    hashes: int


@dataclass(frozen=True, slots=True)
class Copied:
    """A table that is the same on both sides now; `new`: it was copied, and not there before."""

    table: str
    digest: Digest
    new: bool


@dataclass(frozen=True, slots=True)
class _Side:
    """A database that is attached, and how its tables are declared."""

    database: str
    tables: Tables


def copy_tables(source: Place, target: Place, ddl_of: DdlOf) -> Iterator[Copied]:
    """Copy all tables of a file to a lake, or of a lake to a file; gives each table when it is done.

    A table of the target that has the same rows already is left as it is, so that a copy that was killed goes
    on. Raises `CopyError` for one with other rows, before anything is copied, and where a copy differs.
    Nobody writes to either side meanwhile.
    """
    source.must_exist()
    with source.alone(), target.alone(), _attached(source, target) as connection:
        yield from _copies(connection, _side(source), _side(target), ddl_of)


def copy_to_file(lake: LakePlace, file: Path) -> None:
    """Copy all tables of a lake, in one state, to a new file."""
    sides = _side(lake), _side(FilePlace(str(file)))
    with _attached(lake, FilePlace(str(file))) as connection, all_or_nothing(connection):
        for table, columns in tables_in(connection, NAME).items():
            _copy(connection, sides, table, columns, lambda *_: None)


def back_up_to_file(lake: LakePlace, file: Path, ddl_of: DdlOf) -> None:
    """Copy all tables of a lake, in one state, to a new file, and compare them; others may write meanwhile.

    Raises `CopyError` where a copy differs.
    """
    source, target = sides = _side(lake), _side(FilePlace(str(file)))
    with _attached(lake, FilePlace(str(file))) as connection, all_or_nothing(connection):
        for table, columns in tables_in(connection, NAME).items():
            _copy(connection, sides, table, columns, ddl_of)
            _must_be(connection, target, table, columns, digest(connection, source.database, table, columns))


def restore_from_file(file: Path, lake: LakePlace, ddl_of: DdlOf) -> None:
    """Put all tables of a file into a lake without rows, or with some of these tables.

    Nobody writes to the file, which is only read. Raises `CopyError`, as `copy_tables` does.
    """
    place = FilePlace(str(file))
    with lake.alone(), _attached(place, lake) as connection:
        for _ in _copies(connection, _side(place), _side(lake), ddl_of):
            pass


def refuse_other_rows(file: Path, lake: LakePlace) -> None:
    """Raise `CopyError` for a lake with rows that are not those of this file."""
    place = FilePlace(str(file))
    with lake.alone(), _attached(place, lake) as connection:
        _there_already(connection, _side(lake), _digests(connection, _side(place)))


def _copies(
    connection: duckdb.DuckDBPyConnection, source: _Side, target: _Side, ddl_of: DdlOf
) -> Iterator[Copied]:
    tables, wanted = tables_in(connection, source.database), _digests(connection, source)
    done = _there_already(connection, target, wanted)
    # Most tables are empty, and a lake takes a while for a commit.
    empty = [table for table in tables if table not in done and not wanted[table].rows]
    with all_or_nothing(connection):
        for table in empty:
            _copy(connection, (source, target), table, tables[table], ddl_of)
    for table, columns in tables.items():
        if table not in done:
            if wanted[table].rows:
                with all_or_nothing(connection):
                    _copy(connection, (source, target), table, columns, ddl_of)
            _must_be(connection, target, table, columns, wanted[table])
        yield Copied(table, wanted[table], table not in done)


def _digests(connection: duckdb.DuckDBPyConnection, side: _Side) -> dict[str, Digest]:
    tables = tables_in(connection, side.database)
    return {table: digest(connection, side.database, table, tables[table]) for table in tables}


def _there_already(
    connection: duckdb.DuckDBPyConnection, target: _Side, wanted: Mapping[str, Digest]
) -> set[str]:
    """The tables of the target that are as wanted. Raises `CopyError` for one with other rows."""
    done = set()
    for table, there in _digests(connection, target).items():
        if there == wanted.get(table):
            done.add(table)
        elif there.rows and table != VERSIONS:
            raise CopyError(
                f"{table} has {there.rows:,} rows there that are not those to be copied: nothing was copied. "
                "Name a target without rows."
            )
    return done


def _must_be(
    connection: duckdb.DuckDBPyConnection, target: _Side, table: str, columns: list[Column], wanted: Digest
) -> None:
    """Raise `CopyError` for a copied table that is not as wanted."""
    if (copied := digest(connection, target.database, table, columns)) != wanted:
        raise CopyError(f"{table} differs after it was copied: {wanted} became {copied}.")


@contextmanager
def _attached(source: Place, target: Place) -> Iterator[duckdb.DuckDBPyConnection]:
    """A DuckDB to which a lake and a file are attached."""
    match source, target:
        case (LakePlace() as lake, FilePlace() as file) | (FilePlace() as file, LakePlace() as lake):
            pass
        case _:
            raise CopyError("Tables are copied from a file to a lake, or from a lake to a file.")
    option = "read_only" if file is source else f"storage_version '{STORAGE}'"
    with lake.engine(_LIMITS) as connection:
        lake.attach(connection)
        connection.execute(f"attach '{quoted(file.database)}' as {_FILE} ({option})")
        yield connection


def _side(place: Place) -> _Side:
    return _Side(NAME if isinstance(place, LakePlace) else _FILE, place.tables)


def _copy(
    connection: duckdb.DuckDBPyConnection,
    sides: tuple[_Side, _Side],
    table: str,
    columns: list[Column],
    ddl_of: DdlOf,
) -> None:
    """Create a table of the second side as the first one has it, and put in its rows."""
    source, target = sides
    connection.execute(f"use {target.database}")
    # It has no rows, but perhaps columns of another version.
    connection.execute(f"drop table if exists {_of(target.database, table)}")
    target.tables.create(connection, table, _ddl(connection, source, table, columns, ddl_of))
    names = ", ".join(column.quoted for column in columns)
    connection.execute(
        f"insert into {_of(target.database, table)} by name select {names} from {_of(source.database, table)}"
    )


def _ddl(
    connection: duckdb.DuckDBPyConnection, source: _Side, table: str, columns: list[Column], ddl_of: DdlOf
) -> str:
    """The declaration of a table if its rows fulfil it; else one made of its columns.

    Rows of an earlier version may be null where they must not be any more.
    """
    vectors = {column.name: 0 for column in columns if column.is_vector}
    lengths = source.tables.lengths(connection, _of(source.database, table), vectors) if vectors else {}
    declared = ddl_of(table, next(iter(lengths.values()), None))
    if declared and _take(Declaration.read(table, declared), columns):
        return declared
    lines = ", ".join(
        f"{column.quoted} {f'FLOAT[{lengths[column.name]}]' if column.name in lengths else column.type}"
        + ("" if column.null else " not null")
        for column in columns
    )
    schema, name = table.split(".")
    return f'create table if not exists "{schema}"."{name}" ({lines})'


def tables_in(connection: duckdb.DuckDBPyConnection, database: str) -> dict[str, list[Column]]:
    """The columns of all tables of an attached database, by table."""
    tables: dict[str, list[Column]] = {}
    for schema, table, column, kind, null in connection.execute(_COLUMNS, {"database": database}).fetchall():
        tables.setdefault(f"{schema}.{table}", []).append(Column(column, kind, null))
    return tables


def digest(connection: duckdb.DuckDBPyConnection, database: str, table: str, columns: list[Column]) -> Digest:
    """What a table agrees in with every copy of it."""
    values = ", ".join(
        f"{column.quoted}::float[]" if column.is_vector else column.quoted
        for column in sorted(columns, key=lambda column: column.name)
    )
    query = f"select count(*), coalesce(sum(hash({values})::hugeint), 0) from {_of(database, table)}"
    ((rows, hashes),) = connection.execute(query).fetchall()
    return Digest(rows, int(hashes))


def _take(declared: Declaration, columns: list[Column]) -> bool:
    """Whether a declaration has the columns of a table, and takes whatever they may hold."""
    return declared.columns.keys() == {column.name for column in columns} and not any(
        column.null and declared.columns[column.name].endswith(NOT_NULL) for column in columns
    )


def _of(database: str, table: str) -> str:
    schema, name = table.split(".")
    return f'"{database}"."{schema}"."{name}"'
