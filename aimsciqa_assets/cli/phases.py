"""The main line: its phases, and one of them run for one part."""

import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dagster as dg
from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelUnavailableError
from aimsciqa_resources.language_model.journal import JournalError
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.aim_sciqa.citation_guided import assets as citation_guided
from aimsciqa_assets.aim_sciqa.multi_hop import assets as multi_hop
from aimsciqa_assets.aim_sciqa.relations import assets as relations
from aimsciqa_assets.aim_sciqa.single_hop import assets as single_hop
from aimsciqa_assets.benchmark.answering import assets as answering
from aimsciqa_assets.benchmark.retrieval import assets as retrieval
from aimsciqa_assets.corpus import assets as corpus
from aimsciqa_assets.judging import assets as quality
from aimsciqa_assets.judging.audit import assets as audit
from aimsciqa_assets.ops import assets as ops
from aimsciqa_assets.orchestration.partitions import parts_by
from aimsciqa_assets.orchestration.presentation import was_damaged
from aimsciqa_assets.orchestration.routing import PROCESS_TAG
from aimsciqa_assets.orchestration.sql_assets import sql_checks
from aimsciqa_assets.platform.steps import STEPS, Determinants, Standing, StepRun, is_up_to_date
from aimsciqa_assets.release import assets as release
from aimsciqa_assets.release.report import assets as report
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

_MODEL_ERRORS = {error.__name__ for error in (ModelRefusedError, ModelUnavailableError, JournalError)}
_OWN_ERRORS = _MODEL_ERRORS | {"TooManyFailuresError", "QueryError", "WarehouseBrokenError"}
_INTERRUPTS = {"DagsterExecutionInterruptedError", "KeyboardInterrupt"}
_SILENT = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}

PHASES: tuple[tuple[str, Sequence[dg.AssetsDefinition]], ...] = (
    ("papers and questions", (corpus.parsed_papers, single_hop.extractions, single_hop.encoded_pairs)),
    ("citations", (corpus.citation_edges, corpus.source_papers, citation_guided.pairs)),
    ("alignment filter", (single_hop.qa_pairs,)),
    (
        "relations and items",
        (
            relations.scored_section_pairs,
            relations.candidate_relations,
            relations.clusters,
            relations.retrieval_questions,
            multi_hop.items,
        ),
    ),
    (
        "splits and statistics",
        (
            corpus.releasable_papers,
            multi_hop.splits,
            single_hop.statistics,
            single_hop.pairs_by_section,
            multi_hop.statistics,
            ops.rejections,
        ),
    ),
    ("queries of the benchmark", (retrieval.queries,)),
    ("retrieval", (retrieval.rankings,)),
    ("answering", (answering.answers, answering.judgements)),
    ("judges of items", (quality.ratings,)),
    (
        "benchmark",
        (
            retrieval.retrieval_scores,
            answering.answering_scores,
            quality.gates,
            quality.reliability,
            quality.evidence_coverage,
            audit.audit_agreement,
            audit.audit_distribution,
        ),
    ),
    ("release and report", (release.items, release.files, report.reports)),
)
"""The main line. A phase looks at all batches of the phases before it, so its order of batches is free."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A step that failed: its phase, its part ("" for all) and the error that a person can act on.

    `concerns_all` says that the same would happen to other parts: the model's server is away.
    """

    phase: str
    part: str
    message: str
    concerns_all: bool = False

    def __str__(self) -> str:
        """One line or more for the terminal."""
        return f"{self.phase}{f' of {self.part}' if self.part else ''}: {self.message}"


def parts_of(number: int, batches: Sequence[str], settings: Settings) -> list[str]:
    """What a phase is run for, one after another: paper batches, retrievers, ...; "" for all at once."""
    return list({"batch": batches, "": [""], **parts_by(settings)}[_by(number)])


def is_evaluation(number: int) -> bool:
    """Whether a phase belongs to benchmark and release."""
    return STEPS[_tables(number)[0]].on_request


def with_work(number: int, parts: Sequence[str], resources: Mapping[str, Any]) -> list[str]:
    """The parts for which a phase has something to do; all of them where a table of it was damaged."""
    tables = _tables(number)
    warehouse: Warehouse = resources["warehouse"]
    with warehouse.one_state():
        standing = Standing(warehouse)
        made = [TABLES[table] for table in tables if standing.records.of_table(table)]
        if any(was_damaged(warehouse, table, standing.records) for table in made):
            return list(parts)
        return [part for part in parts if not _is_current(tables, part, resources, standing)]


