"""What differs between the places of a warehouse, a DuckDB file and a lake; all else is in `database`."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import duckdb
import polars as pl

from aimsciqa_resources.warehouse.opening import Config

LAKE = "ducklake:"

DdlOf = Callable[[str, int | None], str | None]
"""The declaration of a table with vectors of some length; None for one that is declared nowhere."""


class Tables(Protocol):
    """How the tables of a place are declared, and what it checks of their rows."""

    def has(self, connection: duckdb.DuckDBPyConnection, table: str) -> bool:
        """Whether there is a table of this name; that may be asked within a transaction."""
        ...

    def create(self, connection: duckdb.DuckDBPyConnection, table: str, ddl: str) -> None:
        """Create a table that is missing, and its schema."""
        ...

    def refuse(self, connection: duckdb.DuckDBPyConnection, table: str, ddl: str, rows: str) -> None:
        """Raise `duckdb.ConstraintException` for rows that the place itself would take against the `ddl`.

        `rows` is what they are selected from.
        """
        ...

    def lengths(
        self, connection: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, int]
    ) -> dict[str, int]:
        """How long the vectors of some columns of a table are, where it holds any."""
        ...

    def take_length(
        self, connection: duckdb.DuckDBPyConnection, table: str, column: str, length: int
    ) -> None:
        """Declare how long the vectors of a column are that has none yet."""
        ...

    def framed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """A result with vectors of a fixed length."""
        ...


class Place(Protocol):
    """Where a warehouse lies: how it is opened, who may write, and how copies of it are made."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def tables(self) -> Tables:
        """How its tables are declared."""
        ...

    def writing(self, config: Config | None) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """The only connection that may write; with `config`, a DuckDB of its own."""
        ...

    def transaction(self, config: Config | None) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """The same within a transaction: all of it is written at the end, or nothing."""
        ...

    def reading(
        self, config: Config | None, *, brief: bool = False
    ) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """A connection that reads one state; with `config`, a DuckDB of its own.

        Where that is `brief`, nobody minds waiting for its end, and nothing is opened meanwhile.
        """
        ...

    def kept_open(self) -> AbstractContextManager[None]:
        """What is opened inside may stay open for the next use, while nobody else waits for it."""
        ...

    def asking(self, query: str) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """A connection for one SELECT that a person wrote: it can read the tables and nothing else.

        Raises `ForbiddenStatementError` for a query that names something else.
        """
        ...

    def alone(self) -> AbstractContextManager[object]:
        """Wait until nobody else writes, and keep everybody from writing."""
        ...

    def must_exist(self) -> None:
        """Raises `WarehouseMissingError` when nothing was ingested yet."""
        ...

    def written_at(self) -> float:
        """When it was last written, in seconds since 1970; 0.0 before the first time."""
        ...

    def one_at_a_time(self, name: str) -> AbstractContextManager[None]:
        """Wait until nobody else, wherever, holds the lock of this name."""
        ...

    def publish(self, snapshot: Path) -> None:
        """Copy it to a DuckDB file in one step."""
        ...

    def back_up(self, file: Path, ddl_of: DdlOf) -> None:
        """Copy all tables, in one state, to a new DuckDB file, and compare them."""
        ...

    def refuse_other_rows(self, backup: Path) -> None:
        """Raise `CopyError` where there are rows that a file of `back_up` could not be put beside."""
        ...

    def restore(self, backup: Path, ddl_of: DdlOf) -> None:
        """Put the tables of such a file here, and compare them. Raises `CopyError` where there are rows."""
        ...

    def check_blocks(self) -> str:
        """Compare every block with its checksum, where there are blocks; tells what was checked."""
        ...

    def maintain(self, keep_days: float) -> Iterator[str]:
        """Compact it; tells what was done."""
        ...
