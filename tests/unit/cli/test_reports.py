"""What the command line tells Dagster: events without a run, none twice, none lost by a kill."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass

import dagster as dg
import polars as pl
import pytest
from aimsciqa_resources.language_model.opening import OneModel

from aimsciqa_assets.cli.phases import run_phase
from aimsciqa_assets.cli.reports import Reports, reports_to
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.phases import Phase
from aimsciqa_assets.platform.steps import STEPS, Step
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from tests.fakes import SentenceModel, WordEncoder

pytestmark = pytest.mark.slow

TABLE = "ops.rejections"
KEY = dg.AssetKey(["ops", "rejections"])
ROWS = [{"table_name": "t", "rejection_reason": "r", "rows": 1}]


@dataclass(frozen=True)
class Site:
    """A home with a step of the tests' own in place of the one that writes `ops.rejections`."""

    home: Home
    resources: dict
    instance: dg.DagsterInstance

    @property
    def notes(self):
        return self.home.dagster / "unreported"

    def run(self, compute):
        step = Step(writes=(TABLE,), compute=compute)
        with reports_to(self.instance, self.notes) as reports:
            return run_phase(Phase("", False, (step,)), "", self.resources, reports)

    def catch_up(self):
        with reports_to(self.instance, self.notes) as reports:
            reports.catch_up(self.resources)

    def events(self):
        return self.instance.fetch_materializations(KEY, limit=10).records

    def checks(self):
        key = dg.AssetCheckKey(KEY, "schema_and_key")
        return self.instance.event_log_storage.get_asset_check_execution_history(key, limit=10)


def site_in(folder) -> Site:
    home = Home(folder)
    resources = build_resources(
        home,
        Settings.preset_of("demo", {}),
        language_models=OneModel(SentenceModel()),
        encoder=WordEncoder(),
    )
    create_tables(resources["warehouse"])
    return Site(home, resources, dg.DagsterInstance.ephemeral())


@pytest.fixture
def site(tmp_path) -> Site:
    return site_in(tmp_path / "home")


def one_row(_run) -> dict[str, pl.DataFrame]:
    return {TABLE: frame_of(TABLE, ROWS)}


def test_what_was_made_is_a_materialization_with_metadata_and_its_check(site):
    assert site.run(one_row) == []
    (event,) = site.events()
    assert event.asset_materialization.metadata["dagster/row_count"].value == 1
    (check,) = site.checks()
    assert check.status.value == "SUCCEEDED"
    assert site.instance.get_runs_count() == 0
    assert list(site.notes.iterdir()) == []


def test_the_seconds_of_the_step_stand_beside_its_rows(site, monkeypatch):
    monkeypatch.setattr("aimsciqa_assets.cli.phases.perf_counter", iter([10.0, 12.5]).__next__)
    site.run(one_row)
    (event,) = site.events()
    metadata = event.asset_materialization.metadata
    assert metadata["seconds of the step"].value == 2.5
    assert metadata["dagster/row_count"].value == 1


def test_what_is_unchanged_is_not_reported_again(site):
    site.run(one_row)
    site.run(one_row)
    assert len(site.events()) == 1


def test_a_failure_is_an_observation_and_stands_in_the_warehouse_until_a_run_succeeds(site):
    def broken(_run):
        raise OSError("the disk is full")

    (failure,) = site.run(broken)
    assert str(failure) == "ops.rejections: OSError: the disk is full"
    assert site.events() == []
    (observed,) = site.instance.fetch_observations(KEY, limit=10).records
    assert observed.asset_observation.metadata["failure"].value == "OSError: the disk is full"
    failures = site.resources["warehouse"].read("select table_name, part, message from ops.failures")
    assert failures.rows() == [("ops.rejections", "", "OSError: the disk is full")]
    assert site.run(one_row) == []
    assert site.resources["warehouse"].read("from ops.failures").is_empty()


def test_a_table_that_was_changed_by_hand_fails_its_check_and_says_what_to_do(site):
    site.run(one_row)
    with site.resources["warehouse"].get_connection() as connection:
        connection.execute("insert into ops.rejections from ops.rejections")
    (failure,) = site.run(one_row)
    assert "schema_and_key: problems: - key occurs 2 times" in failure.message
    assert "aimsciqa reset --from ops" in failure.message
    assert [check.status.value for check in site.checks()] == ["FAILED", "SUCCEEDED"]


KILLED = """
import os, sys
from pathlib import Path
from tests.unit.cli.test_reports import one_row, site_in
from aimsciqa_assets.cli.reports import Reports

Reports.made = lambda *_, **__: os.kill(os.getpid(), 9)
site_in(Path(sys.argv[1])).run(one_row)
"""


def test_what_a_killed_process_wrote_and_did_not_report_is_reported_by_the_next_one(site):
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(site.home.folder)], env=dict(os.environ), check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert site.resources["warehouse"].read("from ops.rejections").height == 1
    assert len(list(site.notes.iterdir())) == 1
    site.catch_up()
    (event,) = site.events()
    assert event.asset_materialization.metadata["dagster/row_count"].value == 1
    assert list(site.notes.iterdir()) == []
    site.catch_up()
    assert len(site.events()) == 1


def test_notes_of_a_process_that_is_alive_are_left_to_it(site):
    other = Reports(site.instance, site.notes)
    other.note(STEPS[TABLE], "")
    site.catch_up()
    assert site.events() == []
    assert len(list(site.notes.iterdir())) == 1
    other.close()


def test_rows_that_were_noted_and_never_written_are_not_reported(site):
    dead = Reports(site.instance, site.notes)
    dead.note(STEPS[TABLE], "")
    dead.close()
    assert len(list(site.notes.iterdir())) == 1
    site.catch_up()
    assert site.events() == []
    assert list(site.notes.iterdir()) == []


def test_an_event_that_could_not_be_written_is_an_error_and_stays_noted(site, monkeypatch):
    def full(*_):
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(type(site.instance), "report_runless_asset_event", full)
        with pytest.raises(OSError, match="the disk is full"):
            site.run(one_row)
    assert site.events() == []
    site.catch_up()
    assert len(site.events()) == 1
