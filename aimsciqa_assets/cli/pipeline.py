"""Runs the assets in the order of the method: batch by batch, and between the stages over all batches."""

import logging
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelUnavailableError
from aimsciqa_resources.language_model.journal import JournalError
from aimsciqa_resources.pmc import PmcClient
from aimsciqa_resources.pmc.settings import PmcSettings
from aimsciqa_resources.settings import Settings
from aimsciqa_resources.warehouse import Warehouse
from rich.console import Console

from aimsciqa_assets.citation_guided import assets as citation_guided
from aimsciqa_assets.cli.bars import reporter_for
from aimsciqa_assets.corpus import assets as corpus
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.home import Home
from aimsciqa_assets.ingest import Ingested, create_tables, ingest
from aimsciqa_assets.multi_hop import assets as multi_hop
from aimsciqa_assets.ops import assets as ops
from aimsciqa_assets.partitions import PAPER_BATCHES, NoPapersError
from aimsciqa_assets.pmc_ids import PMC_IDS, LoadedIds, load_pmc_ids
from aimsciqa_assets.pmc_look import Look, Looked, look
from aimsciqa_assets.progress import progress, reporter
from aimsciqa_assets.relations import assets as relations
from aimsciqa_assets.single_hop import assets as single_hop
from aimsciqa_assets.sql_assets import sql_checks
from aimsciqa_assets.tables import TABLES

PROCESS_TAG = "aimsciqa/process"
_MODEL_ERRORS = {error.__name__ for error in (ModelRefusedError, ModelUnavailableError, JournalError)}
_OWN_ERRORS = _MODEL_ERRORS | {"TooManyFailuresError", "QueryError", "WarehouseBrokenError"}
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
            multi_hop.splits,
            single_hop.statistics,
            single_hop.pairs_by_section,
            multi_hop.statistics,
            ops.rejections,
        ),
    ),
)
"""The main line. A phase looks at all batches of the phases before it, so its order of batches is free."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A step that failed: its phase, its batch ("" for all) and the error that a person can act on.

    `concerns_all` says that the same would happen to other batches: the model's server is away.
    """

    phase: str
    batch: str
    message: str
    concerns_all: bool = False

    def __str__(self) -> str:
        """One line or more for the terminal."""
        return f"{self.phase}{f' of {self.batch}' if self.batch else ''}: {self.message}"


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The pipeline of one home folder, its Dagster instance included."""

    home: Home
    resources: dict[str, Any]
    instance: dg.DagsterInstance
    console: Console

    @classmethod
    def at(cls, home: Home, preset: str | None, console: Console, *, refresh: bool = False) -> "Pipeline":
        """Open the pipeline of a home folder; raises `SettingsError`."""
        settings = Settings.of_environment(preset).with_refresh(refresh)
        _quieten()
        return cls(home, build_resources(home, settings), open_instance(home), console)

    @property
    def warehouse(self) -> Warehouse:
        """The warehouse."""
        warehouse: Warehouse = self.resources["warehouse"]
        return warehouse

    @property
    def settings(self) -> Settings:
        """The settings."""
        settings: Settings = self.resources["settings"]
        return settings

    def look(self, what: Look, services: PmcSettings) -> Looked:
        """Look at PubMed Central; raises `PmcError`. `ingest` then takes in what was found."""
        with self._showing_progress(), PmcClient(services) as client:
            looked = look(what, self.warehouse, self.resources["files"], client)
        self._report("corpus.pmc_articles", corpus.look_metadata(looked))
        return looked

    def ingest(self, folder: Path | None) -> Ingested:
        """Take in a folder, or what was found, and register its batches; raises `NothingToIngestError`."""
        with self._showing_progress():
            ingested = ingest(
                folder,
                self.warehouse,
                self.resources["files"],
                self.settings.corpus.papers_per_batch,
            )
        self.instance.add_dynamic_partitions(str(PAPER_BATCHES.name), ingested.batches)
        self._report("corpus.input_files", corpus.ingest_metadata(ingested))
        return ingested

    def load_ids(self, file: Path) -> LoadedIds:
        """Load NLM's map of article ids; raises `IdMapError`."""
        with self._showing_progress():
            loaded = load_pmc_ids(file, self.warehouse)
        metadata = {
            "dagster/row_count": loaded.articles,
            "with DOI": loaded.with_doi,
            "with PMID": loaded.with_pmid,
            "lines that could not be read": len(loaded.bad_lines),
        }
        self._report(PMC_IDS, metadata)
        return loaded

    def _report(self, table: str, metadata: Mapping[str, Any]) -> None:
        """Let the web UI know of what was written without a run."""
        self.instance.report_runless_asset_event(
            dg.AssetMaterialization(TABLES[table].asset_key, metadata=metadata)
        )

    def run(self, batches: Sequence[str] | None = None) -> list[Failure]:
        """Bring all tables up to date for some batches or all; returns what failed.

        A batch that failed takes no part in the phases after that; the others go on, unless the failure
        would meet them too.
        """
        chosen = self._batches(batches)
        self._name_models()
        failures: list[Failure] = []
        left_out: set[str] = set()
        with self._showing_progress(), closing(self.resources["language_models"]):
            for phase, assets in PHASES:
                batched = assets[0].partitions_def is not None
                waiting = [one for one in chosen if one not in left_out] if batched else [""]
                while waiting:
                    batch = waiting.pop(0)
                    failed = self._materialize(phase, assets, batch)
                    failures += failed
                    left_out |= {failure.batch for failure in failed}
                    if any(failure.concerns_all for failure in failed):
                        left_out |= set(waiting)
                        waiting = []
            if not failures:
                with progress("checking with SQL", 1) as advance:
                    failures += self._check()
                    advance(1)
            with progress("publishing inspect.duckdb", 1) as advance:
                self.warehouse.publish(self.home.snapshot)
                advance(1)
        return failures

    def _name_models(self) -> None:
        """Say which models will be asked, where it is not the embedded one; raises `PriceTableError`."""
        for task, model in self.settings.models.items():
            self.resources["language_models"].open(model)
            if model.backend != "extractive":
                self.console.print(f"  {task}: {model.where}", highlight=False, soft_wrap=True)

    def _batches(self, asked: Sequence[str] | None) -> list[str]:
        create_tables(self.warehouse)
        ingested = self.warehouse.read("select distinct batch from corpus.input_files order by batch")
        known: list[str] = ingested["batch"].to_list()
        if not known:
            raise NoPapersError("Nothing was ingested yet: run `aimsciqa ingest DIR` first.")
        unknown = sorted(set(asked or ()) - set(known))
        if unknown:
            raise NoPapersError(f"There is no batch {', '.join(unknown)}; there are {', '.join(known)}.")
        self.instance.add_dynamic_partitions(str(PAPER_BATCHES.name), known)
        return sorted(set(asked)) if asked else known

    def _materialize(self, phase: str, assets: Sequence[dg.AssetsDefinition], batch: str) -> list[Failure]:
        result = dg.materialize(
            list(assets),
            partition_key=batch or None,
            resources=self.resources,
            instance=self.instance,
            raise_on_error=False,
            run_config=_SILENT,
            tags=_own_tags(),
        )
        return [Failure(phase, batch, message, away) for message, away in _problems(result)]

    def _check(self) -> list[Failure]:
        checks = sql_checks()
        job = dg.define_asset_job("sql_checks", selection=dg.AssetSelection.checks(checks))
        definitions = dg.Definitions(asset_checks=[checks], jobs=[job], resources=self.resources)
        result = definitions.resolve_job_def("sql_checks").execute_in_process(
            instance=self.instance, raise_on_error=False, run_config=_SILENT, tags=_own_tags()
        )
        return [Failure("SQL check", "", message) for message, _ in _problems(result)]

    @contextmanager
    def _showing_progress(self) -> Iterator[None]:
        with reporter_for(self.console) as bars:
            token = reporter.set(bars)
            try:
                yield
            finally:
                reporter.reset(token)


