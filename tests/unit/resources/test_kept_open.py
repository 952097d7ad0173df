"""A file that is kept open does what any other does: the same tests, and what only it does."""

# ruff: noqa: F401
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import pytest
from aimsciqa_resources.warehouse import Warehouse, kept_open
from aimsciqa_resources.warehouse.duckdb_file import FilePlace

from tests.open_files import open_files
from tests.unit.resources.test_warehouse import (
    content,
    test_a_failed_write_changes_nothing_and_frees_the_lock,
    test_a_file_takes_the_place_of_a_table_or_nothing_does,
    test_a_long_result_comes_in_small_frames,
    test_a_partition_is_replaced_and_the_others_stay,
    test_a_snapshot_is_whole_and_an_open_reader_keeps_the_old_one,
    test_a_table_without_vectors_takes_the_length_of_the_first_ones,
    test_a_variable_of_the_program_is_no_table,
    test_maintenance_gives_back_the_space_of_rows_that_are_gone,
    test_many_frames_take_the_place_of_a_partition_or_nothing_does,
    test_parameters_are_named,
    test_processes_take_turns,
    test_reading_before_anything_was_ingested_says_what_to_do,
    test_reading_cannot_change_anything,
    test_rows_of_a_file_take_the_place_of_those_they_agree_with,
    test_threads_take_turns,
    test_two_warehouses_are_read_at_once_in_one_process,
    test_vectors_keep_their_length,
    test_vectors_of_another_length_are_refused_with_advice,
    test_what_people_ask_is_a_select_also_behind_explain,
    test_what_people_ask_sees_no_other_file,
    write,
)


@pytest.fixture
def warehouse(tmp_path):
    warehouse = Warehouse(database=str(tmp_path / "w.duckdb"))
    with warehouse.kept_open():
        yield warehouse
    assert Path(warehouse.database) not in open_files()
    assert not Path(f"{warehouse.database}.wal").exists()


@pytest.fixture
def never_idle(monkeypatch):
    monkeypatch.setattr(kept_open, "_IDLE_SECONDS", 1000)


@pytest.fixture
def idle_at_once(monkeypatch):
    monkeypatch.setattr(kept_open, "_IDLE_SECONDS", 0)


def is_open(warehouse: Warehouse) -> bool:
    return Path(warehouse.database) in open_files()


def soon(holds) -> bool:
    give_up = time.monotonic() + 20
    while not holds() and time.monotonic() < give_up:
        time.sleep(0.01)
    return holds()


def test_it_is_opened_once_for_many_writes_and_reads(warehouse, never_idle):
    for n in range(5):
        warehouse.replace([write("a", n)])
        assert content(warehouse) == [("a", n)]
        with warehouse.one_state(brief=True):
            assert content(warehouse) == [("a", n)]
    assert is_open(warehouse)
    assert Path(f"{warehouse.database}.wal").exists(), "no checkpoint between them"
    with warehouse.one_state():
        assert content(warehouse) == [("a", 4)]
        assert not Path(f"{warehouse.database}.wal").exists(), "who reads for long lets others read"


def test_it_is_closed_when_it_was_not_used_for_a_moment(warehouse, idle_at_once):
    warehouse.replace([write("a", 1)])
    assert soon(lambda: not is_open(warehouse))
    assert not Path(f"{warehouse.database}.wal").exists()
    assert content(warehouse) == [("a", 1)]
    warehouse.replace([write("b", 2)])
    assert content(warehouse) == [("a", 1), ("b", 2)]


READING = """
import sys
from aimsciqa_resources.warehouse import Warehouse
print(Warehouse(sys.argv[1]).read("select n from s.t")["n"][0])
"""
WRITING = """
import sys
import polars as pl
from aimsciqa_resources.warehouse import Warehouse, Write
frame = pl.DataFrame({"batch": ["a"], "n": [7]}, schema={"batch": pl.String, "n": pl.Int32})
Warehouse(sys.argv[1]).replace([Write("s.t", sys.argv[2], frame, {"batch": "a"})])
print("written")
"""


@pytest.mark.slow
def test_another_process_that_waits_for_it_gets_it(warehouse, never_idle):
    warehouse.replace([write("a", 1)])
    assert is_open(warehouse)
    told = subprocess.run(
        [sys.executable, "-c", READING, warehouse.database], capture_output=True, check=True, timeout=60
    )
    assert told.stdout == b"1\n"
    with warehouse.one_state():
        content(warehouse)
    assert is_open(warehouse), "to be read"
    ddl = write("a").ddl
    subprocess.run([sys.executable, "-c", WRITING, warehouse.database, ddl], check=True, timeout=60)
    assert content(warehouse) == [("a", 7)]


