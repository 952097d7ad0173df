"""Opens a DuckDB file, in the DuckDB of this process or in one of its own, and waits while another has it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import count

import duckdb

from aimsciqa_resources.warehouse.errors import QueryError, WarehouseBusyError, broken, trouble

Config = dict[str, str | bool | int | float | list[str]]

# Files made by DuckDB 2 stay readable for DuckDB 1.5.
STORAGE = "v1.5.0"
CONFIG: Config = {"storage_compatibility_version": STORAGE}
# For files of many million rows: with these limits, memory does not grow with the file or with the cores.
BOUNDED: Config = {
    "memory_limit": "512MB",
    "threads": 4,
    "preserve_insertion_order": False,
}
_PATIENCE_SECONDS = 120.0
_IN_THE_WAY = "Could not set lock on file"

_NUMBERS = count()
# DuckDB's message when Ctrl-C ends a query.
INTERRUPTED = "Query interrupted"


@contextmanager
def opened(database: str, *, read_only: bool, config: Config | None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a file, which is closed at the end; with `config`, a DuckDB of its own."""
    with saying_what_it_met(database):
        if config is None:
            with attached(database, read_only=read_only) as file, file.connection() as connection:
                yield connection
        else:
            with _patiently(database, lambda: duckdb.connect(database, read_only, config)) as connection:
                yield connection


@contextmanager
def saying_what_it_met(database: str) -> Iterator[None]:
    """Raise the error of ours for an error of DuckDB about a file or its disk."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == INTERRUPTED:
            raise KeyboardInterrupt from error
        raise
    except (duckdb.Error, QueryError) as error:
        if told := trouble(database, error):
            raise told from None
        raise


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that is attached to the DuckDB of this process by a name."""

    engine: duckdb.DuckDBPyConnection
    name: str

    @contextmanager
    def connection(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection to the file."""
        try:
            with self.engine.cursor() as connection:
                connection.execute(f"use {self.name}")
                yield connection
        except duckdb.FatalException:
            _engine.cache_clear()  # it accepts no query any more
            raise


@contextmanager
def attached(database: str, *, read_only: bool) -> Iterator[Attached]:
    """A file that is attached to the DuckDB of this process for the time being.

    To start a DuckDB takes five times as long as to attach a file.
    """
    file = Attached(_engine(database), f"file_{next(_NUMBERS)}")
    options = "read_only" if read_only else f"storage_version '{STORAGE}'"
    attach = f"attach '{quoted(database)}' as {file.name} ({options})"
    try:
        with file.engine.cursor() as connection:
            _patiently(database, lambda: connection.execute(attach))
        yield file
    finally:
        with suppress(duckdb.FatalException), file.engine.cursor() as connection:
            connection.execute(f"detach database if exists {file.name}")


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
                raise trouble(database, error) or broken(database, error) from None
            if time.monotonic() > give_up:
                raise WarehouseBusyError(
                    f"Another program keeps {database} open. Close it, and read inspect.duckdb instead: "
                    f"`aimsciqa inspect` makes one. ({error})"
                ) from error
            time.sleep(0.2)


@contextmanager
def all_or_nothing(
    connection: duckdb.DuckDBPyConnection, last: Callable[[], None] = lambda: None
) -> Iterator[None]:
    """A transaction: what is written inside is there at the end, or nothing of it.

    `last` is called before the commit; after an error of it nothing is written.
    """
    connection.begin()
    try:
        yield
        last()
        connection.commit()
    except BaseException:
        # A failed commit was rolled back already.
        with suppress(duckdb.TransactionException):
            connection.rollback()
        raise


def quoted(path: str) -> str:
    """A path as it stands between quotes in SQL."""
    return path.replace("'", "''")
