"""The warehouse as one DuckDB file: many processes of one machine, of which one writes or several read.

DuckDB lets one process write or several read. Every connection therefore waits its turn at a lock file, and
nobody keeps the database open while a model works: `kept_open` closes it then.
"""

import errno
import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import duckdb
import polars as pl

from aimsciqa_resources.disk import taking_the_place_of, unwritable, writing_to
from aimsciqa_resources.locks import one_at_a_time
from aimsciqa_resources.warehouse.errors import CopyError, WarehouseMissingError, broken
from aimsciqa_resources.warehouse.kept_open import KeptOpen
from aimsciqa_resources.warehouse.opening import (
    BOUNDED,
    STORAGE,
    Attached,
    Config,
    all_or_nothing,
    attached,
    opened,
    quoted,
    saying_what_it_met,
)
from aimsciqa_resources.warehouse.places import DdlOf
from aimsciqa_resources.warehouse.schema_versions import VERSIONS

# Queries of people may read the warehouse and no other file.
_ALONE: Config = {"enable_external_access": False}
_CHECKING: Config = {"memory_limit": "512MB", "threads": 4}
_MIB = 2**20
_ANY_LENGTH = "FLOAT[]"
_TABLES = """
select schema_name || '.' || table_name from duckdb_tables()
where database_name = current_database() and not internal order by all
"""
# By database: the threads of a process share what is kept open.
_kept: dict[str, KeptOpen] = {}


