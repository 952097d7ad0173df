"""The warehouse and its copy when bytes are damaged, and when the disk is full or read-only."""

import os
import random
import shutil
import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path

import duckdb
import polars as pl
import pytest
from aimsciqa_resources.disk import UnwritableError
from aimsciqa_resources.warehouse import Warehouse, WarehouseBrokenError, Write, tables_of_files
from aimsciqa_resources.warehouse.checked_copy import copy_and_compare

from tests.disks import a_folder_for_all, read_only, room_for

pytestmark = pytest.mark.slow

DDL = (
    "create table if not exists s.t (batch varchar not null, n integer not null, text varchar, v float[16], "
    "tags varchar[])"
)
BLOCK = 2**18
HEADERS = 3 * 4096


def write(batch: str, count: int) -> Write:
    """About a kilobyte a row that cannot be compressed, some texts longer than a page."""
    dice = random.Random(batch)
    texts = [dice.randbytes(8000 if number % 50 == 0 else 300).hex() for number in range(count)]
    rows = pl.DataFrame(
        {
            "batch": [batch] * count,
            "n": list(range(count)),
            "text": texts,
            "v": [[dice.random() for _ in range(16)] for _ in range(count)],
            "tags": [[text[:20], text[20:70]] for text in texts],
        },
        schema_overrides={"n": pl.Int32, "v": pl.Array(pl.Float32, 16)},
    )
    return Write("s.t", DDL, rows, {"batch": batch})


@pytest.fixture
def warehouse(tmp_path) -> Warehouse:
    one = Warehouse(database=str(tmp_path / "warehouse.duckdb"))
    one.replace([write("a", 5000)])
    return one


def batches(database: Path) -> list[str]:
    with duckdb.connect(str(database), read_only=True) as reader:
        return [batch for (batch,) in reader.execute("select distinct batch from s.t order by 1").fetchall()]


def damage(file: Path, place: int) -> None:
    with file.open("r+b") as opened:
        opened.seek(place)
        opened.write(random.Random(place).randbytes(4096))


def everything(database: Path) -> list[tuple]:
    with duckdb.connect(str(database), read_only=True) as reader:
        return reader.execute("select count(*), bit_xor(hash(n, text, v, tags)) from s.t").fetchall()


def test_whatever_block_is_damaged_the_good_copy_stays(warehouse, tmp_path):
    database, snapshot = Path(warehouse.database), tmp_path / "inspect.duckdb"
    warehouse.publish(snapshot)
    good = everything(snapshot)
    shutil.copy(database, tmp_path / "kept")
    places = [4096, *range(HEADERS + 5000, database.stat().st_size - 4096, BLOCK)]
    found = []
    for place in places:
        damage(database, place)
        try:
            warehouse.publish(snapshot)
        except WarehouseBrokenError as error:
            found.append(str(error))
        assert everything(snapshot) == good, "a block that is not in use may be published, a lost one not"
        shutil.copy(tmp_path / "kept", database)
    assert len(found) >= len(places) - 2 > 8
    assert all(f"cp {snapshot} {database}" in told for told in found)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "inspect.duckdb",
        "kept",
        "warehouse.duckdb",
        "warehouse.duckdb.lock",
    ]
    warehouse.replace([write("b", 1)])
    warehouse.publish(snapshot)
    assert batches(snapshot) == ["a", "b"]


def test_a_good_database_needs_no_reading_by_duckdb(warehouse, tmp_path):
    warehouse.replace([write("a", 10), write("b", 2000)])
    database, copy = Path(warehouse.database), tmp_path / "copy"
    assert copy_and_compare(database, copy)
    assert copy.read_bytes() == database.read_bytes()
    damage(database, HEADERS + 5000)
    assert not copy_and_compare(database, copy)


@pytest.mark.parametrize("size", [0, 1, 4096, HEADERS + 1, 2**22 - 1, HEADERS + 2**22 + 4097])
@pytest.mark.parametrize("folder", ["of a disk", "/dev/shm"])
def test_a_copy_of_any_length_is_the_same_on_every_file_system(tmp_path, folder, size):
    (tmp_path / "of a disk").mkdir()
    data = random.Random(size).randbytes(size)
    (tmp_path / "file").write_bytes(data)
    with tempfile.TemporaryDirectory(dir=tmp_path / folder) as made:
        assert copy_and_compare(tmp_path / "file", Path(made) / "copy") == (size == 0)
        assert (Path(made) / "copy").read_bytes() == data


