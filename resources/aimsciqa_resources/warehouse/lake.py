"""The warehouse as a lake: a catalogue in Postgres, rows in Parquet files on S3 or in a folder (DuckLake).

Any number of workers read, each in a state of its own, and nobody waits for them. Writers take turns at an
advisory lock: DuckLake may miss that two writers are in each other's way.
"""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from tempfile import gettempdir
from typing import Final

import duckdb
import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from aimsciqa_resources.disk import taking_the_place_of, unwritable_for_duckdb, writing_to
from aimsciqa_resources.untrusted_sql.names import must_name_only_known
from aimsciqa_resources.untrusted_sql.statements import only_reading
from aimsciqa_resources.warehouse.advisory_locks import (
    FORBIDDEN,
    PATIENCE_SECONDS,
    advisory_lock,
    catalogue,
    forbidden,
    place_of,
    unreachable,
)
from aimsciqa_resources.warehouse.errors import (
    INSTALL,
    CatalogueError,
    ClusterSetUpError,
    QueryError,
    WarehouseMissingError,
)
from aimsciqa_resources.warehouse.extensions import lake_engine
from aimsciqa_resources.warehouse.lake_files import merge_small
from aimsciqa_resources.warehouse.lake_tables import METADATA, NAME, LakeTables
from aimsciqa_resources.warehouse.opening import CONFIG, INTERRUPTED, Config, all_or_nothing, quoted
from aimsciqa_resources.warehouse.places import LAKE, DdlOf
from aimsciqa_resources.warehouse.s3 import secret

_S3: Final = "s3://"
_POSTGRES: Final = "postgres:"
# One lock for whatever changes rows or files, maintenance too.
PUBLICATION: Final = "publication"
_THERE: Final = "select to_regclass('ducklake_snapshot') is not null"
_LAST: Final = "select coalesce(extract(epoch from max(snapshot_time)), 0)::float8 from ducklake_snapshot"
_TRIAL: Final = "create schema trial; create table trial.row as select 1 as n; from trial.row"
_KEPT_ENGINES: Final = 4
# Files without any of so many values that a join looks for stay unread; of more, their range counts.
_LISTED_AT_MOST: Final = 10_000
# A worker that was killed may have sent its last commit already: that session is waited for.
_AFTER_THE_LAST: Final = "begin; lock table ducklake_snapshot in share mode; commit"
_OTHER_VERSION: Final = re.compile(
    r"catalog version is (\S+), but the extension requires version (\S+?)\.?\s"
)
_OTHER_DATA: Final = re.compile(r'does not match existing data path in the catalog "([^"]*)"')


