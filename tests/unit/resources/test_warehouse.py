import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import dagster as dg
import duckdb
import polars as pl
import pytest
from aimsciqa_resources.disk import UnwritableError
from aimsciqa_resources.warehouse import (
    QueryError,
    VectorLengthError,
    Warehouse,
    WarehouseMissingError,
    Write,
    WriteFile,
    WriteMany,
    duckdb_file,
    tables_in,
)
from aimsciqa_resources.warehouse_resource import WarehouseResource
from dagster_duckdb import DuckDBResource

from tests.open_files import open_files

DDL = "create table if not exists s.t (batch varchar not null, n integer not null)"


def rows(batch: str, *numbers: int) -> pl.DataFrame:
    return pl.DataFrame(
        {"batch": [batch] * len(numbers), "n": list(numbers)}, schema={"batch": pl.String, "n": pl.Int32}
    )


def write(batch: str, *numbers: int) -> Write:
    return Write("s.t", DDL, rows(batch, *numbers), {"batch": batch})


@pytest.fixture
def warehouse(tmp_path) -> Warehouse:
    return Warehouse(database=str(tmp_path / "w.duckdb"))


def content(warehouse: Warehouse) -> list[tuple]:
    return warehouse.read("select batch, n from s.t order by all").rows()


def test_a_partition_is_replaced_and_the_others_stay(warehouse):
    warehouse.replace([write("a", 1, 2), write("b", 3)])
    warehouse.replace([write("a", 9)])
    assert content(warehouse) == [("a", 9), ("b", 3)]
    warehouse.replace([write("a")])
    assert content(warehouse) == [("b", 3)]


def test_a_failed_write_changes_nothing_and_frees_the_lock(warehouse):
    warehouse.replace([write("a", 1)])
    broken = Write(
        "s.t", DDL, pl.DataFrame({"batch": [None], "n": [1]}, schema_overrides={"batch": pl.String}), {}
    )
    with pytest.raises(duckdb.ConstraintException):
        warehouse.replace([write("a", 2), broken])
    assert content(warehouse) == [("a", 1)]
    warehouse.replace([write("a", 3)])
    assert content(warehouse) == [("a", 3)]


def test_a_file_takes_the_place_of_a_table_or_nothing_does(warehouse, tmp_path):
    warehouse.replace([write("a", 1, 2)])
    whole, lacking = tmp_path / "whole.parquet", tmp_path / "lacking.parquet"
    rows("b", 3, 4).write_parquet(whole)
    pl.DataFrame({"batch": ["c", None], "n": [5, 6]}).write_parquet(lacking)
    with pytest.raises(duckdb.ConstraintException):
        warehouse.replace([WriteFile("s.t", DDL, lacking)])
    assert content(warehouse) == [("a", 1), ("a", 2)]
    warehouse.replace([WriteFile("s.t", DDL, whole), write("d", 7)])
    assert content(warehouse) == [("b", 3), ("b", 4), ("d", 7)]


def test_rows_of_a_file_take_the_place_of_those_they_agree_with(warehouse, tmp_path):
    warehouse.replace([write("a", 1, 2)])
    rows("b", 2, 3).write_parquet(tmp_path / "new.parquet")
    warehouse.replace([WriteFile("s.t", DDL, tmp_path / "new.parquet", by=("n",))])
    assert content(warehouse) == [("a", 1), ("b", 2), ("b", 3)]


def test_many_frames_take_the_place_of_a_partition_or_nothing_does(warehouse):
    warehouse.replace([write("a", 1, 2), write("b", 3)])
    broken = (pl.DataFrame({"batch": ["a", None], "n": [number, 6]}) for number in (4, 5))
    with pytest.raises(duckdb.ConstraintException):
        warehouse.replace([write("b"), WriteMany("s.t", DDL, broken, {"batch": "a"})])
    assert content(warehouse) == [("a", 1), ("a", 2), ("b", 3)]

    def failing():
        yield rows("a", 7)
        raise RuntimeError("no more rows")

    with pytest.raises(Exception, match="no more rows"):
        warehouse.replace([WriteMany("s.t", DDL, failing(), {"batch": "a"})])
    assert content(warehouse) == [("a", 1), ("a", 2), ("b", 3)]
    warehouse.replace([WriteMany("s.t", DDL, [rows("a", 9), rows("a", 8)], {"batch": "a"})])
    assert warehouse.read("select n from s.t where batch = 'a'")["n"].to_list() == [9, 8]
    warehouse.replace([WriteMany("s.t", DDL, [], {"batch": "a"})])
    assert content(warehouse) == [("b", 3)]