def lone_batch(batches: Sequence[str], resources: Mapping[str, Any]) -> str | None:
    """The batch for which all phases have something to do that work by batch, if there is no other."""
    waiting = [with_work(number, batches, resources) for number in _LINE if _by(number)]
    alone = len(waiting[0]) == 1 and all(parts == waiting[0] for parts in waiting)
    return waiting[0][0] if alone else None


def _by(number: int) -> str:
    return TABLES[_tables(number)[0]].by


def _tables(number: int) -> list[str]:
    return sorted({".".join(key.path) for asset in PHASES[number][1] for key in asset.keys})


def _is_current(tables: Sequence[str], part: str, resources: Mapping[str, Any], standing: Standing) -> bool:
    for step in dict.fromkeys(STEPS[table] for table in tables):
        run = StepRun.of(step, part, resources)
        now = Determinants.of(run, step, standing.records)
        if not is_up_to_date(run, step, now, standing):
            return False
    return True


def run_phase(
    number: int, part: str, resources: Mapping[str, Any], instance: dg.DagsterInstance
) -> list[Failure]:
    """Run a phase for a part ("" for all at once); returns what failed."""
    return _run([number], part, resources, instance)


def run_line(batch: str, resources: Mapping[str, Any], instance: dg.DagsterInstance) -> list[Failure]:
    """Run every phase up to the evaluation for one batch, and what is made of all; returns what failed.

    That is one run of Dagster in place of many, and quicker. It is for a batch that alone has work waiting:
    of several, none may pass a phase before the others.
    """
    return _run(_LINE, batch, resources, instance)


def _run(
    numbers: Sequence[int], part: str, resources: Mapping[str, Any], instance: dg.DagsterInstance
) -> list[Failure]:
    number_of = {asset.op.name: number for number in numbers for asset in PHASES[number][1]}
    result = dg.materialize(
        [asset for number in numbers for asset in PHASES[number][1]],
        partition_key=part or None,
        resources=resources,
        instance=instance,
        raise_on_error=False,
        run_config=_SILENT,
        tags=_own_tags(),
    )
    return [
        Failure(PHASES[number_of[run]][0], part if _by(number_of[run]) else "", message, away)
        for run, message, away in _problems(result)
    ]


def run_checks(resources: Mapping[str, Any], instance: dg.DagsterInstance) -> list[Failure]:
    """Run all SQL checks; returns those that failed."""
    checks = sql_checks()
    job = dg.define_asset_job("sql_checks", selection=dg.AssetSelection.checks(checks))
    definitions = dg.Definitions(asset_checks=[checks], jobs=[job], resources=resources)
    result = definitions.resolve_job_def("sql_checks").execute_in_process(
        instance=instance, raise_on_error=False, run_config=_SILENT, tags=_own_tags()
    )
    return [Failure("SQL check", "", message) for _, message, _ in _problems(result)]


_LINE = [number for number in range(len(PHASES)) if not is_evaluation(number)]


def _root_error(error: Any) -> tuple[str, bool]:
    """What a person can act on, and whether it concerns whoever asks the same model."""
    while error.cause is not None and error.cls_name not in _OWN_ERRORS:
        error = error.cause
    message: str = error.message
    return message.strip(), error.cls_name in _MODEL_ERRORS


def _problems(result: dg.ExecuteInProcessResult) -> list[tuple[str, str, bool]]:
    """Failed steps and failed checks of a run: the step, and whether other batches would meet the same."""
    raised = [
        (str(event.step_key), error)
        for event in result.get_step_failure_events()
        if (error := event.step_failure_data.error)
    ]
    if any(error.cls_name in _INTERRUPTS for _, error in raised):
        raise KeyboardInterrupt
    errors = [(run, *_root_error(error)) for run, error in raised]
    failed = [
        (str(event.step_key), event.asset_check_evaluation_data)
        for event in result.all_events
        if event.event_type == dg.DagsterEventType.ASSET_CHECK_EVALUATION
        and not event.asset_check_evaluation_data.passed
    ]
    told = [
        (
            run,
            f"{check.asset_key.to_user_string()}: {check.check_name}: "
            + "; ".join(f"{name}: {value.value}" for name, value in check.metadata.items()),
        )
        for run, check in failed
    ]
    return [*errors, *((run, message, False) for run, message in told)]


def _own_tags() -> dict[str, str]:
    return {PROCESS_TAG: f"{socket.gethostname()}:{os.getpid()}"}