@dataclass(frozen=True, slots=True)
class LakePlace:
    """A lake: `database` is `ducklake:postgres:` and a connection string of libpq, `data` a folder or s3://.

    `folder` is a folder of this worker, for what exceeds memory.
    """

    database: str
    data: str
    folder: str = ""
    tables: LakeTables = field(default_factory=LakeTables, compare=False)

    def __post_init__(self) -> None:
        if not self.database.startswith(LAKE + _POSTGRES):
            raise ClusterSetUpError(
                f"AIMSCIQA_WAREHOUSE must begin with {LAKE}{_POSTGRES}, as in "
                f"{LAKE}{_POSTGRES}host=db.example dbname=aimsciqa"
            )
        if conninfo_to_dict(self.conninfo).get("password"):
            raise ClusterSetUpError(
                "AIMSCIQA_WAREHOUSE holds a password, which the web UI would show: put it into PGPASSWORD, "
                "or into the file that PGPASSFILE names."
            )
        if not (self.data.startswith(_S3) or Path(self.data).is_absolute()):
            raise ClusterSetUpError(
                "A lake needs a place for its rows: name s3://bucket/prefix, or the whole path of a folder "
                "that all workers share, in AIMSCIQA_WAREHOUSE_DATA."
            )

    @property
    def name(self) -> str:
        """The catalogue, without what may be secret."""
        return f"{LAKE}{place_of(self.conninfo)}"

    @property
    def conninfo(self) -> str:
        """The connection string of the catalogue."""
        return self.database.removeprefix(LAKE + _POSTGRES)

    @property
    def on_s3(self) -> bool:
        """Whether the rows lie on S3."""
        return self.data.startswith(_S3)

    @property
    def data_path(self) -> str:
        """Where the rows lie; it ends in a slash."""
        return self.data.rstrip("/") + "/"

    @contextmanager
    def writing(self, config: Config | None) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection while nobody else writes."""
        with self.alone(), self._opened(config, own=config is not None) as connection:
            yield connection

    @contextmanager
    def transaction(self, config: Config | None) -> Iterator[duckdb.DuckDBPyConnection]:
        """The same within a transaction, which needs the lock until it ends."""
        with self.alone() as lock, self._opened(config) as connection:
            with all_or_nothing(connection, partial(self._must_be_held, lock)):
                yield connection
            # What was written is there: that it could not be merged now harms nobody.
            with suppress(duckdb.Error):
                merge_small(connection, lock, NAME)

    @contextmanager
    def reading(self, config: Config | None, *, brief: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection that sees one state, whatever others write: brief or long, nobody waits for it."""
        with self._opened(config) as connection:
            connection.execute("begin transaction read only")
            try:
                yield connection
            finally:
                connection.execute("rollback")

    def kept_open(self) -> AbstractContextManager[None]:
        """A lake is opened once by each process anyway."""
        return nullcontext()

    @contextmanager
    def asking(self, query: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection of a DuckDB that opens only the files of the lake, for a query without functions that
        read files or catalogues.
        """
        for statement in only_reading(query, analyze=True):
            must_name_only_known(duckdb.connect(), statement, analyze=True, hidden=METADATA)
        with self._opened(CONFIG, own=True) as connection:
            connection.execute(f"set allowed_directories = ['{quoted(self.data_path)}']")
            connection.execute("set enable_external_access = false")
            connection.execute("set lock_configuration = true")
            connection.execute("begin transaction read only")
            yield connection

    def must_exist(self) -> None:
        """Raises `WarehouseMissingError` without a lake, `CatalogueError` without a catalogue."""
        with catalogue(self.conninfo) as connection:
            if not connection.execute(_THERE).fetchall()[0][0]:
                raise self._missing()

    def written_at(self) -> float:
        """The time of the last snapshot."""
        with catalogue(self.conninfo) as connection:
            there = connection.execute(_THERE).fetchall()[0][0]
            return float(connection.execute(_LAST).fetchall()[0][0]) if there else 0.0

    @contextmanager
    def one_at_a_time(self, name: str) -> Iterator[None]:
        """An advisory lock in the catalogue."""
        with advisory_lock(self.conninfo, name):
            yield

    def publish(self, snapshot: Path) -> None:
        """Copy all tables in one state into a file of DuckDB."""
        from aimsciqa_resources.warehouse.copying import copy_to_file

        self.must_exist()
        with taking_the_place_of(snapshot) as fresh:
            fresh.unlink()  # DuckDB takes no empty file for a new one
            copy_to_file(self, fresh)

    def back_up(self, file: Path, ddl_of: DdlOf) -> None:
        """Copy all tables, in one state, to a new file, and compare them by hashes; writers go on."""
        from aimsciqa_resources.warehouse.copying import back_up_to_file

        self.must_exist()
        with self._saying_what_is_wrong():
            back_up_to_file(self, file, ddl_of)

    def refuse_other_rows(self, backup: Path) -> None:
        """Raise `CopyError` for rows that are not those of the backup."""
        from aimsciqa_resources.warehouse.copying import refuse_other_rows

        with self._saying_what_is_wrong():
            refuse_other_rows(backup, self)

    def restore(self, backup: Path, ddl_of: DdlOf) -> None:
        """Put in the tables that are missing, and compare all by hashes: after a kill it goes on."""
        from aimsciqa_resources.warehouse.copying import restore_from_file

        with self._saying_what_is_wrong():
            restore_from_file(backup, self, ddl_of)

    def try_writing(self) -> None:
        """Write a row where the others lie, read it, and take it back; raises `CatalogueError`."""
        with self._opened(None) as connection:
            connection.begin()
            try:
                connection.execute(_TRIAL)
            finally:
                connection.rollback()

    def check_blocks(self) -> str:
        """Compare the names and sizes of files with those in the catalogue: a lake has no blocks.

        Raises `WarehouseBrokenError`.
        """
        from aimsciqa_resources.warehouse.lake_condition import check_files

        self.must_exist()
        with self.reading(None) as connection:
            return check_files(connection, METADATA, self.data_path)

    def maintain(self, keep_days: float) -> Iterator[str]:
        """Merge small files, forget old states, and delete files that no state needs."""
        from aimsciqa_resources.warehouse.lake_files import maintain

        self.must_exist()
        with self.alone(), self._opened(CONFIG) as connection:
            yield from maintain(connection, NAME, keep_days)

    @contextmanager
    def alone(self) -> Iterator[psycopg.Connection]:
        """The lock of all that writes; gives the connection that holds it."""
        with advisory_lock(self.conninfo, PUBLICATION) as lock:
            if lock.execute(_THERE).fetchall()[0][0]:
                lock.execute(_AFTER_THE_LAST)
            else:
                self._make()
            yield lock

    def _must_be_held(self, lock: psycopg.Connection) -> None:
        """Raise `CatalogueError` if the lock was lost with its connection."""
        try:
            lock.execute("select 1")
        except psycopg.OperationalError as error:
            raise CatalogueError(unreachable(self.conninfo, error)) from None

    def _make(self) -> None:
        """Make the lake in an empty catalogue."""
        if not self.on_s3:
            with writing_to(Path(self.data)):
                Path(self.data).mkdir(parents=True, exist_ok=True)
        with self._saying_what_is_wrong(), self.engine({}) as engine:
            self.attach(engine, "create_if_not_exists true")

    @contextmanager
    def _opened(self, config: Config | None, *, own: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection of the DuckDB of this process with these limits, or of one of its own."""
        with self._saying_what_is_wrong():
            if own or "temp_directory" in (config or {}):
                with self.engine(config or {}) as engine:
                    self.attach(engine)
                    yield engine
            else:
                with _engine(self, frozenset((config or {}).items())).cursor() as connection:
                    connection.execute(f"set enable_progress_bar = false; use {NAME}")
                    yield connection

    def engine(self, config: Config) -> duckdb.DuckDBPyConnection:
        """A DuckDB that can attach the lake."""
        own: Config = {
            "temp_directory": str(Path(self.folder or gettempdir()) / "lake.tmp"),
            "dynamic_or_filter_threshold": _LISTED_AT_MOST,
        }
        engine = lake_engine(own | config, s3=self.on_s3)
        if self.on_s3:
            engine.execute(secret(self.data))
        return engine

    def attach(self, engine: duckdb.DuckDBPyConnection, option: str = "create_if_not_exists false") -> None:
        """Attach the lake to a DuckDB, and use it."""
        patient = make_conninfo(self.conninfo, connect_timeout=PATIENCE_SECONDS)
        path = quoted(f"{LAKE}{_POSTGRES}{patient}")
        options = f"data_path '{quoted(self.data_path)}', data_inlining_row_limit 0, {option}"
        engine.execute(f"attach '{path}' as {NAME} ({options})")
        engine.execute(f"use {NAME}")

    @contextmanager
    def _saying_what_is_wrong(self) -> Iterator[None]:
        try:
            yield
        except RuntimeError as error:
            if str(error) == INTERRUPTED:
                raise KeyboardInterrupt from error
            raise
        except duckdb.FatalException:
            _engine.cache_clear()  # it accepts no query any more
            raise
        except (duckdb.Error, QueryError) as error:
            if told := self._trouble(str(error)):
                raise told from None
            raise

    def _trouble(self, said: str) -> Exception | None:
        """The error of ours for what DuckDB said about catalogue or data."""
        if "creating a new DuckLake is explicitly disabled" in said:
            return self._missing()
        if "Unable to connect to Postgres" in said or "server closed the connection" in said:
            return CatalogueError(unreachable(self.conninfo, said))
        if FORBIDDEN in said and "DuckLake" in said:
            return CatalogueError(forbidden(self.conninfo, said))
        if found := _OTHER_VERSION.search(said):
            return ClusterSetUpError(
                f"The catalogue of {self.name} is of DuckLake {found[1]}, and this is DuckLake {found[2]}: "
                f"have the same version of aimsciqa on all workers ({INSTALL})."
            )
        if found := _OTHER_DATA.search(said):
            return ClusterSetUpError(
                f"The rows of {self.name} lie in {found[1]}: AIMSCIQA_WAREHOUSE_DATA names {self.data_path}."
            )
        if "HTTP" in said:
            return CatalogueError(
                f"{self.data_path} cannot be read or written: {said.strip().splitlines()[0]}\nSee that the "
                "bucket is there and that your AWS_ACCESS_KEY_ID and AWS_ENDPOINT_URL_S3 are right."
            )
        return unwritable_for_duckdb(said)

    def _missing(self) -> WarehouseMissingError:
        return WarehouseMissingError(
            f"There is no warehouse at {self.name} yet: run `aimsciqa ingest DIR` first."
        )


@lru_cache(maxsize=_KEPT_ENGINES)
def _engine(
    place: LakePlace, limits: frozenset[tuple[str, str | bool | int | float]]
) -> duckdb.DuckDBPyConnection:
    """A DuckDB of this process with the lake: to load the extensions and to attach it takes a second."""
    engine = place.engine(dict(limits))
    try:
        place.attach(engine)
    except BaseException:
        engine.close()
        raise
    return engine
