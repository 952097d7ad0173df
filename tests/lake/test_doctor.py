"""`aimsciqa doctor` on a lake: a healthy one gives no finding, and each planted fault is told with advice."""

import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.cli.doctor import lake as checks
from aimsciqa_assets.cli.doctor.checks import CHECKS
from aimsciqa_assets.cli.doctor.findings import Examined, Finding, findings_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.writing import create_tables

psycopg = pytest.importorskip("psycopg", reason="needs Postgres: make test-cluster")
pytestmark = pytest.mark.slow
CHECK = {check.name: check for check in CHECKS}
OF_LAKES = ("catalogue", "warehouse", "lock", "rows", "duckdb", "blocks")
ROWS = pl.DataFrame({"batch": ["a", "b"], "n": [1, 2]}, schema_overrides={"n": pl.Int32})
DDL = "create table if not exists s.t (batch varchar not null, n integer not null)"


def home_of(warehouse: Warehouse, monkeypatch) -> Home:
    """A home whose settings name a lake."""
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE", warehouse.database)
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE_DATA", warehouse.data)
    Path(warehouse.folder).mkdir(exist_ok=True)
    return Home(Path(warehouse.folder))


@pytest.fixture
def made(lake) -> Warehouse:
    """A lake with all tables, and rows in one of them."""
    create_tables(lake)
    lake.replace([Write("s.t", DDL, ROWS, {})])
    return lake


@pytest.fixture
def home(made, monkeypatch) -> Home:
    return home_of(made, monkeypatch)


def faults(name: str, home: Home, **examined) -> list[Finding]:
    found = findings_of(CHECK[name], Examined(home, **examined))
    return [one for one in found if one.state != "ok"]


def the_fault(name: str, home: Home, **examined) -> Finding:
    (fault,) = faults(name, home, **examined)
    return fault


def test_a_healthy_lake_gives_no_finding(home, catalogue):
    examined = Examined(home)
    found = {name: list(findings_of(CHECK[name], examined)) for name in OF_LAKES}
    assert [one for those in found.values() for one in those if one.state != "ok"] == []
    assert found["catalogue"][0].said.startswith("Postgres 18, DuckLake 1.0, ")
    assert found["lock"] == [Finding("ok", "free")]
    assert found["blocks"][0].said.startswith("3 files of 0.0 MiB are where the catalogue says")
    assert len(list(Path(examined.warehouse.data).rglob("*.parquet"))) == 3


def test_a_healthy_lake_on_s3_gives_no_finding(on_s3, monkeypatch):
    create_tables(on_s3)
    rows = pl.DataFrame({"batch": ["a"], "n": [1]}, schema_overrides={"n": pl.Int32})
    on_s3.replace([Write("s.t", DDL, rows, {})])
    examined = Examined(home_of(on_s3, monkeypatch))
    found = {name: list(findings_of(CHECK[name], examined)) for name in OF_LAKES}
    assert [one for those in found.values() for one in those if one.state != "ok"] == []
    assert found["rows"] == [Finding("ok", f"{on_s3.data}/ can be read and written")]
    # What was written to try it is gone again.
    assert found["blocks"][0].said.startswith("2 files of")
    assert on_s3.read("select n from s.t").rows() == [(1,)]