def test_reading_before_anything_was_ingested_says_what_to_do(warehouse):
    with pytest.raises(WarehouseMissingError, match="aimsciqa ingest"):
        warehouse.read("select 1")


def test_reading_cannot_change_anything(warehouse):
    warehouse.replace([write("a", 1)])
    with pytest.raises(QueryError, match="read-only"):
        warehouse.read("delete from s.t")
    with pytest.raises(QueryError, match="nothing_there"):
        warehouse.read("select * from nothing_there")


def test_parameters_are_named(warehouse):
    warehouse.replace([write("a", 1, 2, 3)])
    found = warehouse.read(
        "select n from s.t where n > $least and batch = $batch", {"least": 1, "batch": "a"}
    )
    assert found["n"].to_list() == [2, 3]


def test_a_long_result_comes_in_small_frames(warehouse):
    warehouse.replace([write("a", *range(20_000))])
    frames = list(warehouse.stream("select n from s.t where n >= $least", {"least": 1}))
    assert max(frame.height for frame in frames) <= 8192
    assert sorted(pl.concat(frames)["n"]) == list(range(1, 20_000))
    with pytest.raises(QueryError, match="nothing_there"):
        next(warehouse.stream("select * from nothing_there", {}))


def test_vectors_keep_their_length(warehouse):
    frame = pl.DataFrame({"v": [[0.5, 1.0]]}, schema={"v": pl.Array(pl.Float32, 2)})
    warehouse.replace([Write("s.v", "create table if not exists s.v (v float[2])", frame, {})])
    assert warehouse.read("select v from s.v").schema["v"] == pl.Array(pl.Float32, 2)


def test_vectors_of_another_length_are_refused_with_advice(warehouse):
    for length in (2, 3):
        frame = pl.DataFrame({"v": [[0.5] * length]}, schema={"v": pl.Array(pl.Float32, length)})
        vectors = Write("s.v", f"create table if not exists s.v (v float[{length}])", frame, {})
        if length == 2:
            warehouse.replace([vectors])
        else:
            with pytest.raises(VectorLengthError, match="aimsciqa reset --from single_hop"):
                warehouse.replace([vectors])


def test_a_table_without_vectors_takes_the_length_of_the_first_ones(warehouse):
    none = pl.DataFrame({"v": []}, schema={"v": pl.Array(pl.Float32, 0)})
    warehouse.replace([Write("s.v", "create table if not exists s.v (v float[] not null)", none, {})])
    some = pl.DataFrame({"v": [[0.5, 1.0]]}, schema={"v": pl.Array(pl.Float32, 2)})
    for frame in (some, none, some):
        warehouse.replace([Write("s.v", "create table if not exists s.v (v float[2])", frame, {})])
        assert warehouse.read("select v from s.v").schema["v"] == pl.Array(pl.Float32, 2)
    assert warehouse.read("select v from s.v").rows() == [([0.5, 1.0],)]


def test_threads_take_turns(warehouse):
    threads = [
        threading.Thread(target=lambda n=n: warehouse.replace([write(f"b{n}", *range(20))])) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert warehouse.read("select count(*) as n from s.t")["n"][0] == 160


WRITER = """
import sys
import polars as pl
from aimsciqa_resources.warehouse import Warehouse, Write
database, name, ddl = sys.argv[1:]
warehouse = Warehouse(database=database)
for turn in range(10):
    batch = f"{name}-{turn}"
    frame = pl.DataFrame({"batch": [batch], "n": [turn]}, schema={"batch": pl.String, "n": pl.Int32})
    warehouse.replace([Write("s.t", ddl, frame, {"batch": batch})])
    warehouse.read("select count(*) from s.t")
"""


@pytest.mark.slow
def test_processes_take_turns(warehouse):
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITER, warehouse.database, str(n), DDL]) for n in range(3)
    ]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert warehouse.read("select count(*) as n from s.t")["n"][0] == 30


