"""A copy of a database file that takes another copy's place in one step, once every block of it was read.

DuckDB checks a block against its checksum when it reads it, and only then: a copy of damaged bytes opens and
answers most questions.
"""

import errno
import fcntl
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from aimsciqa_resources.disk import unwritable, writing_to

_FIXED_ARRAY = re.compile(r"\[\d+\]$")
_COLUMNS = """
select schema_name, table_name, column_name, data_type from duckdb_columns()
where not internal and table_oid in (select table_oid from duckdb_tables())
order by all
"""


@contextmanager
def taking_the_place_of(target: Path) -> Iterator[Path]:
    """A new file, which becomes `target` at the end; after an error `target` is as it was, and no file more.

    What killed processes left is removed. Raises `UnwritableError`.
    """
    if target.is_dir():
        raise unwritable(target, errno.EISDIR)
    fresh = target.with_name(f".{target.name}.{os.getpid()}.{time.monotonic_ns()}")
    with writing_to(target):
        _remove_leftovers(target)
        # The lock tells others that this file is not left over: the kernel frees it when we die.
        with fresh.open("wb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            try:
                yield fresh
                os.fsync(held.fileno())
                _leave_the_page_cache(held.fileno())
                fresh.replace(target)
            finally:
                fresh.unlink(missing_ok=True)


def read_every_block(database: Path, config: dict[str, str | bool | int | float | list[str]]) -> None:
    """Read all columns of all tables. Raises `duckdb.Error` where a block is not what was written."""
    with duckdb.connect(database, read_only=True, config=config) as connection:
        connection.execute("set enable_progress_bar = false")
        tables: dict[str, list[str]] = {}
        for schema, table, column, kind in connection.execute(_COLUMNS).fetchall():
            # One element of a vector takes reading them all, and half the time of hashing them.
            element = "[1]" if _FIXED_ARRAY.search(kind) else ""
            tables.setdefault(f'"{schema}"."{table}"', []).append(f'bit_xor(hash("{column}"{element}))')
        for name, columns in tables.items():
            connection.execute(f"select {', '.join(columns)} from {name}").fetchall()


def _remove_leftovers(target: Path) -> None:
    for leftover in target.parent.glob(f".{target.name}.*"):
        with suppress(OSError), leftover.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            leftover.unlink()


def _leave_the_page_cache(descriptor: int) -> None:
    """Gigabytes that nobody may read soon would push out what others read."""
    with suppress(AttributeError, OSError):
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