def test_a_catalogue_that_does_not_answer(home, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE", "ducklake:postgres:host=127.0.0.1 port=1 dbname=x user=u")
    fault = the_fault("catalogue", home)
    assert fault.said.startswith("Catalogue: The catalogue postgres:127.0.0.1:1/x cannot be reached: ")
    assert fault.advice.startswith("See that Postgres runs there")


def test_a_database_that_is_not_there(home, postgres, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE", f"ducklake:postgres:{postgres} dbname=nobody")
    assert 'database "nobody" does not exist' in the_fault("catalogue", home).said


def test_a_user_who_may_only_read(home, catalogue, monkeypatch):
    with psycopg.connect(catalogue, autocommit=True) as connection:
        connection.execute("drop role if exists reader; create role reader login")
        connection.execute("grant select on all tables in schema public to reader")
    reader = catalogue.replace("user=postgres", "user=reader")
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE", f"ducklake:postgres:{reader}")
    fault = the_fault("catalogue", home)
    assert fault.said.startswith("this user may not write in ducklake:postgres:")
    assert fault.advice.startswith(
        "Let it own the database; or grant it all on schema public and on all tables"
    )
    with psycopg.connect(catalogue, autocommit=True) as connection:
        connection.execute("grant all on schema public to reader")
        connection.execute("grant all on all tables in schema public to reader")
    assert faults("catalogue", home) == []
    home.warehouse.replace([Write("s.u", DDL.replace("s.t", "s.u"), ROWS, {})])
    assert home.warehouse.read("select n from s.u order by 1").rows() == [(1,), (2,)]
    with psycopg.connect(catalogue, autocommit=True) as connection:
        connection.execute("drop owned by reader; drop role reader")


def test_a_catalogue_of_another_ducklake(home, catalogue):
    from aimsciqa_resources.warehouse.lake import _engine

    with psycopg.connect(catalogue, autocommit=True) as connection:
        connection.execute("update ducklake_metadata set value = '2.0' where key = 'version'")
    _engine.cache_clear()
    fault = the_fault("warehouse", home)
    assert "is of DuckLake 2.0, and this is DuckLake 1.0" in fault.said


def test_tables_of_a_newer_program(home, made):
    with made.get_connection() as connection:
        connection.execute("insert into ops.schema_versions values (2, 'another', '0.9', '2026-11-26')")
    fault = the_fault("warehouse", home)
    assert "The tables have schema version 2, by aimsciqa 0.9 since 2026-11-26" in fault.said
    assert fault.advice.startswith("Install that version here, or a newer one, and restart what runs.")


def test_a_clock_that_is_wrong(home):
    for off, state, side in ((400, "problem", "ahead of"), (-60, "warning", "behind")):
        fault = the_fault("catalogue", home, now=lambda off=off: time.time() + off)
        assert fault.state == state
        assert f"s {side} that of Postgres" in fault.said


HOLDING = """
import sys
from aimsciqa_resources.warehouse import Warehouse
with Warehouse(*sys.argv[1:]).place.alone():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_that_somebody_holds_for_long(home, made, monkeypatch):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, made.database, made.data, made.folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "held\n"
    assert faults("lock", home) == []
    monkeypatch.setattr(checks, "_HELD_LONG", 0.0)
    fault = the_fault("lock", home)
    process.kill()
    process.wait()
    assert fault.state == "warning"
    assert fault.said.startswith("a writer at the machine of Postgres holds it since ")
    assert "select pg_terminate_backend(" in fault.advice


def test_rows_in_a_folder_that_is_not_mounted(home, made):
    Path(made.data).rename(f"{made.data}-away")
    assert the_fault("rows", home).said == f"there is no folder {made.data}"


def test_a_folder_without_room(home, made, monkeypatch):
    usage = checks.shutil.disk_usage(made.data)._replace(free=5 * 10**6)
    monkeypatch.setattr(checks.shutil, "disk_usage", lambda _: usage)
    assert the_fault("rows", home).said == f"5.0 MB free for {made.data}"


def test_a_bucket_that_is_not_there(on_s3, monkeypatch):
    create_tables(on_s3)
    with psycopg.connect(on_s3.database.removeprefix("ducklake:postgres:"), autocommit=True) as connection:
        connection.execute("update ducklake_metadata set value = 's3://nobody/x/' where key = 'data_path'")
    home = home_of(Warehouse(on_s3.database, "s3://nobody/x", on_s3.folder), monkeypatch)
    assert "s3://nobody/x/ cannot be read or written" in the_fault("rows", home).said


@pytest.mark.parametrize(("cut", "how"), [(True, "is cut"), (False, "is gone")])
def test_a_file_of_rows_that_is_gone_or_cut(home, made, cut, how):
    file = sorted((Path(made.data) / "s").rglob("*.parquet"))[0]
    file.write_bytes(file.read_bytes()[:50]) if cut else file.unlink()
    fault = the_fault("blocks", home)
    assert fault.state == "problem"
    assert fault.said == (
        f"WarehouseBroken: 1 of 3 files of rows are not as the catalogue says, of s.t (1): {file} {how}"
    )
    assert fault.advice.startswith("Bring them back if your storage keeps deleted files, or restore a backup")


def test_rows_in_another_place_than_the_settings_name(home, monkeypatch, tmp_path):
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE_DATA", str(tmp_path / "other"))
    assert "AIMSCIQA_WAREHOUSE_DATA names" in the_fault("warehouse", home).said


def test_an_extension_that_is_not_installed(home, monkeypatch):
    from aimsciqa_resources.warehouse import extensions
    from aimsciqa_resources.warehouse.lake import _engine

    _engine.cache_clear()
    monkeypatch.setattr(extensions, "find_spec", lambda _name: None)
    assert "which is not installed: pip install '.[cluster]'" in the_fault("warehouse", home).said
