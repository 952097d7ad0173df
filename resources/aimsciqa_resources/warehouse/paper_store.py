"""Writes a database file of its own, apart from the warehouse: the paper store.

Such a file appears whole or not at all, and nobody may write to it afterwards.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb
import polars as pl

from aimsciqa_resources.disk import taking_the_place_of
from aimsciqa_resources.warehouse.opening import CONFIG

Insert = Callable[[str, pl.DataFrame], None]
_READ_ONLY = 0o444
_MEMORY = "512MB"


@contextmanager
def new_database(target: Path, ddl: str, types: Mapping[str, Mapping[str, str]]) -> Iterator[Insert]:
    """A function that adds rows to a table of a new file, which takes the place of `target` at the end.

    `ddl` creates the tables, `types` has the types of their columns, by table. Raises `UnwritableError`;
    after an error `target` is as it was.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with taking_the_place_of(target) as fresh:
        fresh.unlink()  # DuckDB takes no empty file for a new one
        with duckdb.connect(str(fresh), config=CONFIG | {"memory_limit": _MEMORY}) as connection:
            connection.execute("set enable_progress_bar = false")
            connection.execute(ddl)

            def insert(table: str, rows: pl.DataFrame) -> None:
                columns = ", ".join(f'"{name}"::{kind} as "{name}"' for name, kind in types[table].items())
                connection.register("incoming", rows.to_arrow())
                connection.execute(f'insert into "{table}" by name select {columns} from incoming')
                connection.unregister("incoming")

            yield insert
            connection.execute("checkpoint")
        fresh.chmod(_READ_ONLY)
        with fresh.open("rb") as made:
            os.fsync(made.fileno())
