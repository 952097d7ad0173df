"""The warehouse: one DuckDB file, many processes, short atomic writes.

DuckDB lets one process write or several read. Every connection therefore waits its turn at a lock file, and
nobody keeps the database open while a model works. A partition is replaced in one transaction, together
with the record of what determined it, so that a killed run leaves either the old rows or the new ones.
"""

import fcntl
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

import duckdb
import polars as pl

from aimsciqa_resources.disk import (
    UnwritableError,
    taking_the_place_of,
    unwritable_for_duckdb,
    writing_to,
)

Config = dict[str, str | bool | int | float | list[str]]

# Files made by DuckDB 2 stay readable for DuckDB 1.5.
_STORAGE = "v1.5.0"
_CONFIG: Config = {"storage_compatibility_version": _STORAGE}
# Queries of people may read the warehouse and no other file.
_ALONE: Config = {"enable_external_access": False}
_READING = frozenset({duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN})
_PATIENCE_SECONDS = 120.0
_IN_THE_WAY = "Could not set lock on file"
_DAMAGED = "Corrupt database file"
# For files of many million rows: with these limits, memory does not grow with the file or with the cores.
_BOUNDED: Config = {
    "memory_limit": "512MB",
    "threads": 4,
    "preserve_insertion_order": False,
}
_CHECKING: Config = {"memory_limit": "512MB", "threads": 4}
# For a release of any size: the process that reads and writes it stays below 500 MB. Order is kept because
# the files are merged by key; one thread, because each has its own buffers.
_EXPORTING: Config = {"memory_limit": "180MB", "threads": 1, "preserve_insertion_order": True}
_READING_FILES: Config = _EXPORTING | {"memory_limit": "128MB"}
# Few rows in a group: those with paragraphs are large.
_EXPORTED_ROW_GROUP = 2048
_BAD_LINES_AT_MOST = 1000
# Frames of so many vectors reuse memory of the process; larger ones would get new pages each time.
_STREAMED_AT_ONCE = 8192

_NUMBERS = count()
# DuckDB's message when Ctrl-C ends a query.
_INTERRUPTED = "Query interrupted"
# The connections of `one_state`, by database; other threads have their own.
_NOTHING: Mapping[str, duckdb.DuckDBPyConnection] = MappingProxyType({})
_held = ContextVar("held", default=_NOTHING)


class WarehouseBusyError(RuntimeError):
    """Another program keeps the DuckDB file open."""


class WarehouseBrokenError(RuntimeError):
    """The file is damaged: it is not a DuckDB database any more, or parts of it were altered."""


class VectorLengthError(ValueError):
    """The vectors have another length than those that the table holds."""


class QueryError(ValueError):
    """DuckDB refuses the query."""


class WarehouseMissingError(FileNotFoundError):
    """There is no warehouse yet."""


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
    """A Parquet file whose rows replace all rows of a table; for more rows than memory should hold."""

    table: str
    ddl: str
    parquet: Path


