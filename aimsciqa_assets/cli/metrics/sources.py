"""Where values come from: SQL over the warehouse, the plan of the next run, Dagster's records, the disk."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import dagster as dg
from aimsciqa_resources.language_model.journal_places import journal_size
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.cli.doctor.folders import bytes_in
from aimsciqa_assets.cli.metrics import declared
from aimsciqa_assets.cli.metrics.declared import Metric
from aimsciqa_assets.cli.phases import plan_of_a_run
from aimsciqa_assets.cli.pipeline import resources_at
from aimsciqa_assets.cli.why import lines_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.writing import is_as_declared
from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.settings import Settings

_KINDS = ("prompt", "cached", "reply", "reasoning")
_STATES = ("current", "due", "waits", "failed")


@dataclass(frozen=True, slots=True)
class Sample:
    """A value of a metric; `labels` in the order in which the metric names them."""

    metric: Metric
    labels: tuple[str, ...]
    value: float


class UnreadableError(RuntimeError):
    """Figures that cannot be read without altering the home."""


@dataclass(frozen=True)
class Watched:
    """What is watched: a home, with the resources that its runs would have."""

    home: Home
    preset: str | None = None

    @cached_property
    def warehouse(self) -> Warehouse:
        """The warehouse."""
        return self.home.warehouse

    @cached_property
    def resources(self) -> Mapping[str, Any]:
        """What the steps work with; raises `SettingsError`."""
        return resources_at(self.home, Settings.of_environment(self.preset))

    @cached_property
    def instance(self) -> dg.DagsterInstance:
        """The Dagster instance, kept open: opening it takes longer than to ask it."""
        return dg.DagsterInstance.from_config(str(self.home.dagster))


def of_warehouse(watched: Watched) -> Iterator[Sample]:
    """Rows, rejections, and what models were asked. Raises `WarehouseMissingError`."""
    read = watched.warehouse.read
    with watched.warehouse.one_state():
        for row in read(query_of("metrics.rows").text).to_dicts():
            yield Sample(declared.ROWS, (row["table"],), row["number"])
        for row in read(query_of("metrics.rejections").text).to_dicts():
            yield Sample(declared.REJECTED, (row["table"], row["reason"]), row["number"])
        for row in read(query_of("metrics.model_requests").text).to_dicts():
            labels = (row["task"], row["model"], row["outcome"], row["source"])
            yield Sample(declared.REQUESTS, labels, row["requests"])
        for row in read(query_of("metrics.model_tokens").text).to_dicts():
            of_model = (row["task"], row["model"])
            yield from (Sample(declared.TOKENS, (*of_model, kind), row[kind]) for kind in _KINDS)
            if row["cost"] is not None:
                yield Sample(declared.COST, of_model, row["cost"])
        for row in read(query_of("metrics.looks").text).to_dicts():
            yield Sample(declared.LOOK, (row["kind"],), row["began"])


def of_plan(watched: Watched) -> Iterator[Sample]:
    """What the next run would make. Raises `UnreadableError` where it would alter tables first."""
    if not is_as_declared(watched.warehouse):
        raise UnreadableError("tables are those of another version, which the next `aimsciqa run` alters")
    parts: dict[str, Counter[str]] = {}
    for line in lines_of(plan_of_a_run(watched.resources)):
        parts.setdefault(line.step, Counter())[line.state] += len(line.parts)
    for table, states in sorted(parts.items()):
        yield from (Sample(declared.PARTS, (table, state), states[state]) for state in _STATES)


def of_dagster(watched: Watched) -> Iterator[Sample]:
    """Runs, the queue, the daemon and the nightly look; nothing where there is no instance yet."""
    if not (watched.home.dagster / "dagster.yaml").is_file():
        return
    instance = watched.instance
    for status in dg.DagsterRunStatus:
        number = instance.get_runs_count(dg.RunsFilter(statuses=[status]))
        yield Sample(declared.RUNS, (status.value,), number)
    queued = dg.RunsFilter(statuses=[dg.DagsterRunStatus.QUEUED])
    for record in instance.get_run_records(queued, limit=1, ascending=True):
        yield Sample(declared.OLDEST_QUEUED, (), record.create_timestamp.timestamp())
    succeeded = dg.RunsFilter(job_name="nightly", statuses=[dg.DagsterRunStatus.SUCCESS])
    for record in instance.get_run_records(succeeded, limit=1):
        if record.end_time is not None:
            yield Sample(declared.NIGHTLY, (), record.end_time)
    for name, beat in sorted(instance.get_daemon_heartbeats().items()):
        yield Sample(declared.HEARTBEAT, (name,), beat.timestamp)


def of_home(watched: Watched) -> Iterator[Sample]:
    """What lies in the home, and what room is left."""
    home = watched.home
    parts = {
        "warehouse": home.database,
        "snapshot": home.snapshot,
        "files": home.files,
        "unfinished": home.unfinished,
        "releases": releases_in(home.folder),
        "dagster": home.dagster,
    }
    for part, place in parts.items():
        yield Sample(declared.BYTES, (part,), bytes_in(place))
    yield Sample(declared.BYTES, ("journal",), journal_size(home.journal))
    yield Sample(declared.FREE, (), shutil.disk_usage(home.folder).free)


SOURCES: Final[Mapping[str, Callable[[Watched], Iterator[Sample]]]] = {
    "warehouse": of_warehouse,
    "plan": of_plan,
    "dagster": of_dagster,
    "home": of_home,
}
