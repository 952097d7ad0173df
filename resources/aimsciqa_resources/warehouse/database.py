"""The warehouse: what is read and written of it, wherever it lies."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl

from aimsciqa_resources.untrusted_sql.statements import ForbiddenStatementError, only_reading
from aimsciqa_resources.warehouse.bounded import EXPORTING, BoundedTables
from aimsciqa_resources.warehouse.duckdb_file import FilePlace
from aimsciqa_resources.warehouse.earlier import bring_up_to, has_earlier
from aimsciqa_resources.warehouse.errors import INSTALL, ClusterSetUpError, CopyError, QueryError
from aimsciqa_resources.warehouse.opening import BOUNDED, CONFIG, Config
from aimsciqa_resources.warehouse.places import LAKE, DdlOf, Place
from aimsciqa_resources.warehouse.queries import result_of, saying_what_is_wrong, shown_result_of
from aimsciqa_resources.warehouse.replacing import (
    Write,
    WriteFile,
    WriteMany,
    replace_by_file,
    replace_by_many,
    replace_rows,
)
from aimsciqa_resources.warehouse.schema_versions import Schema, must_not_be_newer

if TYPE_CHECKING:
    from aimsciqa_resources.warehouse.copying import Copied

# Frames of so many vectors reuse memory of the process; larger ones would get new pages each time.
_STREAMED_AT_ONCE = 8192


@dataclass(frozen=True, slots=True)
class _Held:
    """The connection of `one_state`."""

    connection: duckdb.DuckDBPyConnection
    brief: bool


# By database; other threads have their own.
_NOTHING: Mapping[str, _Held] = MappingProxyType({})
_held = ContextVar("held", default=_NOTHING)
# By database, what this process takes the tables for.
_adopted: dict[str, Schema] = {}


class Warehouse:
    """The place of every table, safe for several threads and processes.

    `database` is the path of a DuckDB file, for one machine, or `ducklake:postgres:...`, a lake for several:
    `data` is then where its rows lie, and `folder` a folder of this worker.
    """

    database: str
    data: str
    folder: str

    def __init__(self, database: str, data: str = "", folder: str = "") -> None:
        self.database = database
        self.data = data
        self.folder = folder

    @property
    def home(self) -> Path:
        """The folder of this machine for what is made of the tables: for a file, the folder it lies in."""
        return Path(self.folder) if self.folder else Path(self.database).parent

    @property
    def is_lake(self) -> bool:
        """Whether other machines may share it."""
        return self.database.startswith(LAKE)

    @property
    def place(self) -> Place:
        """Where it lies."""
        if not self.is_lake:
            return FilePlace(self.database)
        # Only a lake needs Postgres.
        try:
            from aimsciqa_resources.warehouse.lake import LakePlace
        except ModuleNotFoundError as error:
            raise ClusterSetUpError(f"A lake needs {error.name}: {INSTALL}") from None
        return LakePlace(self.database, self.data, self.folder)

    @contextmanager
    def get_connection(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The only connection that may write; it is closed and unlocked at the end, whatever happens.

        It has a DuckDB of its own, so that its settings end with it.
        """
        self._must_not_be_held()
        with self.place.writing(CONFIG) as connection:
            yield connection

    @contextmanager
    def reading(
        self, config: Config | None = None, *, brief: bool = False
    ) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection that only reads, while others may read too; with `config`, a DuckDB of its own.

        Where that is `brief`, others may have to wait for its end. Raises `WarehouseMissingError` when
        nothing was ingested yet.
        """
        if held := _held.get().get(self.database):
            if config is None:
                yield held.connection
                return
            if held.brief:
                raise RuntimeError("Nothing is read with limits of its own inside a brief `one_state`.")
        with self.place.reading(config, brief=brief) as connection:
            yield connection

    def kept_open(self) -> AbstractContextManager[None]:
        """Between the uses inside, a file stays open while nobody else waits for it: that saves much time."""
        return self.place.kept_open()

    def one_at_a_time(self, name: str) -> AbstractContextManager[None]:
        """Wait until no other worker is at this work; the lock is freed when its holder dies."""
        return self.place.one_at_a_time(name)

    def must_exist(self) -> None:
        """Raises `WarehouseMissingError` when nothing was ingested yet."""
        self.place.must_exist()

    def written_at(self) -> float:
        """When it was last written, in seconds since 1970; 0.0 before the first time."""
        return self.place.written_at()

    @contextmanager
    def one_state(self, *, brief: bool = False) -> Iterator[None]:
        """Everything read inside sees one state of the database, which is opened only once: that saves time.

        Writers of a file wait meanwhile; where that is `brief`, readers may, too. Raises
        `WarehouseMissingError` when nothing was ingested yet.
        """
        if self.database in _held.get():
            yield
            return
        with self.reading(brief=brief) as connection:
            token = _held.set({**_held.get(), self.database: _Held(connection, brief)})
            try:
                yield
            finally:
                _held.reset(token)

    def read(self, query: str, parameters: Mapping[str, Any] | None = None) -> pl.DataFrame:
        """The result of a query as a polars frame; parameters are named, `$batch` and the like.

        Raises `QueryError` for a query that cannot be run.
        """
        with self.reading(brief=True) as connection:
            return self.place.tables.framed(result_of(connection, query, parameters or {}))

    def stream(
        self, query: str, parameters: Mapping[str, Any], *, bounded: bool = False
    ) -> Iterator[pl.DataFrame]:
        """The same in small frames, a few of which are in memory at a time; writers of a file wait meanwhile.

        `bounded`: the database takes no more memory for a large table, and gives it back.
        """
        with self.reading(BOUNDED if bounded else None) as connection, saying_what_is_wrong():
            found = connection.sql(query, params=dict(parameters))
            for batch in found.to_arrow_reader(_STREAMED_AT_ONCE):
                yield self.place.tables.framed(pl.DataFrame(batch))

    @contextmanager
    def exporting(self, scratch: Path) -> Iterator[BoundedTables]:
        """The tables in one state, for results that exceed memory; `scratch` is a folder for the surplus.

        Writers of a file wait meanwhile.
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
        try:
            with self.place.asking(query) as connection:
                return self.place.tables.framed(shown_result_of(connection, query))
        except ForbiddenStatementError as error:
            raise QueryError(str(error)) from error

    def replace(self, writes: Sequence[Write | WriteMany | WriteFile], *, long_texts: bool = False) -> None:
        """Replace old rows by new ones, in all the tables or in none.

        `long_texts`: files hold long texts, of which fewer rows should be in memory; that takes longer.
        Raises `NewerTablesError`.
        """
        kinds = {type(write) for write in writes}
        # Rows of many frames have long texts too, and a commit holds two thousand of them.
        limits = EXPORTING if long_texts or WriteMany in kinds else BOUNDED
        config = CONFIG | limits if kinds - {Write} else None
        tables = self.place.tables
        with self._transaction(config) as connection:
            for write in writes:
                if isinstance(write, WriteFile):
                    replace_by_file(connection, write, tables)
                elif isinstance(write, WriteMany):
                    replace_by_many(connection, write, tables)
                else:
                    replace_rows(connection, write, tables)

    def adopt(self, schema: Schema) -> None:
        """Create and alter tables as in `create` if that is needed, once for each process.

        From then on nothing is written where a later version has altered them meanwhile. Raises
        `WarehouseMissingError`, `EarlierTableError` and `NewerTablesError`.
        """
        if _adopted.get(self.database) != schema and not self.is_as_declared(schema):
            self.create(schema)
        _adopted[self.database] = schema

    def is_as_declared(self, schema: Schema) -> bool:
        """Whether all tables are there, take the rows declared, and were last altered by this schema.

        Raises `WarehouseMissingError` and `NewerTablesError`.
        """
        with self.reading() as connection:
            return not has_earlier(connection, schema, self.place.tables)

    def create(self, schema: Schema) -> None:
        """Create the tables that are missing, and alter those of an earlier version: all or none.

        Where the rows of a table now lack values, the records of how they were made say so. Raises
        `EarlierTableError` and `NewerTablesError`.
        """
        self._must_not_be_held()
        with self.place.transaction(None) as connection:
            bring_up_to(connection, schema, self.place.tables)
        _adopted[self.database] = schema

    def drop(self, tables: Sequence[str]) -> None:
        """Drop tables and the records of how they were made."""
        with self._transaction() as connection:
            for name in tables:
                connection.execute(f"drop table if exists {name}")
                connection.execute("delete from ops.materializations where table_name = ?", [name])

    def publish(self, snapshot: Path) -> None:
        """Copy the tables to the DuckDB file `snapshot` in one step; readers of an older one keep it.

        Every block of a file is checked first: a damaged database does not replace a good snapshot. Raises
        `WarehouseMissingError` when nothing was ingested yet, `WarehouseBrokenError` and `UnwritableError`.
        """
        self.place.publish(snapshot)

    def copy_to(self, target: "Warehouse", ddl_of: DdlOf) -> Iterator["Copied"]:
        """Copy all tables of a file to a lake, or of a lake to a file; gives each table when it is done.

        `ddl_of` declares a table with vectors of some length. A table of the target that has the same rows
        already is left as it is, so that a copy that was killed goes on. Nobody writes meanwhile. Raises
        `CopyError` for a table with other rows, before anything is copied, and where a copy differs.
        """
        places = self.place, target.place
        if not (self.is_lake or target.is_lake):
            raise CopyError("Both sides are files: copy the file itself.")
        from aimsciqa_resources.warehouse.copying import copy_tables

        return copy_tables(*places, ddl_of)

    def back_up(self, file: Path, ddl_of: DdlOf) -> None:
        """Copy all tables, in one state, to a new DuckDB file, and compare the copy with them.

        Writers of a lake go on. Raises `WarehouseMissingError`, `WarehouseBrokenError` and `CopyError`.
        """
        self.place.back_up(file, ddl_of)

    def refuse_other_rows(self, backup: Path) -> None:
        """Raise `CopyError` where there are rows already, but for those that a killed `restore` put there."""
        self.place.refuse_other_rows(backup)

    def restore(self, backup: Path, ddl_of: DdlOf) -> None:
        """Put the tables of a file of `back_up` here, compared with it; the file may come from any place.

        Nobody writes meanwhile. A killed restore goes on. Raises `CopyError` where there are other rows.
        """
        self.place.restore(backup, ddl_of)

    def check_blocks(self) -> str:
        """Compare every block of a file with its checksum; tells what was checked.

        Raises `WarehouseMissingError` when nothing was ingested yet, and `WarehouseBrokenError`.
        """
        return self.place.check_blocks()

    def maintain(self, keep_days: float) -> Iterator[str]:
        """Compact the tables; tells what was done.

        Of a lake, states older than `keep_days` are forgotten, and their files deleted.
        """
        return self.place.maintain(keep_days)

    @contextmanager
    def _transaction(self, config: Config | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
        """A transaction in the tables that this process has adopted. Raises `NewerTablesError`."""
        self._must_not_be_held()
        with self.place.transaction(config) as connection:
            if adopted := _adopted.get(self.database):
                must_not_be_newer(connection, adopted, self.place.tables)
            yield connection

    def _must_not_be_held(self) -> None:
        if _held.get().get(self.database):
            raise RuntimeError("Nothing can be written inside `one_state`: it reads one state only.")
