"""The main line: what has work, and one phase run for one part. Steps are computed in this process."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelUnavailableError
from aimsciqa_resources.language_model.journal import JournalError
from aimsciqa_resources.language_model.recordings import RecordingsError
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.airqa.store.batches import PAPERS, VECTORS
from aimsciqa_assets.airqa.store.publishing import STORE
from aimsciqa_assets.airqa.summaries.rows import SUMMARIES, SUMMARY_VECTORS
from aimsciqa_assets.cli.reports import Reports
from aimsciqa_assets.definitions import MODULES
from aimsciqa_assets.orchestration.partitions import parts_by
from aimsciqa_assets.orchestration.presentation import told_by_check, was_damaged
from aimsciqa_assets.orchestration.sql_assets import check_results
from aimsciqa_assets.platform.ledger import Ledger
from aimsciqa_assets.platform.phases import Phase, phases_of
from aimsciqa_assets.platform.plans import Graph, Plan, all_changes, plan
from aimsciqa_assets.platform.queries import queries_in
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, Step, StepRun
from aimsciqa_assets.platform.writing import adopt_tables, message_of
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

_MODEL_ERRORS = (ModelRefusedError, ModelUnavailableError, JournalError, RecordingsError)

assert MODULES, "the steps are declared"
PHASES: tuple[Phase, ...] = phases_of(STEPS.values())
"""The main line. A phase looks at all batches of the phases before it, so its order of batches is free."""

STORE_STEPS: tuple[Step, ...] = tuple(
    dict.fromkeys(
        STEPS[table] for table in ("corpus.papers", PAPERS, VECTORS, SUMMARIES, SUMMARY_VECTORS, STORE)
    )
)
"""The steps that publish AirQA's paper store."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A step that failed: the first table that it writes, its part ("" for all) and the error that a person
    can act on.

    `concerns_all` says that the same would happen to other parts: the model's server is away.
    """

    step: str
    part: str
    message: str
    concerns_all: bool = False

    def __str__(self) -> str:
        """One line or more for the terminal."""
        return f"{self.step}{f' of {self.part}' if self.part else ''}: {self.message}"


def parts_of(phase: Phase, batches: Sequence[str], settings: Settings) -> list[str]:
    """What a phase is run for, one after another: paper batches, retrievers, ...; "" for all at once."""
    return list({"batch": batches, "": [""], **parts_by(settings)}[phase.by])


def with_work(phase: Phase, parts: Sequence[str], resources: Mapping[str, Any]) -> list[str]:
    """The parts for which a phase has something to do; all of them where a table of it was damaged."""
    warehouse: Warehouse = resources["warehouse"]
    settings: Settings = resources["settings"]
    with warehouse.one_state(brief=True):
        ledger = Ledger.read(warehouse, phase.steps, settings)
        written = [TABLES[table] for step in phase.steps for table in step.writes]
        made = [table for table in written if ledger.records.of_table(table.name)]
        if any(was_damaged(warehouse, table, ledger.records) for table in made):
            return list(parts)
        graph = Graph({"batch": ledger.batches, **parts_by(settings), phase.by: parts}, ledger, settings)
        now = plan(phase.steps, graph, all_changes(ledger, resources), ledger.failures)
    return [part for part in parts if any(now.of(step, part).state != "current" for step in phase.steps)]


def plan_of_a_run(
    resources: Mapping[str, Any], batches: Sequence[str] | None = None, *, evaluate: bool = True
) -> Plan:
    """What `aimsciqa run` would make now, and why, for some batches or all. Raises `WarehouseMissingError`.

    What the run leaves alone, other batches among it, counts as finished: it waits for none of that.
    """
    settings: Settings = resources["settings"]
    steps = [step for phase in PHASES if evaluate or not phase.on_request for step in phase.steps]
    adopt_tables(resources["warehouse"])
    with resources["warehouse"].one_state():
        ledger = Ledger.read(resources["warehouse"], steps, settings, explained=True)
        graph = Graph({"batch": batches or ledger.batches, **parts_by(settings)}, ledger, settings)
        return plan(steps, graph, all_changes(ledger, resources), ledger.failures)


def run_phase(phase: Phase, part: str, resources: Mapping[str, Any], reports: Reports) -> list[Failure]:
    """Run a phase for a part ("" for all at once); returns what failed. What reads of that is left out."""
    failures: list[Failure] = []
    held_up: set[str] = set()
    for step in phase.steps:
        if held_up.intersection(step.upstream):
            held_up.update(step.writes)
            continue
        run = StepRun.of(step, part, resources)
        begun = perf_counter()
        try:
            unchanged = bring_up_to_date(step, run, partial(reports.note, step, run.part))
            wrong = reports.made(step, run, unchanged=unchanged, seconds=perf_counter() - begun)
        except Exception as error:
            failures.append(_failure(step.writes[0], run.part, error))
            reports.failed(step, run.part, failures[-1].message)
            held_up.update(step.writes)
            continue
        for table, problems in wrong.items():
            failures.append(Failure(step.writes[0], run.part, problems))
            held_up.add(table)
    return failures


def run_checks(resources: Mapping[str, Any], reports: Reports, *, evaluate: bool = True) -> list[Failure]:
    """Run the SQL checks; returns those that failed.

    A run that shall not `evaluate` leaves benchmark and release as they were. They may be older than the
    items, so nothing is checked of them.
    """
    unmade = [step for phase in PHASES if phase.on_request and not evaluate for step in phase.steps]
    left_alone = {table for step in unmade for table in step.writes}
    names = [name for name, query in queries_in("tests").items() if query.table not in left_alone]
    failures = []
    for result in check_results(names, resources["warehouse"], resources["settings"]):
        reports.checked(result)
        if not result.passed:
            failures.append(Failure("SQL check", "", told_by_check(result)))
    return failures


def _failure(table: str, part: str, error: Exception) -> Failure:
    """The error in one line or more, and whether it concerns whoever asks the same model."""
    return Failure(table, part, message_of(error), isinstance(error, _MODEL_ERRORS))
