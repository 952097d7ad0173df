"""`aimsciqa doctor` on what a home holds: warehouse, journal, ingested files, records of Dagster."""

import os

import pytest

from aimsciqa_assets.cli.doctor.findings import Examined, Finding
from aimsciqa_assets.platform.home import Home
from tests.doctor_home import found_by, the_fault

pytestmark = pytest.mark.slow


def test_a_home_without_a_warehouse(tmp_path):
    assert the_fault("warehouse", Home(tmp_path)) == Finding(
        "warning",
        "there is none yet",
        "Take in papers: `aimsciqa ingest DIR`. If you have one, name its folder in AIMSCIQA_HOME.",
    )
    # That is told once.
    assert found_by("files", Home(tmp_path)) == found_by("blocks", Home(tmp_path)) == []


def test_a_warehouse_that_is_no_database(home):
    home.database.write_bytes(b"no database " * 1000)
    fault = the_fault("warehouse", home)
    assert fault.state == "problem"
    assert fault.said.startswith(f"WarehouseBroken: {home.database} is damaged or not a database")
    assert fault.advice.startswith(
        "Move it and warehouse.duckdb.wal away. Then `aimsciqa ingest` your papers"
    )


def test_a_damaged_block_of_the_warehouse(home):
    with home.database.open("r+b") as database:
        database.seek(home.database.stat().st_size // 2)
        database.write(os.urandom(4096))
    fault = the_fault("blocks", home)
    assert fault.state == "problem"
    assert fault.said.startswith(f"WarehouseBroken: {home.database} is damaged or not a database")
    assert "`aimsciqa ingest` your papers again, and `aimsciqa run`: no model is asked again" in fault.advice


def test_a_table_of_another_version(home):
    with Examined(home).warehouse.get_connection() as connection:
        connection.execute("alter table ops.failures drop column traceback")
    assert the_fault("warehouse", home) == Finding(
        "warning",
        "some tables are those of another version",
        "`aimsciqa run` alters them, and makes again what lacks a column; replies come from the journal. "
        "`aimsciqa status --why` names the columns.",
    )


def test_a_damaged_journal(home):
    whole = home.journal.read_bytes()
    home.journal.write_bytes(whole[:100] + b"no database " * 500)
    assert the_fault("journal", home) == Finding(
        "problem",
        f"{home.journal} is damaged",
        f"Save what is left: `sqlite3 {home.journal} .recover | sqlite3 recovered.sqlite`, and put that in "
        "its place; or move it away, and replies are paid for again.",
    )


@pytest.mark.parametrize("altered", [True, False])
def test_a_stored_file_that_is_altered_or_gone(home, altered):
    stored = next(path for path in sorted(home.files.rglob("*")) if len(path.name) == 64)
    stored.chmod(0o644)
    stored.write_bytes(b"other") if altered else stored.unlink()
    fault = the_fault("files", home)
    what = "was altered: its bytes are not those that were taken in" if altered else "is missing"
    assert fault.state == "problem"
    assert fault.said == f"1 of 3 files looked at: {stored}: the stored file {what}"
    assert fault.advice.startswith("Give the same file again with `aimsciqa ingest FILE` (or its folder)")


def test_a_dagster_yaml_that_cannot_be_read(home):
    (home.dagster / "dagster.yaml").write_text("storage: [\n")
    fault = the_fault("dagster", home)
    assert fault.state == "problem"
    assert fault.said == (
        f"{home.dagster}/dagster.yaml cannot be read. Mend it, or move it away: the next command writes a "
        "new one."
    )


def test_nightly_runs_without_a_daemon(home, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_NIGHTLY_ENABLED", "true")
    assert the_fault("dagster", home) == Finding(
        "problem",
        "nightly runs are on, and the daemon that starts them was never started",
        "Start it: `make ui`, `dagster-daemon run`, or the service `daemon` of docker/.",
    )