class Warehouse:
    """The DuckDB file behind every table, safe for several threads and processes on one machine."""

    database: str

    def __init__(self, database: str) -> None:
        self.database = database

    @contextmanager
    def get_connection(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The only connection that may write; it is closed and unlocked at the end, whatever happens.

        It has a DuckDB of its own, so that its settings end with it.
        """
        with self._writing(_CONFIG) as connection:
            yield connection

    @contextmanager
    def _writing(self, config: Config | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
        if _held.get().get(self.database):
            raise RuntimeError("Nothing can be written inside `one_state`: it reads one state only.")
        folder = Path(self.database).parent
        with writing_to(folder):
            folder.mkdir(parents=True, exist_ok=True)
        with (
            self._lock(fcntl.LOCK_EX),
            _opened(self.database, read_only=False, config=config) as connection,
        ):
            yield connection

    @contextmanager
    def reading(self, config: Config | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection that only reads, while others may read too; with `config`, a DuckDB of its own.

        Raises `WarehouseMissingError` when nothing was ingested yet.
        """
        self._must_exist()
        if config is None and (held := _held.get().get(self.database)):
            yield held
            return
        with (
            self._lock(fcntl.LOCK_SH),
            _opened(self.database, read_only=True, config=config) as connection,
        ):
            yield connection

    @contextmanager
    def one_state(self) -> Iterator[None]:
        """Everything read inside sees one state of the database, which is opened only once: that saves time.

        Writers wait meanwhile. Raises `WarehouseMissingError` when nothing was ingested yet.
        """
        with self.reading() as connection:
            token = _held.set({**_held.get(), self.database: connection})
            try:
                yield
            finally:
                _held.reset(token)

    def read(self, query: str, parameters: Mapping[str, Any] | None = None) -> pl.DataFrame:
        """The result of a query as a polars frame; parameters are named, `$batch` and the like.

        Raises `QueryError` for a query that cannot be run.
        """
        with self.reading() as connection:
            return _frame(connection, query, parameters or {})

    def stream(self, query: str, parameters: Mapping[str, Any]) -> Iterator[pl.DataFrame]:
        """The same in small frames, a few of which are in memory at a time; writers wait meanwhile."""
        with self.reading() as connection, _saying_what_is_wrong():
            found = connection.sql(query, params=dict(parameters))
            for batch in found.to_arrow_reader(_STREAMED_AT_ONCE):
                yield pl.DataFrame(batch)

    @contextmanager
    def exporting(self, scratch: Path) -> Iterator["BoundedTables"]:
        """The tables in one state, for results that exceed memory; `scratch` is a folder for the surplus.

        Writers wait meanwhile.
        """
        with self.reading(_EXPORTING | {"temp_directory": str(scratch)}) as connection:
            yield BoundedTables(connection)

    def ask(self, query: str) -> pl.DataFrame:
        """The result of a query that a person wrote: one SELECT, which can read the tables and nothing else.

        Raises `QueryError` for anything else, `copy ... to` and `attach` included.
        """
        try:
            statements = duckdb.extract_statements(query)
        except duckdb.Error as error:
            raise QueryError(str(error)) from error
        if len(statements) != 1 or statements[0].type not in _READING:
            raise QueryError(
                f"Give one SELECT; these are {len(statements)} statements."
                if len(statements) != 1
                else "Only a SELECT is allowed: the warehouse is read-only here."
            )
        with self.reading(_ALONE) as connection:
            return _frame(connection, query, {})

    def replace(self, writes: Sequence[Write | WriteFile]) -> None:
        """Replace old rows by new ones, in all the tables or in none."""
        of_files = any(isinstance(write, WriteFile) for write in writes)
        with self._writing(_CONFIG | _BOUNDED if of_files else None) as connection:
            connection.begin()
            try:
                for write in writes:
                    if isinstance(write, WriteFile):
                        _replace_by_file(connection, write)
                    else:
                        _replace(connection, write)
                connection.commit()
            except BaseException:
                # A failed commit was rolled back already.
                with suppress(duckdb.TransactionException):
                    connection.rollback()
                raise

    def create(
        self,
        tables: Mapping[str, str],
        columns: Mapping[str, Mapping[str, str]],
        renamed: Mapping[str, Mapping[str, str]],
    ) -> None:
        """Create the tables that are missing; `tables` gives their DDL by name.

        `columns` gives the types of nullable columns, which are added to a table of an earlier version.
        `renamed` gives new names of columns by their old names.
        """
        with self._writing() as connection:
            query = "select schema_name || '.' || table_name, column_name from duckdb_columns()"
            have = set(connection.execute(query).fetchall())
            for name, names in renamed.items():
                for old, new in names.items():
                    if (name, old) in have and (name, new) not in have:
                        connection.execute(f'alter table {name} rename column "{old}" to "{new}"')
            for name, ddl in tables.items():
                connection.execute(f'create schema if not exists "{name.split(".")[0]}"')
                connection.execute(ddl)
                for column, kind in columns.get(name, {}).items():
                    connection.execute(f'alter table {name} add column if not exists "{column}" {kind}')

    def drop(self, tables: Sequence[str]) -> None:
        """Drop tables and the records of how they were made."""
        with self._writing() as connection:
            connection.begin()
            for name in tables:
                connection.execute(f"drop table if exists {name}")
                connection.execute("delete from ops.materializations where table_name = ?", [name])
            connection.commit()

    def publish(self, snapshot: Path) -> None:
        """Copy the database to `snapshot` in one step; readers of an older snapshot keep the old one.

        Every block of the copy is checked first: a damaged database does not replace a good snapshot. Raises
        `WarehouseMissingError` when nothing was ingested yet, `WarehouseBrokenError` and `UnwritableError`.
        """
        # Most commands publish nothing, and numpy takes a while to load.
        from aimsciqa_resources.checked_copy import copy_database

        self._must_exist()
        with taking_the_place_of(snapshot) as fresh:
            if Path(f"{self.database}.wal").exists():
                # A killed writer left changes that are not in the file yet.
                with self._writing() as connection:
                    connection.execute("checkpoint")
            try:
                with self.reading():
                    copy_database(Path(self.database), fresh, _CHECKING)
            except duckdb.Error as error:
                raise _broken(self.database, error, snapshot) from None

    def _must_exist(self) -> None:
        if not Path(self.database).exists():
            raise WarehouseMissingError(
                f"There is no warehouse at {self.database} yet: run `aimsciqa ingest DIR` first."
            )

    @contextmanager
    def _lock(self, kind: int) -> Iterator[None]:
        # A lock on a separate file queues fairly, and the kernel frees it when its holder dies.
        path = Path(f"{self.database}.lock")
        if kind == fcntl.LOCK_SH and not os.access(path.parent, os.W_OK):
            # Nobody can write in a read-only folder.
            yield
            return
        with writing_to(path):
            held = path.open("a")
        with held as lock:
            fcntl.flock(lock, kind)
            yield


class BoundedTables:
    """Tables of any size, queried in bounded memory. All methods raise `QueryError`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        connection.execute("set enable_progress_bar = false")
        self._connection = connection

    def read(self, query: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """All rows of a query, which should be few."""
        return self._run(query, parameters).fetchall()

    def first(
        self, query: str, parameters: Mapping[str, Any], rows: int
    ) -> tuple[int, list[tuple[Any, ...]]]:
        """How many rows a query gives, and the first `rows` of them."""
        found = self.read(f"select count(*) over (), * from (\n{query}\n) limit {rows}", parameters)
        return (found[0][0], [row[1:] for row in found]) if found else (0, [])

    def export(self, query: str, parameters: Mapping[str, Any], parquet: Path) -> None:
        """Write the rows of a query into a Parquet file, in their order."""
        options = f"format parquet, row_group_size {_EXPORTED_ROW_GROUP}"
        self._run(f"copy (\n{query}\n) to '{_quoted(str(parquet))}' ({options})", parameters)

    def _run(self, query: str, parameters: Mapping[str, Any]) -> duckdb.DuckDBPyConnection:
        try:
            return self._connection.execute(query, dict(parameters))
        except duckdb.Error as error:
            raise _told(error) from error


@contextmanager
def tables_of_files(
    files: Mapping[str, Sequence[Path]], views: Mapping[str, str], scratch: Path
) -> Iterator[BoundedTables]:
    """Parquet files as tables, without a warehouse. `files` lists those of each table; `views` are SELECTs.

    A table has the rows of its files, and the columns `filename` and `file_row_number`. Raises `QueryError`.
    """
    with duckdb.connect(config=_READING_FILES | {"temp_directory": str(scratch)}) as connection:
        try:
            for schema in sorted({name.split(".")[0] for name in (*files, *views) if "." in name}):
                connection.execute(f"create schema {schema}")
            for name, paths in files.items():
                listed = ", ".join(f"'{_quoted(str(path))}'" for path in paths)
                rows = f"read_parquet([{listed}], filename = true, file_row_number = true)"
                connection.execute(f"create view {name} as from {rows}")
            for name, query in views.items():
                connection.execute(f"create view {name} as {query}")
        except duckdb.Error as error:
            raise _told(error) from error
        yield BoundedTables(connection)


def select_from_csv(csv: Path, columns: Sequence[str], select: str, parquet: Path) -> list[int]:
    """Write the result of a SELECT over `lines`, a gzipped CSV file without its header, into a Parquet file.

    `columns` are the columns of the file, all read as text. Memory is bounded, whatever the size of the file.
    Returns the numbers of the lines that could not be read and were left out, a thousand at most.
    Raises `QueryError`.
    """
    given = ", ".join(f"'{_quoted(column)}': 'VARCHAR'" for column in columns)
    lines = f"""read_csv(
        '{_quoted(str(csv))}', columns = {{{given}}}, compression = 'gzip', auto_detect = false,
        header = true, delim = ',', quote = '"', escape = '"', strict_mode = false,
        store_rejects = true, rejects_limit = {_BAD_LINES_AT_MOST}
    )"""
    with duckdb.connect(config=_BOUNDED | {"temp_directory": str(parquet.parent)}) as connection:
        try:
            connection.execute(f"create view lines as from {lines}")
            connection.execute(f"copy ({select}) to '{_quoted(str(parquet))}' (format parquet)")
        except duckdb.Error as error:
            raise _told(error) from error
        bad = connection.execute("select distinct line from reject_errors order by line").fetchall()
    return [line for (line,) in bad]


def tables_in(query: str) -> list[str]:
    """The tables that a query reads, as `schema.table`, sorted; they need not exist."""
    with _parser().cursor() as connection:
        plain = re.sub(r"\$\w+", "null", query)
        names = connection.get_table_names(plain, qualified=True)
    return sorted({name.split(" AS ")[0].replace('"', "") for name in names if "." in name})


def _frame(connection: duckdb.DuckDBPyConnection, query: str, parameters: Mapping[str, Any]) -> pl.DataFrame:
    with _saying_what_is_wrong():
        frame: pl.DataFrame = connection.sql(query, params=dict(parameters)).pl()
    return frame


@contextmanager
def _saying_what_is_wrong() -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        raise _told(error) from error
    except pl.exceptions.PolarsError as error:
        raise QueryError(f"A column has a type that cannot be shown; cast it to text. {error}") from error


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


@contextmanager
def _opened(database: str, *, read_only: bool, config: Config | None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a file, which is closed at the end; with `config`, a DuckDB of its own."""
    try:
        if config is None:
            with _attached(database, read_only=read_only) as connection:
                yield connection
        else:
            with _patiently(database, lambda: duckdb.connect(database, read_only, config)) as connection:
                yield connection
    except RuntimeError as error:
        if str(error) == _INTERRUPTED:
            raise KeyboardInterrupt from error
        raise
    except (duckdb.Error, QueryError) as error:
        if told := _trouble(database, error):
            raise told from None
        raise


@contextmanager
def _attached(database: str, *, read_only: bool) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a file that is attached to the DuckDB of this process for the time being.

    To start a DuckDB takes five times as long as to attach a file.
    """
    engine = _engine(database)
    name = f"file_{next(_NUMBERS)}"
    options = "read_only" if read_only else f"storage_version '{_STORAGE}'"
    attach = f"attach '{_quoted(database)}' as {name} ({options})"
    try:
        with engine.cursor() as connection:
            _patiently(database, lambda: connection.execute(attach))
            connection.execute(f"use {name}")
            yield connection
    except duckdb.FatalException:
        _engine.cache_clear()  # it accepts no query any more
        raise
    finally:
        with suppress(duckdb.FatalException), engine.cursor() as connection:
            connection.execute(f"detach database if exists {name}")


@lru_cache(maxsize=1)
def _engine(database: str) -> duckdb.DuckDBPyConnection:
    """The DuckDB of this process, to which a file is attached while it is needed."""
    return duckdb.connect(config={"temp_directory": f"{database}.tmp", "python_enable_replacements": False})


def _patiently(database: str, open_it: Callable[[], duckdb.DuckDBPyConnection]) -> duckdb.DuckDBPyConnection:
    give_up = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            return open_it()
        except duckdb.Error as error:
            # Our own processes wait at the lock file, so another program is in the way.
            if _IN_THE_WAY not in str(error):
                raise _trouble(database, error) or _broken(database, error) from None
            if time.monotonic() > give_up:
                raise WarehouseBusyError(
                    f"Another program keeps {database} open. Close it, and read inspect.duckdb instead: "
                    f"`aimsciqa inspect` makes one. ({error})"
                ) from error
            time.sleep(0.2)


def _told(error: duckdb.Error) -> UnwritableError | QueryError:
    """The error of ours for a failed query, or for the disk that it writes to."""
    return unwritable_for_duckdb(str(error)) or QueryError(str(error))


def _trouble(database: str, error: Exception) -> UnwritableError | WarehouseBrokenError | None:
    """The error of ours for an error of DuckDB about the file or its disk; None for any other."""
    said = str(error)
    return unwritable_for_duckdb(said) or (_broken(database, error) if _DAMAGED in said else None)


def _broken(database: str, error: Exception, snapshot: Path | None = None) -> WarehouseBrokenError:
    copy = snapshot or Path(database).with_name("inspect.duckdb")
    restore = f"put the last good copy in its place (`cp {copy} {database}`), or " if copy.is_file() else ""
    return WarehouseBrokenError(
        f"{database} is damaged or not a database: {error}\nMove it and {Path(database).name}.wal away. Then "
        f"{restore}`aimsciqa ingest` your papers again, and `aimsciqa run`: no model is asked again for a "
        "reply that is in the journal."
    )


def _replace(connection: duckdb.DuckDBPyConnection, write: Write) -> None:
    schema, name = write.table.split(".")
    table = f'"{schema}"."{name}"'
    connection.execute(f'create schema if not exists "{schema}"')
    connection.execute(write.ddl)
    condition = " and ".join(f'"{column}" = ?' for column in write.where) or "true"
    _check_vectors(connection, write)
    connection.register("incoming", write.rows.to_arrow())
    if write.by:
        key = ", ".join(f'"{column}"' for column in write.by)
        condition += f" and ({key}) in (select ({key}) from incoming)"
    connection.execute(f"delete from {table} where {condition}", list(write.where.values()))
    if write.rows.height:
        connection.execute(f"insert into {table} by name from incoming")
    connection.unregister("incoming")


def _replace_by_file(connection: duckdb.DuckDBPyConnection, write: WriteFile) -> None:
    connection.execute(f"drop table if exists {write.table}")
    connection.execute(write.ddl)
    source = _quoted(str(write.parquet))
    connection.execute(f"insert into {write.table} by name from read_parquet('{source}')")


def _check_vectors(connection: duckdb.DuckDBPyConnection, write: Write) -> None:
    """Raise `VectorLengthError` when another encoder gives vectors of another length than the table has."""
    described = connection.execute(f"select column_name, column_type from (describe {write.table})")
    held = dict(described.fetchall())
    for name, kind in write.rows.schema.items():
        if isinstance(kind, pl.Array) and held[name] != f"FLOAT[{kind.shape[0]}]":
            raise VectorLengthError(
                f"{write.table} holds {held[name]} vectors, the encoder gives {kind.shape[0]} numbers."
                " Run `aimsciqa reset --from single_hop`, then `aimsciqa run`."
            )


def _quoted(path: str) -> str:
    return path.replace("'", "''")
