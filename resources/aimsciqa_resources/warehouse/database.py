"""The DuckDB file itself: who may write when, what is read, and the copy that people inspect."""

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any

import duckdb
import polars as pl

from aimsciqa_resources.disk import taking_the_place_of, writing_to
from aimsciqa_resources.untrusted_sql.statements import ForbiddenStatementError, only_reading
from aimsciqa_resources.warehouse.bounded import EXPORTING, BoundedTables
from aimsciqa_resources.warehouse.earlier import Declared, bring_up_to, has_earlier
from aimsciqa_resources.warehouse.errors import QueryError, WarehouseMissingError, broken
from aimsciqa_resources.warehouse.opening import BOUNDED, CONFIG, Config, all_or_nothing, opened
from aimsciqa_resources.warehouse.queries import result_of, saying_what_is_wrong
from aimsciqa_resources.warehouse.replacing import (
    Write,
    WriteFile,
    WriteMany,
    replace_by_file,
    replace_by_many,
    replace_rows,
)

# Queries of people may read the warehouse and no other file.
_ALONE: Config = {"enable_external_access": False}
_CHECKING: Config = {"memory_limit": "512MB", "threads": 4}
# Frames of so many vectors reuse memory of the process; larger ones would get new pages each time.
_STREAMED_AT_ONCE = 8192
# The connections of `one_state`, by database; other threads have their own.
_NOTHING: Mapping[str, duckdb.DuckDBPyConnection] = MappingProxyType({})
_held = ContextVar("held", default=_NOTHING)


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
        with self._writing(CONFIG) as connection:
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
            opened(self.database, read_only=False, config=config) as connection,
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
            opened(self.database, read_only=True, config=config) as connection,
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
            return result_of(connection, query, parameters or {})

    def stream(
        self, query: str, parameters: Mapping[str, Any], *, bounded: bool = False
    ) -> Iterator[pl.DataFrame]:
        """The same in small frames, a few of which are in memory at a time; writers wait meanwhile.

        `bounded`: the database takes no more memory for a large table, and gives it back.
        """
        with self.reading(BOUNDED if bounded else None) as connection, saying_what_is_wrong():
            found = connection.sql(query, params=dict(parameters))
            for batch in found.to_arrow_reader(_STREAMED_AT_ONCE):
                yield pl.DataFrame(batch)

    @contextmanager
    def exporting(self, scratch: Path) -> Iterator[BoundedTables]:
        """The tables in one state, for results that exceed memory; `scratch` is a folder for the surplus.

        Writers wait meanwhile.
        """
        with self.reading(EXPORTING | {"temp_directory": str(scratch)}) as connection:
            yield BoundedTables(connection)

    def ask(self, query: str) -> pl.DataFrame:
        """The result of a query that a person wrote: one SELECT, which can read the tables and nothing else.

        Raises `QueryError` for anything else: `copy ... to`, `attach`, and either behind `explain analyze`.
        """
        try:
            statements = only_reading(query, analyze=True)
        except ForbiddenStatementError as error:
            raise QueryError(
                f"Only a SELECT is allowed: the warehouse is read-only here. ({error})"
            ) from error
        except duckdb.Error as error:
            raise QueryError(str(error)) from error
        if len(statements) != 1:
            raise QueryError(f"Give one SELECT; these are {len(statements)} statements.")
        with self.reading(_ALONE) as connection:
            connection.execute("set lock_configuration = true")
            return result_of(connection, query, {})

    def replace(self, writes: Sequence[Write | WriteMany | WriteFile], *, long_texts: bool = False) -> None:
        """Replace old rows by new ones, in all the tables or in none.

        `long_texts`: files hold long texts, of which fewer rows should be in memory; that takes longer.
        """
        kinds = {type(write) for write in writes}
        # Rows of many frames have long texts too, and a commit holds two thousand of them.
        limits = EXPORTING if long_texts or WriteMany in kinds else BOUNDED
        config = CONFIG | limits if kinds - {Write} else None
        with self._writing(config) as connection, all_or_nothing(connection):
            for write in writes:
                if isinstance(write, WriteFile):
                    replace_by_file(connection, write)
                elif isinstance(write, WriteMany):
                    replace_by_many(connection, write)
                else:
                    replace_rows(connection, write)

    def is_as_declared(self, tables: Mapping[str, Declared]) -> bool:
        """Whether all tables are there and take the rows declared; raises `WarehouseMissingError`."""
        with self.reading() as connection:
            return not has_earlier(connection, tables)

    def create(self, tables: Mapping[str, Declared], renamed: Mapping[str, Mapping[str, str]]) -> None:
        """Create the tables that are missing, and alter those of an earlier version: all or none.

        `renamed` gives new names of columns by their old names. Where the rows of a table now lack values,
        the records of how they were made say so. Raises `EarlierTableError`.
        """
        with self._writing() as connection, all_or_nothing(connection):
            bring_up_to(connection, tables, renamed)

    def drop(self, tables: Sequence[str]) -> None:
        """Drop tables and the records of how they were made."""
        with self._writing() as connection, all_or_nothing(connection):
            for name in tables:
                connection.execute(f"drop table if exists {name}")
                connection.execute("delete from ops.materializations where table_name = ?", [name])

    def publish(self, snapshot: Path) -> None:
        """Copy the database to `snapshot` in one step; readers of an older snapshot keep the old one.

        Every block of the copy is checked first: a damaged database does not replace a good snapshot. Raises
        `WarehouseMissingError` when nothing was ingested yet, `WarehouseBrokenError` and `UnwritableError`.
        """
        # Most commands publish nothing, and numpy takes a while to load.
        from aimsciqa_resources.warehouse.checked_copy import copy_database

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
                raise broken(self.database, error, snapshot) from None

    def check_blocks(self) -> None:
        """Read the whole database, and compare every block with its checksum.

        Raises `WarehouseMissingError` when nothing was ingested yet, and `WarehouseBrokenError`.
        """
        from aimsciqa_resources.warehouse.checked_copy import check_database

        try:
            with self.reading(_CHECKING) as connection:
                check_database(Path(self.database), connection)
        except duckdb.Error as error:
            raise broken(self.database, error) from None

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