def open_instance(home: Home) -> dg.DagsterInstance:
    """The Dagster instance in a home folder, created when it is missing; no telemetry.

    Runs that were killed are marked as failed, so that the web UI does not show them as running for ever.
    """
    home.prepare()
    os.environ["DAGSTER_HOME"] = str(home.dagster)
    instance = dg.DagsterInstance.from_config(str(home.dagster))
    started = instance.get_runs(dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED]))
    for left in started:
        host, _, pid = left.tags.get(PROCESS_TAG, "").rpartition(":")
        # A process of another machine or container cannot be looked up here.
        if host == socket.gethostname() and not _is_alive(int(pid)):
            instance.report_run_failed(
                left, "The process of this run is gone; the next run goes on from there."
            )
    return instance


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _root_error(error: Any) -> tuple[str, bool]:
    """What a person can act on, and whether it concerns whoever asks the same model."""
    while error.cause is not None and error.cls_name not in _OWN_ERRORS:
        error = error.cause
    message: str = error.message
    return message.strip(), error.cls_name in _MODEL_ERRORS


def _problems(result: dg.ExecuteInProcessResult) -> list[tuple[str, bool]]:
    """Failed steps and failed checks of a run, and whether other batches would meet the same."""
    found = [event.step_failure_data.error for event in result.get_step_failure_events()]
    raised = [error for error in found if error is not None]
    if any(error.cls_name == "DagsterExecutionInterruptedError" for error in raised):
        raise KeyboardInterrupt
    errors = [_root_error(error) for error in raised]
    failed = [evaluation for evaluation in result.get_asset_check_evaluations() if not evaluation.passed]
    told = [
        f"{evaluation.asset_key.to_user_string()}: {evaluation.check_name}: "
        + "; ".join(f"{name}: {value.value}" for name, value in evaluation.metadata.items())
        for evaluation in failed
    ]
    return [*errors, *((message, False) for message in told)]


def _own_tags() -> dict[str, str]:
    return {PROCESS_TAG: f"{socket.gethostname()}:{os.getpid()}"}


def _quieten() -> None:
    logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
    logging.getLogger("dagster").setLevel(logging.ERROR)
