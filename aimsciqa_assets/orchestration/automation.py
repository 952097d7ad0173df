"""The nightly chain: a schedule that looks at PubMed Central, and conditions that start the later steps.

The schedule runs two assets: `corpus/pmc_articles` and `corpus/input_files`. Every step after them has the
condition `follows_its_data`: it is requested when its rows are missing, or were made from data that changed
since, and everything that it reads is finished. One night has six runs: papers and questions of each new
batch, the tables over all batches, relations, their mirrors, items, the figures. Where only eligible papers
are asked about, questions are a run of their own after the tables over all batches.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from weakref import WeakKeyDictionary

import dagster as dg
from aimsciqa_resources.pmc.settings import NightlySettings
from dagster._core.asset_graph_view.asset_graph_view import AssetGraphView

from aimsciqa_assets.orchestration.partitions import PAPER_BATCHES
from aimsciqa_assets.platform.batches import ARTICLES
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.ledger import Ledger
from aimsciqa_assets.platform.plans import Graph, Plan, changes_of_data, plan
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

PRIORITY = {"dagster/priority": "10"}
"""Runs of the nightly chain go before those of a backfill, which have priority 0."""

_TICK_SECONDS = 30
_UNFINISHED = [dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED]


@dataclass(frozen=True)
class RowsAreDue(dg.AutomationCondition[dg.AssetKey]):
    """The rows of a table are due, and everything that they are made from is finished (`plans.py`)."""

    @property
    def name(self) -> str:
        """The name in the web UI."""
        return "rows_are_due"

    @property
    def description(self) -> str:
        """The description in the web UI."""
        return "Rows are missing, or were made from data that changed since; everything they need is finished"

    async def evaluate(self, context: Any) -> dg.AutomationResult[dg.AssetKey]:  # type: ignore[override]
        """The batches that are due and ready, or the whole table."""
        view = context.asset_graph_view
        step = STEPS[".".join(context.key.path)]
        night = await _plan_of(view)
        asked_for = {
            table: _parts_of(context.request_subsets_by_key.get(dg.AssetKey(TABLES[table].asset_key)))
            for table in step.reads
        }
        due = {
            part
            for part in _parts_of(context.candidate_subset)
            if night.may_be_made(step, part, [table for table, parts in asked_for.items() if part in parts])
        }
        return dg.AutomationResult(context, _subset(view, context.key, due))


def follows_its_data(nightly: NightlySettings) -> dg.AutomationCondition[dg.AssetKey]:
    """Request what is due; request what failed only once more each night."""
    another_night = dg.AutomationCondition.cron_tick_passed(nightly.cron, nightly.time_zone)
    may_be_tried = ~dg.AutomationCondition.execution_failed() | another_night
    return RowsAreDue() & ~dg.AutomationCondition.in_progress() & may_be_tried


def automate(
    assets: Sequence[dg.AssetsDefinition | dg.AssetSpec], nightly: NightlySettings
) -> list[dg.AssetsDefinition | dg.AssetSpec]:
    """The assets: steps follow their data, and the nightly look has a policy that reports when it is late."""
    condition = follows_its_data(nightly)

    def automated(spec: dg.AssetSpec) -> dg.AssetSpec:
        table = ".".join(spec.key.path)
        if table in STEPS and not STEPS[table].on_request:
            return spec.replace_attributes(automation_condition=condition)
        if table == ARTICLES and nightly.enabled:
            return spec.replace_attributes(freshness_policy=_every_night())
        return spec

    return list(dg.map_asset_specs(automated, assets))


def _every_night() -> dg.FreshnessPolicy:
    """A look that is an hour late is a warning, one that is two hours late a failure."""
    return dg.FreshnessPolicy.time_window(fail_window=timedelta(hours=26), warn_window=timedelta(hours=25))


def nightly_definitions(nightly: NightlySettings, looking: dg.AssetSelection) -> dg.Definitions:
    """The job of the night, its schedule, and the sensor that evaluates the conditions.

    `looking` are the assets that find out what is new. Schedule and sensor are stopped unless the setting
    `nightly.enabled` says otherwise; the web UI starts and stops them too.
    """
    status = "RUNNING" if nightly.enabled else "STOPPED"
    job = dg.define_asset_job(
        "nightly",
        selection=looking,
        description="Looks for new articles in PubMed Central and puts them into paper batches. The sensor "
        "starts the later steps.",
        tags=PRIORITY,
    )
    schedule = dg.ScheduleDefinition(
        name="nightly",
        job=job,
        cron_schedule=nightly.cron,
        execution_timezone=nightly.time_zone,
        default_status=dg.DefaultScheduleStatus[status],
    )
    with warnings.catch_warnings():
        # Dagster evaluates custom conditions in the code location, and calls that feature beta.
        warnings.simplefilter("ignore", dg.BetaWarning)
        sensor = dg.AutomationConditionSensorDefinition(
            "follow_the_data",
            target=dg.AssetSelection.all(),
            description="Starts every step whose rows are due. A failed step is tried again the next night.",
            default_status=dg.DefaultSensorStatus[status],
            minimum_interval_seconds=_TICK_SECONDS,
            run_tags=PRIORITY | {"aimsciqa/started_by": "nightly"},
            use_user_code_server=True,
            # A backfill would wait in the queue behind those that people start.
            emit_backfills=False,
        )
    return dg.Definitions(jobs=[job], schedules=[schedule], sensors=[sensor, publish_inspect])


@dg.run_status_sensor(
    run_status=dg.DagsterRunStatus.SUCCESS,
    default_status=dg.DefaultSensorStatus.RUNNING,
    monitor_all_code_locations=False,
)
def publish_inspect(context: dg.RunStatusSensorContext) -> None:
    """Publishes `inspect.duckdb` after the last of several runs, unless that was done already.

    Not of a lake: its readers wait for nobody.
    """
    home = Home.from_environment()
    if home.warehouse.is_lake:
        return
    others = context.instance.get_runs(dg.RunsFilter(statuses=_UNFINISHED), limit=1)
    if others:
        return
    if home.snapshot_at < home.warehouse.written_at():
        home.publish_snapshot()


_plans: WeakKeyDictionary[AssetGraphView, Plan] = WeakKeyDictionary()


async def _plan_of(view: AssetGraphView) -> Plan:
    """The plan of what to make, computed once per tick."""
    if view not in _plans:
        steps = [step for step in dict.fromkeys(STEPS.values()) if not step.on_request]
        failed = {
            (table, part): "its last run failed"
            for step in steps
            for table in step.writes
            for part in await _failed_parts(view, table)
        }
        settings = Settings.of_environment()
        ledger = Ledger.read(Home.from_environment().warehouse, steps, settings)
        changes = changes_of_data(ledger, settings)
        graph = Graph({"batch": ledger.batches}, ledger, settings)
        _plans[view] = plan(steps, graph, changes, failed)
    return _plans[view]


async def _failed_parts(view: AssetGraphView, table: str) -> set[str]:
    key = dg.AssetKey(TABLES[table].asset_key)
    subset = await view.compute_execution_failed_subset(key=key, from_subset=view.get_full_subset(key=key))
    return _parts_of(subset)


def _parts_of(subset: Any) -> set[str]:
    """The batches of a subset; {""} for a whole table that is in it."""
    if subset is None or subset.is_empty:
        return set()
    if not subset.is_partitioned:
        return {""}
    return set(subset.expensively_compute_partition_keys())


def _subset(view: AssetGraphView, key: dg.AssetKey, parts: set[str]) -> Any:
    if not TABLES[".".join(key.path)].batched:
        return view.get_full_subset(key=key) if parts else view.get_empty_subset(key=key)
    return view.get_subset_from_partition_keys(key, PAPER_BATCHES, parts)