@pytest.mark.slow
def test_a_process_that_waits_gets_it_between_two_writes(warehouse, never_idle, monkeypatch):
    monkeypatch.setattr(kept_open, "_LOOKS_EVERY_SECONDS", 1000)  # nobody looks but whoever used it
    warehouse.replace([write("a", 1)])
    with subprocess.Popen(
        [sys.executable, "-c", READING, warehouse.database], stdout=subprocess.PIPE
    ) as waiting:
        assert soon(lambda: warehouse.replace([write("a", 1)]) or waiting.poll() is not None)
        assert waiting.stdout.read() == b"1\n"


def test_a_large_file_does_not_stay_open_for_writing(warehouse, never_idle, monkeypatch):
    warehouse.replace([write("a", 1)])
    monkeypatch.setattr(kept_open, "_SMALL_BYTES", 0)
    warehouse.replace([write("a", 2)])
    assert not is_open(warehouse)
    assert content(warehouse) == [("a", 2)]
    assert is_open(warehouse), "to be read, together with others"


def test_readers_with_limits_of_their_own_and_a_copy_find_it_closed(warehouse, never_idle, tmp_path):
    warehouse.replace([write("a", 1, 2)])
    assert sum(frame.height for frame in warehouse.stream("select n from s.t", {}, bounded=True)) == 2
    warehouse.replace([write("a", 1, 2, 3)])
    with warehouse.exporting(tmp_path) as tables:
        assert tables.read("select count(*) from s.t", {}) == [(3,)]
    warehouse.replace([write("a", 1)])
    warehouse.publish(tmp_path / "inspect.duckdb")
    assert Warehouse(str(tmp_path / "inspect.duckdb")).read("select n from s.t")["n"].to_list() == [1]


def test_a_brief_reader_does_not_open_it_otherwise(warehouse):
    warehouse.replace([write("a", 1)])
    with warehouse.one_state(brief=True), pytest.raises(RuntimeError, match="brief"):
        list(warehouse.stream("select n from s.t", {}, bounded=True))
    with warehouse.one_state():
        assert [frame.rows() for frame in warehouse.stream("select n from s.t", {}, bounded=True)] == [[(1,)]]


def test_a_thread_reads_beside_one_that_reads_for_long_and_waits_for_one_that_writes(warehouse, never_idle):
    warehouse.replace([write("a", 1)])
    found = []
    beside = threading.Thread(target=lambda: found.append(content(warehouse)))
    with warehouse.one_state():
        beside.start()
        beside.join(20)
        assert found == [[("a", 1)]]
    behind = threading.Thread(target=lambda: found.append(content(warehouse)))
    with warehouse.get_connection() as connection:
        connection.execute("insert into s.t values ('b', 2)")
        behind.start()
        behind.join(0.1)
        assert len(found) == 1
    behind.join(20)
    assert found[1:] == [[("a", 1), ("b", 2)]]


def test_what_goes_wrong_while_it_is_closed_is_told_to_the_next_user(warehouse, idle_at_once, monkeypatch):
    warehouse.replace([write("a", 1)])
    assert soon(lambda: not is_open(warehouse))

    def failing(self):
        self._attached = None
        self._opened.close()
        self._is_open.clear()
        raise OSError("the disk is gone")

    with monkeypatch.context() as patched:
        patched.setattr(kept_open.KeptOpen, "_shut", failing)
        content(warehouse)
        assert soon(lambda: not is_open(warehouse))
    with pytest.raises(OSError, match="the disk is gone"):
        content(warehouse)
    assert content(warehouse) == [("a", 1)]


def test_behind_an_error_it_is_opened_anew(warehouse, never_idle):
    warehouse.replace([write("a", 1)])

    def failing():
        with warehouse.get_connection():
            raise duckdb.FatalException("nothing works any more")

    with pytest.raises(duckdb.FatalException):
        failing()
    assert not is_open(warehouse)
    assert content(warehouse) == [("a", 1)]


@pytest.mark.slow
def test_where_nobody_can_tell_that_he_waits_it_is_closed_behind_each_use(warehouse, never_idle, monkeypatch):
    no_folder = property(lambda place: Path(place.database) / "waiting")
    monkeypatch.setattr(FilePlace, "_waiting", no_folder)
    warehouse.replace([write("a", 1)])
    assert not is_open(warehouse)
    with warehouse.place.writing(None):
        waiting = subprocess.Popen(
            [sys.executable, "-c", READING, warehouse.database], stdout=subprocess.PIPE
        )
        time.sleep(0.5)
    assert waiting.communicate(timeout=60)[0] == b"1\n"


def test_an_error_on_the_way_out_leaves_nobody_waiting(warehouse, never_idle, monkeypatch):
    warehouse.replace([write("a", 1)])
    found = []
    behind = threading.Thread(target=lambda: found.append(content(warehouse)))

    def failing():
        with monkeypatch.context() as patched, warehouse.place.writing(None):
            behind.start()
            behind.join(0.1)
            assert not found
            patched.setattr(kept_open.KeptOpen, "_may_stay", lambda _self: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        failing()
    behind.join(20)
    assert found == [[("a", 1)]]