KILLED = """
import os, signal, sys, duckdb
connection = duckdb.connect(sys.argv[1])
connection.begin()
connection.execute("delete from s.t")
connection.execute("insert into s.t values ('half', 0)")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_writer_leaves_the_old_rows_and_no_lock(warehouse):
    warehouse.replace([write("a", 1)])
    killed = subprocess.run([sys.executable, "-c", KILLED, warehouse.database], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert content(warehouse) == [("a", 1)]
    warehouse.replace([write("b", 2)])
    assert content(warehouse) == [("a", 1), ("b", 2)]


KILLED_BEHIND_COMMIT = """
import os, signal, sys, duckdb
connection = duckdb.connect(sys.argv[1])
connection.execute("insert into s.t values ('committed', 2)")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_snapshot_holds_what_a_killed_writer_had_committed(warehouse, tmp_path):
    warehouse.replace([write("a", 1)])
    subprocess.run([sys.executable, "-c", KILLED_BEHIND_COMMIT, warehouse.database], check=False)
    assert Path(f"{warehouse.database}.wal").exists()
    warehouse.publish(tmp_path / "inspect.duckdb")
    with duckdb.connect(str(tmp_path / "inspect.duckdb"), read_only=True) as reader:
        assert reader.execute("select n from s.t order by n").fetchall() == [(1,), (2,)]


def test_a_snapshot_of_somebody_elses_home_is_none_without_what_was_committed(
    warehouse, tmp_path, monkeypatch
):
    warehouse.replace([write("a", 1)])
    subprocess.run([sys.executable, "-c", KILLED_BEHIND_COMMIT, warehouse.database], check=False)
    monkeypatch.setattr(duckdb_file.os, "access", lambda _path, _mode: False)
    with pytest.raises(UnwritableError, match="Permission denied"):
        warehouse.publish(tmp_path / "inspect.duckdb")
    assert not (tmp_path / "inspect.duckdb").exists()


def test_a_snapshot_is_whole_and_an_open_reader_keeps_the_old_one(warehouse, tmp_path):
    snapshot = tmp_path / "inspect.duckdb"
    warehouse.replace([write("a", 1)])
    warehouse.publish(snapshot)
    with duckdb.connect(str(snapshot), read_only=True) as reader:
        warehouse.replace([write("a", 2)])
        warehouse.publish(snapshot)
        assert reader.execute("select n from s.t").fetchall() == [(1,)]
    with duckdb.connect(str(snapshot), read_only=True) as reader:
        assert reader.execute("select n from s.t").fetchall() == [(2,)]
    assert sorted(path.name for path in Path(tmp_path).iterdir() if "inspect" in path.name) == [
        "inspect.duckdb"
    ]
    assert os.access(snapshot, os.R_OK)


def test_what_people_ask_sees_no_other_file(warehouse, tmp_path):
    warehouse.replace([write("a", 1)])
    (tmp_path / "secret.csv").write_text("word\nsesame\n")
    with pytest.raises(QueryError, match="disabled"):
        warehouse.ask(f"select * from read_csv('{tmp_path / 'secret.csv'}')")
    with pytest.raises(QueryError, match="disabled"):
        warehouse.ask(f"select * from '{tmp_path / 'secret.csv'}'")


def test_what_people_ask_is_a_select_also_behind_explain(warehouse, tmp_path):
    warehouse.replace([write("a", 1)])
    before = (tmp_path / "w.duckdb").read_bytes()
    copied = f"copy (select 42) to '{warehouse.database}' (format csv, use_tmp_file false)"
    for explain in ("explain analyze", "explain (analyze)", "explain /* */ analyze"):
        with pytest.raises(QueryError, match="Only a SELECT is allowed"):
            warehouse.ask(f"{explain} {copied}")
    with pytest.raises(QueryError, match="Give one SELECT; these are 2 statements"):
        warehouse.ask("select 1; select 2")
    assert (tmp_path / "w.duckdb").read_bytes() == before
    assert warehouse.ask("explain analyze select n from s.t").height == 1
    assert warehouse.ask("explain select n from s.t").height >= 1