def test_a_database_that_was_cut_between_blocks_does_not_replace_the_good_copy(warehouse, tmp_path):
    warehouse.publish(tmp_path / "inspect.duckdb")
    os.truncate(warehouse.database, HEADERS + 5 * BLOCK)
    with pytest.raises(WarehouseBrokenError):
        warehouse.publish(tmp_path / "inspect.duckdb")
    assert batches(tmp_path / "inspect.duckdb") == ["a"]


def test_a_damaged_block_that_a_query_meets_is_told_with_the_cure(warehouse, tmp_path):
    warehouse.publish(tmp_path / "inspect.duckdb")
    for place in range(HEADERS + 5000, Path(warehouse.database).stat().st_size - 4096, BLOCK):
        damage(Path(warehouse.database), place)
    with pytest.raises(WarehouseBrokenError, match="put the last good copy in its place"):
        warehouse.read("select max(text), max(v), max(tags) from s.t")
    (tmp_path / "inspect.duckdb").unlink()
    with pytest.raises(WarehouseBrokenError, match=r"away. Then `aimsciqa ingest` your papers again"):
        warehouse.ask("select max(text), max(v), max(tags) from s.t")


@pytest.mark.parametrize("content", [b"no database", b"", b"\0" * 300_000])
def test_a_file_that_is_no_database_is_told_with_the_cure(warehouse, content, tmp_path):
    warehouse.publish(tmp_path / "inspect.duckdb")
    Path(warehouse.database).write_bytes(content)
    with pytest.raises(WarehouseBrokenError, match=r"cp .*inspect.duckdb"):
        warehouse.publish(tmp_path / "inspect.duckdb")
    assert batches(tmp_path / "inspect.duckdb") == ["a"]


def test_a_folder_in_the_place_of_the_copy_is_told_and_nothing_is_left(warehouse, tmp_path):
    (tmp_path / "inspect.duckdb").mkdir()
    with pytest.raises(UnwritableError, match=r"inspect.duckdb: Is a directory"):
        warehouse.publish(tmp_path / "inspect.duckdb")
    assert not list(tmp_path.glob(".inspect*"))


def test_what_is_no_file_is_not_replaced(warehouse, tmp_path):
    """As root, a copy would take the place of /dev/null for everybody."""
    os.mkfifo(tmp_path / "inspect.duckdb")
    with pytest.raises(UnwritableError, match=r"inspect.duckdb: .*name another file"):
        warehouse.publish(tmp_path / "inspect.duckdb")
    assert (tmp_path / "inspect.duckdb").is_fifo()
    with pytest.raises(UnwritableError, match="name another file"):
        warehouse.publish(Path("/dev/none-of-ours"))


def test_a_copy_in_a_read_only_folder_is_told_and_nothing_is_left():
    with a_folder_for_all() as folder:
        warehouse = Warehouse(database=str(folder / "warehouse.duckdb"))
        warehouse.replace([write("a", 1)])
        with (
            read_only(folder),
            pytest.raises(UnwritableError, match=r"inspect.duckdb: Permission denied: make"),
        ):
            warehouse.publish(folder / "inspect.duckdb")
        assert not list(folder.glob(".inspect*"))


def test_a_copy_for_which_there_is_no_room_leaves_the_earlier_one(warehouse, tmp_path):
    warehouse.publish(tmp_path / "inspect.duckdb")
    with room_for(5 * BLOCK), pytest.raises(UnwritableError, match=r"inspect.duckdb: .*: make room"):
        warehouse.publish(tmp_path / "inspect.duckdb")
    assert batches(tmp_path / "inspect.duckdb") == ["a"]
    assert not list(tmp_path.glob(".inspect*"))


def test_what_a_killed_copy_left_is_removed_and_a_running_one_is_not(warehouse, tmp_path):
    snapshot = tmp_path / "inspect.duckdb"
    (child := os.fork()) or _copy_for_ever(warehouse, snapshot)
    while not (begun := list(tmp_path.glob(".inspect*"))) or not begun[0].stat().st_size:
        pass
    warehouse.publish(snapshot)
    assert begun[0].exists(), "another process makes it"
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    warehouse.publish(snapshot)
    assert not list(tmp_path.glob(".inspect*"))


