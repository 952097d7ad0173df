"""`aimsciqa run` leaves a named run in Dagster's storage, which the web UI lists on its home page."""

import dagster as dg
import pytest

from tests.fakes import write_corpus
from tests.shell import QuickShell

pytestmark = pytest.mark.slow


def listed(shell: QuickShell) -> list[tuple[str, str, str]]:
    """Name, status and last words of each run, the first run first."""
    with dg.DagsterInstance.from_config(str(shell.home / "dagster")) as instance:
        return [
            (run.job_name, run.status.value, instance.all_logs(run.run_id)[-1].user_message)
            for run in reversed(instance.get_runs())
        ]


def test_a_run_of_the_command_line_is_listed_with_its_end(tmp_path, tiny_encoder):
    write_corpus(tmp_path / "papers", 3)
    shell = QuickShell(tmp_path / "home", **tiny_encoder)
    shell("ingest", str(tmp_path / "papers"))
    assert listed(shell) == []
    shell("run", "--quiet", "--only-items", "--batch", "batch-0001")
    up_to_date = ("aimsciqa_run", "SUCCESS", "What the run was asked for is up to date.")
    assert listed(shell) == [up_to_date]

    (shell.home / "report.html").mkdir()
    shell("run", "--quiet", "--batch", "batch-0001", fails=True)
    first, (name, status, said) = listed(shell)
    assert (first, name, status) == (up_to_date, "aimsciqa_run", "FAILURE")
    assert said.startswith("release.reports: IsADirectoryError")