def test_a_variable_of_the_program_is_no_table(warehouse):
    warehouse.replace([write("a", 1)])
    t = pl.DataFrame({"n": [2]})
    with pytest.raises(QueryError, match="does not exist"):
        warehouse.read("select * from other.t")
    with pytest.raises(QueryError, match="does not exist"):
        warehouse.read("select * from t")
    assert t["n"][0] == 2


def test_two_warehouses_are_read_at_once_in_one_process(warehouse, tmp_path):
    other = Warehouse(database=str(tmp_path / "it's another.duckdb"))
    warehouse.replace([write("a", 1)])
    other.replace([write("b", 2)])
    with warehouse.one_state(), other.one_state():
        assert content(warehouse) == [("a", 1)]
        assert content(other) == [("b", 2)]
    with warehouse.reading() as one, warehouse.reading() as two:
        assert one.execute("select n from s.t").fetchall() == [(1,)]
        assert two.execute("select n from s.t").fetchall() == [(1,)]


def test_nothing_keeps_a_file_open_that_is_not_being_used(warehouse):
    warehouse.replace([write("a", 1)])
    assert content(warehouse) == [("a", 1)]
    with pytest.raises(QueryError):
        warehouse.read("select nothing from s.t")
    assert Path(warehouse.database) not in open_files()
    assert not Path(f"{warehouse.database}.wal").exists()
    Path(warehouse.database).unlink()
    warehouse.replace([write("b", 2)])
    assert content(warehouse) == [("b", 2)]


def test_an_asset_that_asks_for_a_duckdb_resource_gets_the_warehouse(warehouse):
    @dg.asset
    def mine(duckdb: DuckDBResource) -> None:
        with duckdb.get_connection() as connection:
            connection.execute(
                "set memory_limit = '100MB'; create schema s; create table s.t as select 7 as n"
            )

    resources = {"duckdb": WarehouseResource(database=warehouse.database)}
    silent = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    assert dg.materialize([mine], resources=resources, run_config=silent).success
    assert warehouse.read("select n from s.t")["n"].to_list() == [7]
    limit = warehouse.read("select current_setting('memory_limit') as held")["held"][0]
    assert limit != "95.3 MiB", "what an asset sets is gone with its connection"


def test_the_tables_of_a_query():
    query = "with x as (select * from a.b as ab) select * from x join c.d on true where x.k = $s__t"
    assert tables_in(query) == ["a.b", "c.d"]


def test_maintenance_gives_back_the_space_of_rows_that_are_gone(warehouse):
    warehouse.replace([write("a", 1), write("b", *range(500_000))])
    with warehouse.get_connection() as connection:
        connection.execute("create table s.word (w varchar not null check (w in ('x')))")
    warehouse.replace([write("b")])
    before = Path(warehouse.database).stat().st_size
    (told,) = warehouse.maintain(keep_days=7)
    assert Path(warehouse.database).stat().st_size < before
    assert told.startswith(f"wrote {warehouse.database} anew: ")
    assert content(warehouse) == [("a", 1)]
    with warehouse.get_connection() as connection, pytest.raises(duckdb.ConstraintException):
        connection.execute("insert into s.word values ('y')")


def test_work_of_one_name_is_done_by_one_at_a_time_and_that_of_others_beside_it(warehouse):
    done = []

    def other() -> None:
        with warehouse.one_at_a_time("ingest"):
            done.append("other")

    with warehouse.one_at_a_time("ingest"):
        thread = threading.Thread(target=other)
        thread.start()
        with warehouse.one_at_a_time("steps/s.t.all"):
            done.append("step")
        thread.join(timeout=0.2)
        assert done == ["step"]
    thread.join()
    assert done == ["step", "other"]
    assert Path(f"{warehouse.database}.steps/s.t.all.lock").exists()