def _copy_for_ever(warehouse: Warehouse, snapshot: Path) -> None:
    from aimsciqa_resources.warehouse import checked_copy

    checked_copy._has_all_blocks = lambda *_: signal.pause()
    warehouse.publish(snapshot)
    os._exit(1)


@pytest.mark.parametrize("room", [4096, 6 * BLOCK, 30 * BLOCK])
def test_a_full_disk_is_told_and_costs_only_the_write(warehouse, room):
    size = Path(warehouse.database).stat().st_size
    with room_for(max(room, size) if room > 4096 else room), pytest.raises(UnwritableError) as told:
        warehouse.replace([write("b", 12_000)])
    assert warehouse.database in str(told.value)
    assert "make room on this disk" in str(told.value)
    assert batches(Path(warehouse.database)) == ["a"]
    warehouse.replace([write("b", 10)])
    assert batches(Path(warehouse.database)) == ["a", "b"]


@pytest.mark.parametrize("room", [4096, 6 * BLOCK, 30 * BLOCK])
def test_a_full_disk_costs_only_the_write_where_the_file_is_kept_open(warehouse, room):
    size = Path(warehouse.database).stat().st_size
    with warehouse.kept_open():
        warehouse.replace([write("c", 10)])
        with room_for(max(room, size) if room > 4096 else room), pytest.raises(UnwritableError) as told:
            warehouse.replace([write("b", 12_000)])
        assert "make room on this disk" in str(told.value)
        warehouse.replace([write("d", 10)])
    assert batches(Path(warehouse.database)) == ["a", "c", "d"]


def test_a_disk_without_room_for_what_was_committed_is_told_and_the_log_keeps_it(warehouse):
    size = Path(warehouse.database).stat().st_size
    with ExitStack() as work:
        work.enter_context(warehouse.kept_open())
        warehouse.replace([write("b", 3000)])
        with room_for(size), pytest.raises(UnwritableError, match="make room on this disk"):
            work.close()
    assert Path(f"{warehouse.database}.wal").exists()
    assert warehouse.read("select count(*) as n from s.t")["n"].to_list() == [8000]
    warehouse.replace([write("c", 10)])
    assert batches(Path(warehouse.database)) == ["a", "b", "c"]


def test_a_full_disk_is_told_by_exports_and_tables_of_files(warehouse, tmp_path):
    parquet = tmp_path / "out.parquet"
    with (
        room_for(1000),
        pytest.raises(UnwritableError, match=r"out.parquet: .*make room"),
        warehouse.exporting(tmp_path) as tables,
    ):
        tables.export("select * from s.t", {}, parquet)
    with warehouse.exporting(tmp_path) as tables:
        tables.export("select * from s.t", {}, parquet)
    with (
        room_for(1000),
        pytest.raises(UnwritableError, match=r"again.parquet: .*make room"),
        tables_of_files({"t": [parquet]}, {}, tmp_path) as tables,
    ):
        tables.export("select * from t", {}, tmp_path / "again.parquet")


def test_a_read_only_folder_is_told_to_whoever_writes_and_serves_whoever_reads():
    with a_folder_for_all() as folder:
        warehouse = Warehouse(database=str(folder / "warehouse.duckdb"))
        warehouse.replace([write("a", 1)])
        with read_only(folder):
            assert warehouse.read("select n from s.t")["n"].to_list() == [0]
            with pytest.raises(UnwritableError, match=r"warehouse.duckdb.lock: Permission denied: make"):
                warehouse.replace([write("b", 1)])
            with pytest.raises(UnwritableError, match="Permission denied"):
                Warehouse(database=str(folder / "new" / "warehouse.duckdb")).replace([write("b", 1)])


def test_a_database_in_a_folder_named_lock_is_no_busy_one(tmp_path):
    (tmp_path / "lock").mkdir()
    (tmp_path / "lock" / "w.duckdb").write_bytes(b"no database")
    with pytest.raises(WarehouseBrokenError):
        Warehouse(database=str(tmp_path / "lock" / "w.duckdb")).read("select 1")
