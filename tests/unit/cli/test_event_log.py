"""The event log that keeps its databases open: the same files as Dagster's own, and whoever reads them."""

import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from aimsciqa_assets.cli.event_log import OpenEventLog, instance_in
from aimsciqa_assets.platform.home import Home
from tests.open_files import open_files

SILENT = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@dg.multi_asset(
    specs=[dg.AssetSpec("one"), dg.AssetSpec("two", deps=["one"])],
    check_specs=[dg.AssetCheckSpec("sound", asset="one")],
)
def assets():
    yield dg.MaterializeResult(asset_key="one", metadata={"rows": 3})
    yield dg.AssetCheckResult(asset_key="one", check_name="sound", passed=True)
    yield dg.MaterializeResult(asset_key="two")


def materialize(instance: dg.DagsterInstance) -> str:
    return dg.materialize([assets], instance=instance, run_config=SILENT).run_id


def told(instance: dg.DagsterInstance, run_id: str) -> list[str]:
    return [
        entry.dagster_event.event_type_value for entry in instance.all_logs(run_id) if entry.dagster_event
    ]


@pytest.fixture
def home(tmp_path, monkeypatch) -> Home:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "home" / "dagster"))
    home = Home(tmp_path / "home")
    home.prepare()
    return home


def open_databases(folder: Path) -> set[str]:
    return {path.name for path in open_files() if path.is_relative_to(folder) and path.suffix == ".db"}


def test_dagster_s_own_event_log_finds_the_same_and_goes_on(home):
    ours = instance_in(home.dagster)
    assert isinstance(ours.event_log_storage, OpenEventLog)
    first = materialize(ours)
    plain = dg.DagsterInstance.from_config(str(home.dagster))
    assert not isinstance(plain.event_log_storage, OpenEventLog)
    assert told(plain, first) == told(ours, first)
    assert told(plain, first)[-1] == "PIPELINE_SUCCESS"
    second = materialize(plain)
    assert told(ours, second) == told(plain, second)
    latest = ours.get_latest_materialization_event(dg.AssetKey("one"))
    assert latest.run_id == second
    assert latest.asset_materialization.metadata["rows"].value == 3
    ours.dispose()


def test_only_the_index_and_the_last_run_stay_open_and_nothing_in_the_end(home):
    instance = instance_in(home.dagster)
    run_ids = [materialize(instance) for _ in range(3)]
    assert open_databases(home.dagster) == {"index.db", f"{run_ids[-1]}.db"}
    instance.dispose()
    assert open_databases(home.dagster) == set()


KILLED = """
import dagster as dg, os, sys
from pathlib import Path
from aimsciqa_assets.cli.event_log import instance_in
from tests.unit.cli.test_event_log import materialize
instance = instance_in(Path(sys.argv[1]))
print(materialize(instance), flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.mark.slow
def test_events_outlive_a_killed_process(home):
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, home.dagster], stdout=subprocess.PIPE, text=True, check=False
    )
    assert killed.returncode == -9
    plain = dg.DagsterInstance.from_config(str(home.dagster))
    assert told(plain, killed.stdout.strip())[-1] == "PIPELINE_SUCCESS"


@pytest.mark.slow
def test_two_processes_write_at_once(home):
    instance = instance_in(home.dagster)
    other = subprocess.Popen([sys.executable, "-c", KILLED, home.dagster], stdout=subprocess.PIPE, text=True)
    here = [materialize(instance) for _ in range(5)]
    there, _ = other.communicate()
    assert {run.run_id for run in instance.get_runs()} == {*here, there.strip()}
    assert told(instance, there.strip())[-1] == "PIPELINE_SUCCESS"
    instance.dispose()


def test_another_storage_is_left_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    (tmp_path / "dagster.yaml").write_text(
        "telemetry:\n  enabled: false\nevent_log_storage:\n  module: dagster._core.storage.event_log\n"
        f"  class: ConsolidatedSqliteEventLogStorage\n  config:\n    base_dir: {tmp_path}\n"
    )
    instance = instance_in(tmp_path)
    assert type(instance.event_log_storage).__name__ == "ConsolidatedSqliteEventLogStorage"
