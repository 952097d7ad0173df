"""A writer killed inside DuckDB's own commit, at a byte that is known beforehand.

The kernel kills a process (SIGXFSZ) in the system call that would make a file longer than its limit. A commit
writes everything to the WAL and then moves it into the database: the limit decides where in the commit the
process dies, and the sizes of both files prove that it died there.
"""

import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest
from aimsciqa_resources.warehouse import Warehouse

pytestmark = pytest.mark.slow

WRITER = """
import random, resource, signal, sys
import polars as pl
from aimsciqa_resources.warehouse import Warehouse, Write

database, batch, count, limit = sys.argv[1:]
dice = random.Random(batch)
texts = [dice.randbytes(500).hex() for _ in range(int(count))]
ddl = "create table if not exists s.{} (batch varchar not null, text varchar not null)"
frame = pl.DataFrame({"batch": [batch] * len(texts), "text": texts})
writes = [Write(f"s.{name}", ddl.format(name), frame, {}) for name in ("first", "second")]
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
if int(limit):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
Warehouse(database).replace(writes)
"""
OLD, NEW = 5000, 1500


@dataclass(frozen=True)
class Commit:
    """A database, and bytes: of it before a write of new rows and after, and of the write as a whole WAL."""

    database: Path
    before: int
    wal: int
    after: int


def written(database: Path, batch: str, count: int, limit: int = 0) -> int:
    command = [sys.executable, "-c", WRITER, str(database), batch, str(count), str(limit)]
    return subprocess.run(command, check=False).returncode


def size_of_wal(database: Path) -> int:
    return Path(f"{database}.wal").stat().st_size


def content(warehouse: Warehouse) -> list[tuple]:
    return [
        warehouse.read(f"select batch, count(*), count(distinct text) from s.{table} group by batch").row(0)
        for table in ("first", "second")
    ]


@pytest.fixture(scope="module")
def commit(tmp_path_factory) -> Commit:
    folder = tmp_path_factory.mktemp("commit")
    old, new, killed = (folder / f"{name}.duckdb" for name in ("old", "new", "killed"))
    assert written(old, "old", OLD) == 0
    before = old.stat().st_size
    for copy in (new, killed):
        shutil.copy(old, copy)
    assert written(new, "new", NEW) == 0
    assert written(killed, "new", NEW, before) == -signal.SIGXFSZ
    return Commit(old, before, size_of_wal(killed), new.stat().st_size)


@pytest.mark.parametrize("share", ["one byte", "half", "most"])
def test_a_kill_while_the_log_is_written_leaves_nothing_of_the_write(commit, tmp_path, share):
    # The last bytes of the log say that the write is whole, and that it is being moved.
    limit = {"one byte": 1, "half": commit.wal // 2, "most": commit.wal - 1000}[share]
    warehouse = killed_at(limit, commit, tmp_path)
    assert size_of_wal(Path(warehouse.database)) == limit
    assert content(warehouse) == [("old", OLD, OLD)] * 2
    assert_usable(warehouse, tmp_path, 3)


@pytest.mark.parametrize("share", ["one byte", "half", "all but one byte"])
def test_a_kill_while_the_log_is_moved_into_the_database_leaves_the_whole_write(commit, tmp_path, share):
    grown = commit.after - commit.before
    limit = commit.before + {"one byte": 1, "half": grown // 2, "all but one byte": grown - 1}[share]
    warehouse = killed_at(limit, commit, tmp_path)
    assert commit.wal == size_of_wal(Path(warehouse.database)) < commit.before
    assert commit.before <= Path(warehouse.database).stat().st_size <= limit < commit.after
    assert content(warehouse) == [("new", NEW, NEW)] * 2
    assert_usable(warehouse, tmp_path, 3)


def killed_at(limit: int, commit: Commit, folder: Path) -> Warehouse:
    database = folder / "warehouse.duckdb"
    shutil.copy(commit.database, database)
    assert written(database, "new", NEW, limit) == -signal.SIGXFSZ
    return Warehouse(database=str(database))


def assert_usable(warehouse: Warehouse, folder: Path, rows: int) -> None:
    """It takes another write, and its copy is whole."""
    assert written(Path(warehouse.database), "later", rows) == 0
    warehouse.publish(folder / "inspect.duckdb")
    with duckdb.connect(str(folder / "inspect.duckdb"), read_only=True) as reader:
        assert reader.execute("select batch, count(*) from s.first group by batch").fetchall() == [
            ("later", rows)
        ]
