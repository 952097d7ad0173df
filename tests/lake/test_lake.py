"""What is special about a lake: its locks, its upkeep, what people may ask, and what is told of troubles."""

import subprocess
import sys

import duckdb
import polars as pl
import pytest
from aimsciqa_resources.warehouse import (
    CatalogueError,
    ClusterSetUpError,
    QueryError,
    Warehouse,
    WarehouseMissingError,
    Write,
)

pytestmark = pytest.mark.slow
DDL = "create table if not exists s.t (batch varchar not null, n integer not null check (n < 5))"


def write(batch: str, *numbers: int) -> Write:
    rows = pl.DataFrame(
        {"batch": [batch] * len(numbers), "n": list(numbers)}, schema_overrides={"n": pl.Int32}
    )
    return Write("s.t", DDL, rows, {"batch": batch})


def test_words_that_the_declaration_does_not_know_are_refused(lake):
    lake.replace([write("a", 1)])
    with pytest.raises(duckdb.ConstraintException, match=r"s\.t: \(n < 5\)"):
        lake.replace([write("b", 2), write("a", 7)])
    assert lake.read("select * from s.t").rows() == [("a", 1)]


def test_rows_of_a_batch_lie_in_files_of_their_own(lake, tmp_path):
    lake.replace([write("a", 1), write("b", 2)])
    folders = {path.parent.name for path in (tmp_path / "rows").rglob("*.parquet")}
    assert folders == {"batch=a", "batch=b"}


@pytest.mark.parametrize(
    "query",
    [
        "from read_csv('/etc/passwd')",
        "from read_parquet('{data}/s/t/*/*.parquet')",
        "from '{data}/s/t/*/*.parquet'",
        "from glob('{data}/*')",
        "from postgres_query('__ducklake_metadata_lake', 'select 1')",
        "from __ducklake_metadata_lake.ducklake_table",
        'select (select count(*) from "__DUCKLAKE_metadata_lake".public.ducklake_table)',
        "describe __ducklake_metadata_lake.ducklake_table",
        "from query('from __ducklake_metadata_lake.ducklake_table')",
        "from duckdb_databases()",
        "from duckdb_secrets()",
        "select getenv('PGPASSWORD')",
    ],
)
def test_what_people_ask_sees_tables_and_nothing_behind_them(asked, query):
    with pytest.raises(QueryError):
        asked.ask(query.format(data=asked.data))


def test_people_ask_tables(asked):
    assert asked.ask("select n from s.t").rows() == [(1,)]
    assert asked.ask("explain analyze select n from s.t").height == 1
    assert asked.ask("describe s.t").height == 2


@pytest.fixture(scope="module")
def asked(postgres, tmp_path_factory) -> Warehouse:
    import psycopg

    folder = tmp_path_factory.mktemp("asked")
    with psycopg.connect(f"{postgres} dbname=postgres", autocommit=True) as connection:
        connection.execute("create database asked")
    made = Warehouse(f"ducklake:postgres:{postgres} dbname=asked", str(folder / "rows"), str(folder))
    made.replace([write("a", 1)])
    return made


