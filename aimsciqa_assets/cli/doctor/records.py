"""Checks of Dagster: its settings, its storage, and its daemon where runs start by themselves."""

from collections.abc import Iterator

import dagster as dg

from aimsciqa_assets.cli.doctor.findings import Examined, Finding, ok, problem, warning

_SILENT_SECONDS = 300.0


def dagster_records_can_be_used(examined: Examined) -> Iterator[Finding]:
    """dagster.yaml can be read and the storage of runs answers; the daemon is up where it must be."""
    folder = examined.home.dagster
    if not (folder / "dagster.yaml").is_file():
        yield ok("there is no instance yet; the first run makes one")
        return
    with dg.DagsterInstance.from_config(str(folder)) as instance:
        runs = instance.get_runs_count()
        yield ok(f"{runs:,} runs recorded")
        yield from _daemon(instance, examined)


def _daemon(instance: dg.DagsterInstance, examined: Examined) -> Iterator[Finding]:
    beats = [beat.timestamp for beat in instance.get_daemon_heartbeats().values()]
    silent = examined.now() - max(beats, default=0.0)
    lives = bool(beats) and silent < _SILENT_SECONDS
    start = "Start it: `make ui`, `dagster-daemon run`, or the service `daemon` of docker/."
    if examined.settings.nightly.enabled and not lives:
        since = f"silent for {silent:,.0f} s" if beats else "never started"
        yield problem(f"nightly runs are on, and the daemon that starts them was {since}", start)
    unfinished = instance.get_runs_count(
        dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.QUEUED])
    )
    if unfinished and not lives:
        yield warning(
            f"{unfinished:,} runs count as queued or running, and no daemon is up",
            f"{start} It takes up what is queued; what no process runs any more can be terminated in the web "
            "UI, and `make ui` marks it as failed.",
        )