class FileTables:
    """A DuckDB file takes declarations as they are, and checks every row itself."""

    def has(self, connection: duckdb.DuckDBPyConnection, table: str) -> bool:
        """Whether there is a table of this name."""
        return (table,) in connection.execute(_TABLES).fetchall()

    def create(self, connection: duckdb.DuckDBPyConnection, table: str, ddl: str) -> None:
        """Create a table that is missing, and its schema."""
        connection.execute(f'create schema if not exists "{table.split(".", maxsplit=1)[0]}"')
        connection.execute(ddl)

    def refuse(self, connection: duckdb.DuckDBPyConnection, table: str, ddl: str, rows: str) -> None:
        """The file refuses them itself."""

    def lengths(
        self, connection: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, int]
    ) -> dict[str, int]:
        """The lengths that the types of the columns tell."""
        described = connection.execute(f"select column_name, column_type from (describe {table})")
        held = dict(described.fetchall())
        return {
            name: int(held[name].removeprefix("FLOAT[").removesuffix("]"))
            for name in columns
            if held[name] != _ANY_LENGTH
        }

    def take_length(
        self, connection: duckdb.DuckDBPyConnection, table: str, column: str, length: int
    ) -> None:
        """Declare the length of the first vectors."""
        connection.execute(f'alter table {table} alter column "{column}" type FLOAT[{length}]')

    def framed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The frame as it is."""
        return frame


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A DuckDB file."""

    database: str
    tables: FileTables = field(default_factory=FileTables, compare=False)

    @property
    def name(self) -> str:
        """Its path."""
        return self.database

    @contextmanager
    def alone(self) -> Iterator[None]:
        """The lock of whoever writes, in the folder of the file, which is made."""
        self._let_go()
        with self._locked(read_only=False):
            yield

    @contextmanager
    def writing(self, config: Config | None) -> Iterator[duckdb.DuckDBPyConnection]:
        """The only connection to the file; it is closed and unlocked at the end, whatever happens."""
        if config is None and (kept := _kept.get(self.database)):
            with saying_what_it_met(self.database), kept.writing() as connection:
                yield connection
            return
        with self.alone(), opened(self.database, read_only=False, config=config) as connection:
            yield connection

    @contextmanager
    def transaction(self, config: Config | None) -> Iterator[duckdb.DuckDBPyConnection]:
        """The same within a transaction."""
        with self.writing(config) as connection, all_or_nothing(connection):
            yield connection

    @contextmanager
    def reading(self, config: Config | None, *, brief: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection that only reads, while others may read too; writers wait."""
        self.must_exist()
        if config is None and (kept := _kept.get(self.database)):
            with saying_what_it_met(self.database), kept.reading(brief=brief) as connection:
                yield connection
            return
        self._let_go()
        with (
            self._locked(read_only=True),
            opened(self.database, read_only=True, config=config) as connection,
        ):
            yield connection

    @contextmanager
    def kept_open(self) -> Iterator[None]:
        """The file stays open between its uses, while nobody else wants it; it is closed at the end."""
        if self.database in _kept:
            yield
            return
        kept = KeptOpen(Path(self.database), self._attached, self._is_waited_for)
        _kept[self.database] = kept
        try:
            yield
        finally:
            del _kept[self.database]
            with saying_what_it_met(self.database):
                kept.end()

    @contextmanager
    def asking(self, query: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection of a DuckDB that opens no other file."""
        with self.reading(_ALONE) as connection:
            connection.execute("set lock_configuration = true")
            yield connection

    def must_exist(self) -> None:
        """Raises `WarehouseMissingError` without a file."""
        if not Path(self.database).exists():
            raise WarehouseMissingError(
                f"There is no warehouse at {self.database} yet: run `aimsciqa ingest DIR` first."
            )

    def written_at(self) -> float:
        """The time of the file, or of what was committed and is not in it yet."""
        paths = [Path(self.database), Path(f"{self.database}.wal")]
        return max((path.stat().st_mtime for path in paths if path.exists()), default=0.0)

    @contextmanager
    def one_at_a_time(self, name: str) -> Iterator[None]:
        """A lock file beside the database."""
        with one_at_a_time(Path(f"{self.database}.{name}.lock")):
            yield

    def publish(self, snapshot: Path) -> None:
        """Copy the file, and check every block: a damaged one does not replace a good snapshot."""
        # Most commands publish nothing, and numpy takes a while to load.
        from aimsciqa_resources.warehouse.checked_copy import copy_database

        self.must_exist()
        with taking_the_place_of(snapshot) as fresh:
            if self._log.exists():
                self._checkpoint()
            try:
                with self.reading(None):
                    copy_database(Path(self.database), fresh, _CHECKING)
            except duckdb.Error as error:
                raise broken(self.database, error, snapshot) from None

    def _checkpoint(self) -> None:
        """Put changes into the file that a writer left beside it: one that was killed, or keeps it open."""
        if os.access(self._log.parent, os.W_OK):
            with self.writing(None) as connection:
                connection.execute("checkpoint")
            return
        # Somebody else's home. Whoever keeps the file open closes it for us, with all that was committed.
        with self.reading(None):
            pass
        if self._log.exists():
            raise unwritable(self._log.parent, errno.EACCES)

    def back_up(self, file: Path, ddl_of: DdlOf) -> None:
        """Copy the file, and check every block; writers wait meanwhile."""
        self.publish(file)

    def refuse_other_rows(self, backup: Path) -> None:
        """Raise `CopyError` for a file with any rows."""
        if Path(self.database).exists():
            with self.reading(None) as connection:
                self._refuse_rows(connection)

    def restore(self, backup: Path, ddl_of: DdlOf) -> None:
        """Put the backup in the place of a file without rows, in one step, and check every block."""
        from aimsciqa_resources.warehouse.checked_copy import copy_database

        path = Path(self.database)
        with self.alone():
            if path.exists():
                with opened(self.database, read_only=False, config=None) as connection:
                    self._refuse_rows(connection)
            with taking_the_place_of(path) as fresh:
                try:
                    copy_database(backup, fresh, _CHECKING)
                except duckdb.Error as error:
                    raise CopyError(f"{backup} cannot be restored: {error}") from None
                Path(f"{path}.wal").unlink(missing_ok=True)

    def check_blocks(self) -> str:
        """Read the whole file, and compare every block with its checksum."""
        from aimsciqa_resources.warehouse.checked_copy import check_database

        try:
            with self.reading(_CHECKING) as connection:
                check_database(Path(self.database), connection)
        except duckdb.Error as error:
            raise broken(self.database, error) from None
        return "all blocks have their checksums"

    def maintain(self, keep_days: float) -> Iterator[str]:
        """Write the file anew, without the space of rows that are gone; nobody reads or writes meanwhile."""
        self.must_exist()
        path = Path(self.database)
        with self.alone():
            before = path.stat().st_size
            with taking_the_place_of(path) as fresh:
                fresh.unlink()  # DuckDB takes no empty file for a new one
                with opened(self.database, read_only=False, config=BOUNDED) as connection:
                    connection.execute("checkpoint")
                    connection.execute(
                        f"attach '{quoted(str(fresh))}' as fresh (storage_version '{STORAGE}')"
                    )
                    ((own,),) = connection.execute("select current_database()").fetchall()
                    connection.execute(f'copy from database "{own}" to fresh')
                    connection.execute("detach fresh")
            after = path.stat().st_size
        yield f"wrote {path} anew: {before / _MIB:,.1f} MiB before, {after / _MIB:,.1f} MiB after"

    def _refuse_rows(self, connection: duckdb.DuckDBPyConnection) -> None:
        for (table,) in connection.execute(_TABLES).fetchall():
            if table != VERSIONS and connection.execute(f"select 1 from {table} limit 1").fetchall():
                raise CopyError(
                    f"{table} has rows in {self.database}: nothing was restored. Move this file away, or "
                    "name another folder in AIMSCIQA_HOME."
                )

    def _let_go(self) -> None:
        """Close a file that is only kept open, for one who opens it otherwise."""
        if kept := _kept.get(self.database):
            with saying_what_it_met(self.database):
                kept.close()

    @contextmanager
    def _attached(self, read_only: bool) -> Iterator[Attached]:
        with self._locked(read_only=read_only), attached(self.database, read_only=read_only) as file:
            yield file

    @contextmanager
    def _locked(self, *, read_only: bool) -> Iterator[None]:
        # A lock on a separate file queues fairly, and the kernel frees it when its holder dies.
        path = Path(f"{self.database}.lock")
        if not read_only:
            with writing_to(path.parent):
                path.parent.mkdir(parents=True, exist_ok=True)
        elif not os.access(path.parent, os.W_OK):
            # Nobody can write in a read-only folder.
            yield
            return
        with writing_to(path):
            held = path.open("a")
        with held as lock:
            self._wait_for(lock, fcntl.LOCK_SH if read_only else fcntl.LOCK_EX)
            yield

    def _wait_for(self, lock: IO[str], kind: int) -> None:
        try:
            fcntl.flock(lock, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            with self._telling_that_one_waits():
                fcntl.flock(lock, kind)

    @contextmanager
    def _telling_that_one_waits(self) -> Iterator[None]:
        """Whoever keeps the file open without using it sees this lock, and closes it."""
        with ExitStack() as telling:
            # Who cannot tell waits all the same: an idle file is closed in a moment.
            with suppress(OSError):
                told = os.open(self._waiting, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
                telling.callback(os.close, told)
                fcntl.flock(told, fcntl.LOCK_SH)
            yield

    def _is_waited_for(self) -> bool:
        """Whether anybody waits; also where that cannot be found out, so that the file is closed."""
        try:
            with self._waiting.open("rb") as told:
                fcntl.flock(told, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        return False

    @property
    def _log(self) -> Path:
        return Path(f"{self.database}.wal")

    @property
    def _waiting(self) -> Path:
        return Path(f"{self.database}.waiting")