HOLDING = """
import sys
from aimsciqa_resources.warehouse import Warehouse
with Warehouse(*sys.argv[1:]).one_at_a_time("ingest"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_is_freed_when_its_holder_is_killed(lake, catalogue):
    import psycopg

    given = [lake.database, lake.data, lake.folder]
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, *given], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    with psycopg.connect(catalogue, autocommit=True) as other:
        held = "select count(*) from pg_locks where locktype = 'advisory' and granted"
        assert other.execute(held).fetchone() == (1,)
        with lake.one_at_a_time("other work"):
            assert other.execute(held).fetchone() == (2,)
    process.kill()
    process.wait()
    with lake.one_at_a_time("ingest"):
        pass


def test_a_reader_keeps_its_state_while_others_write(lake):
    lake.replace([write("a", 1)])
    with lake.one_state():
        assert lake.read("select n from s.t").rows() == [(1,)]
        other = Warehouse(lake.database, lake.data, f"{lake.folder}-other")
        with other.place.transaction(None) as connection:
            connection.execute("insert into s.t values ('b', 2)")
        assert lake.read("select n from s.t").rows() == [(1,)]
    assert lake.read("select n from s.t order by 1").rows() == [(1,), (2,)]


def test_rows_are_not_written_once_the_lock_is_lost(lake, catalogue):
    import psycopg

    def write_without_lock() -> None:
        with lake.place.transaction(None) as connection:
            connection.execute("insert into s.t values ('b', 2)")
            with psycopg.connect(catalogue, autocommit=True) as other:
                held = "from pg_locks where locktype = 'advisory' and granted"
                other.execute(f"select pg_terminate_backend(pid) {held}")

    lake.replace([write("a", 1)])
    with pytest.raises(CatalogueError, match="cannot be reached"):
        write_without_lock()
    assert lake.read("select n from s.t").rows() == [(1,)]


def test_maintenance_merges_files_and_deletes_those_that_no_state_needs(lake, tmp_path):
    for number in range(4):
        with lake.get_connection() as connection:
            if not number:
                connection.execute("create schema s; create table s.u (n integer)")
            connection.execute(f"insert into s.u values ({number})")
    files = list((tmp_path / "rows").rglob("*.parquet"))
    orphan = files[0].with_name("ducklake-orphan.parquet")
    orphan.write_bytes(files[0].read_bytes())
    told = list(lake.maintain(keep_days=7))
    assert told[0].startswith("4 files")
    assert told[1:3] == [
        "0 files with deleted rows were rewritten as 0",
        "4 small files were merged into 1",
    ]
    assert told[3:6] == [
        "0 earlier states were forgotten",
        "0 files of such states were deleted",
        "0 files of killed writers were deleted",
    ]
    assert told[-1].startswith("1 files")
    assert orphan.exists()
    later = list(lake.maintain(keep_days=0))
    assert later[4:6] == ["4 files of such states were deleted", "1 files of killed writers were deleted"]
    assert len(list((tmp_path / "rows").rglob("*.parquet"))) == 1
    assert lake.read("select n from s.u order by 1").rows() == [(0,), (1,), (2,), (3,)]


def test_a_catalogue_that_does_not_answer_is_told_with_its_place(tmp_path):
    away = Warehouse("ducklake:postgres:host=127.0.0.1 port=1 dbname=x user=u", str(tmp_path), str(tmp_path))
    for use in (lambda: away.read("select 1"), lambda: away.replace([]), away.must_exist):
        with pytest.raises(CatalogueError, match=r"postgres:127\.0\.0\.1:1/x cannot be reached"):
            use()


def test_settings_that_name_no_lake_are_refused(tmp_path):
    for database, data, told in (
        ("ducklake:sqlite:x", "/rows", "must begin with ducklake:postgres:"),
        ("ducklake:postgres:dbname=x", "", "AIMSCIQA_WAREHOUSE_DATA"),
        ("ducklake:postgres:dbname=x", "rows", "the whole path of a folder"),
        ("ducklake:postgres:dbname=x password=secret", "/rows", "PGPASSWORD"),
        ("ducklake:postgres:postgresql://u:secret@h/x", "/rows", "PGPASSWORD"),
    ):
        with pytest.raises(ClusterSetUpError, match=told) as refused:
            Warehouse(database, data).read("select 1")
        assert "secret" not in str(refused.value)


def test_an_empty_catalogue_is_a_warehouse_without_papers(lake):
    for use in (lake.must_exist, lambda: lake.read("select 1")):
        with pytest.raises(WarehouseMissingError, match="aimsciqa ingest"):
            use()
    assert lake.written_at() == 0.0


def test_other_data_than_the_catalogue_knows_is_told(lake, tmp_path):
    lake.replace([write("a", 1)])
    other = Warehouse(lake.database, str(tmp_path / "elsewhere"), lake.folder)
    with pytest.raises(ClusterSetUpError, match=r"rows/: AIMSCIQA_WAREHOUSE_DATA names .*elsewhere/"):
        other.read("select 1")


def test_missing_wheels_and_another_duckdb_are_told(lake, monkeypatch):
    from aimsciqa_resources.warehouse import extensions

    monkeypatch.setattr(duckdb, "__version__", "2.0.0")
    with pytest.raises(ClusterSetUpError, match=r"for DuckDB 1\.5\.5, not for 2\.0\.0: pip install"):
        lake.replace([])
    monkeypatch.setattr(extensions, "find_spec", lambda _name: None)
    with pytest.raises(ClusterSetUpError, match=r"not installed: pip install '\.\[cluster\]'"):
        lake.replace([])
