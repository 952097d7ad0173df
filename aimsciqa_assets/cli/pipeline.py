"""Runs the steps in the order of the method: batch by batch, and between the stages over all batches."""

import logging
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import dagster as dg
from aimsciqa_resources.encoder import SentenceEncoder
from aimsciqa_resources.locks import one_at_a_time
from aimsciqa_resources.openreview import OpenReviewClient
from aimsciqa_resources.pmc import PmcClient
from aimsciqa_resources.pmc.settings import PmcSettings
from aimsciqa_resources.warehouse import Warehouse
from rich.console import Console

from aimsciqa_assets.airqa.examples.files import write_examples
from aimsciqa_assets.airqa.examples.taking import EXAMPLES, Taken, example_of, take_examples
from aimsciqa_assets.airqa.extractor.acting import TRAJECTORIES
from aimsciqa_assets.airqa.extractor.rows import EXAMPLES as MADE
from aimsciqa_assets.airqa.results.scores import SCORES
from aimsciqa_assets.asking.asked import asked_models
from aimsciqa_assets.baseline_sets.rows import RECORDS, write_drawn
from aimsciqa_assets.baseline_sets.taking import Draw, Drawn, draw
from aimsciqa_assets.cli.bars import reporter_for
from aimsciqa_assets.cli.phases import (
    PHASES,
    STORE_STEPS,
    Failure,
    parts_of,
    run_checks,
    run_phase,
    with_work,
)
from aimsciqa_assets.cli.reports import Reports, provenance, reports_to
from aimsciqa_assets.cli.workers import Crew, worker_processes
from aimsciqa_assets.corpus import assets as corpus
from aimsciqa_assets.corpus.intake.citing import CITED_PAPERS, Cited, cited_by, take_cited
from aimsciqa_assets.corpus.intake.corrections import CORRECTIONS, Corrected, take_corrections
from aimsciqa_assets.corpus.intake.folder import stated_licence
from aimsciqa_assets.corpus.intake.ingest import Ingested, ingest
from aimsciqa_assets.corpus.intake.pmc_ids import PMC_IDS, LoadedIds, load_pmc_ids
from aimsciqa_assets.corpus.intake.pmc_look import Look, Looked, look
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.judging.audit.ratings import RATINGS, Imported, import_ratings
from aimsciqa_assets.orchestration.partitions import PARTITIONS, NoPapersError, parts_by
from aimsciqa_assets.orchestration.presentation import version_of
from aimsciqa_assets.platform.batches import BATCHES
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.phases import Phase, phases_of
from aimsciqa_assets.platform.progress import progress, reported_by
from aimsciqa_assets.platform.steps import STEPS, Step
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.release.report.assets import PAGE
from aimsciqa_assets.release.report.assets import TABLE as REPORTS
from aimsciqa_assets.scidqa.intake.fetching import FetchedVenue, fetch_venue
from aimsciqa_assets.scidqa.intake.importing import ImportedNotes, import_notes
from aimsciqa_assets.scidqa.intake.writing import FORUMS, NOTES, Written
from aimsciqa_assets.scidqa.manuscripts.fetching import FetchedManuscripts, fetch_manuscripts
from aimsciqa_assets.scidqa.manuscripts.taking import MANUSCRIPTS, TakenManuscripts, take_manuscripts
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.settings.airqa_runs import RUN_ID, runs_of
from aimsciqa_assets.tables import TABLES


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The pipeline of one home folder, its Dagster instance included."""

    home: Home
    resources: dict[str, Any]
    instance: dg.DagsterInstance
    console: Console
    preset: str | None = None

    @classmethod
    def at(
        cls,
        home: Home,
        preset: str | None,
        console: Console,
        *,
        refresh: bool = False,
        asking: bool = True,
        chosen: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> "Pipeline":
        """Open the pipeline of a home folder, where no model will be asked not `asking`.

        `chosen`, settings by section, override all others. Raises `SettingsError`.
        """
        settings = Settings.of_environment(preset, asking=asking, chosen=chosen).with_refresh(refresh)
        _quieten()
        return cls(home, resources_at(home, settings), open_instance(home), console, preset)

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

    @property
    def left(self) -> dict[Path, str]:
        """What the files are that a run leaves besides the warehouse, here by path."""
        return {
            self.home.folder / PAGE: "the report, for a browser",
            releases_in(self.home.folder) / self.settings.release.name: "the release",
        }

    def look(self, what: Look, services: PmcSettings) -> Looked:
        """Look at PubMed Central; raises `PmcError`. `ingest` then takes in what was found."""
        with self._at_work(), PmcClient(services) as client:
            looked = look(what, self.warehouse, self.resources["files"], client)
        self._report("corpus.pmc_articles", corpus.look_metadata(looked))
        return looked

    def cited_by(self, pmcid: str, services: PmcSettings, *, included: bool) -> Cited:
        """Return what an article of PubMed Central cites; raise `PmcError`."""
        with self._at_work(), PmcClient(services) as client:
            return cited_by(pmcid, client, self.warehouse, included=included)

    def ingest(self, folder: Path | None, licence: str = "") -> Ingested:
        """Take in a folder, or what was found, and register its batches; raises `NothingToIngestError`.

        `licence` is that of files and documents that name none.
        """
        with self._at_work():
            ingested = ingest(
                folder,
                self.warehouse,
                self.resources["files"],
                self.settings.corpus.papers_per_batch,
                licence=stated_licence(licence),
                most_bytes=self.settings.corpus.document_bytes,
            )
        self._register({"batch": ingested.batches})
        self._report("corpus.input_files", corpus.ingest_metadata(ingested), corpus.TAKING_IN)
        return ingested

    def take_cited(self, cited: Cited) -> int:
        """Write down which papers came by a citing article, and return their number."""
        papers = take_cited(cited, self.warehouse)
        self._report(CITED_PAPERS, {"citing article": cited.citing, "papers": papers})
        return papers

    def correct(self, file: Path) -> Corrected:
        """Take in corrections of papers. Raises `CorrectionsError`."""
        corrected = take_corrections(file, self.warehouse)
        self._report(CORRECTIONS, {"papers corrected": corrected.papers})
        return corrected

    def take_in_set(self, wanted: Draw, licence: str = "") -> tuple[Drawn, int, Ingested]:
        """Take in items of a published set, their documents first; raises `NothingToIngestError`.

        Returns what was drawn, how many items of an earlier draw are gone, and what became of the documents.
        """
        stated_licence(licence)
        folder = self.home.unfinished_part(RECORDS, wanted.set_name)
        with one_at_a_time(self.home.folder / "baseline.lock"):
            folder.mkdir(parents=True, exist_ok=True)
            try:
                drawn = draw(wanted, folder / f"{wanted.set_name}.jsonl")
                ingested = self.ingest(folder / f"{wanted.set_name}.jsonl", licence)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            replaced = write_drawn(drawn, self.warehouse)
        self._report(RECORDS, {"records": drawn.read, **drawn.kinds, **drawn.reasons})
        return drawn, replaced, ingested

    def take_manuscripts(self, folder: Path) -> TakenManuscripts:
        """Take in versions of reviewed manuscripts; raises `NothingToIngestError`."""
        with self._at_work():
            taken = take_manuscripts(
                folder, self.warehouse, self.resources["files"], self.settings.corpus.papers_per_batch
            )
        self._register({"batch": taken.batches})
        metadata = {"new": taken.new, "replaced": taken.replaced, "rejected": len(taken.rejected)}
        self._report(MANUSCRIPTS, metadata)
        return taken

    def take_examples(self, file: Path, *, replace: bool = False) -> Taken:
        """Take in examples of AirQA."""
        taken = take_examples(file, self.resources["files"], self.warehouse, replace=replace)
        self._report(EXAMPLES, {"dagster/row_count": taken.examples, "new": taken.new, **taken.reasons})
        return taken

    def export_examples(self, file: Path) -> int:
        """Write the examples of AirQA to a file; returns how many."""
        rows = self.warehouse.read(f"select shape from {EXAMPLES} order by example_id")
        write_examples(file, map(example_of, rows.iter_rows(named=True)))
        return rows.height

    def import_notes(self, file: Path) -> ImportedNotes:
        """Take in a file of review notes; raises `UnreadableNotesError`."""
        with self._at_work():
            imported = import_notes(
                file,
                self.warehouse,
                forums_per_batch=self.settings.scidqa.forums_per_batch,
                most_bytes=self.settings.corpus.document_bytes,
            )
        self._register({"batch": imported.written.batches})
        self._report_notes(imported.written)
        return imported

    def fetch_notes(self, *, news: bool = False) -> Iterator[FetchedVenue]:
        """Fetch the threads of the venues that the settings name, one after the other, or their news."""
        with self._at_work(), OpenReviewClient(self.settings.openreview) as client:
            for venue in self.settings.openreview.venue_ids:
                fetched = fetch_venue(
                    client, venue, self.warehouse, self.settings.scidqa.forums_per_batch, news=news
                )
                if fetched.written:
                    self._register({"batch": fetched.written.batches})
                    self._report_notes(fetched.written)
                yield fetched

    def fetch_manuscripts(self) -> Iterator[FetchedManuscripts]:
        """Fetch the manuscripts of the known forums of these venues, one venue after the other."""
        with self._at_work(), OpenReviewClient(self.settings.openreview) as client:
            for venue in self.settings.openreview.venue_ids:
                fetched = fetch_manuscripts(
                    client,
                    venue,
                    self.warehouse,
                    self.resources["files"],
                    self.settings.corpus.papers_per_batch,
                )
                self._register({"batch": fetched.batches})
                told = {"new": fetched.new, "replaced": fetched.replaced, "rejected": len(fetched.rejected)}
                self._report(MANUSCRIPTS, told)
                yield fetched

    def _report_notes(self, written: Written) -> None:
        told = {"new": written.new, "replaced": written.replaced, "known": written.known}
        self._report(NOTES, told | written.reasons)
        self._report(FORUMS, {"dagster/row_count": written.forums, "new": written.new_forums})

    def load_ids(self, file: Path) -> LoadedIds:
        """Load NLM's map of article ids; raises `IdMapError`."""
        with self._at_work():
            loaded = load_pmc_ids(file, self.warehouse)
        metadata = {
            "dagster/row_count": loaded.articles,
            "with DOI": loaded.with_doi,
            "with PMID": loaded.with_pmid,
            "lines that could not be read": len(loaded.bad_lines),
        }
        self._report(PMC_IDS, metadata)
        return loaded

    def import_ratings(self, file: Path, rater: str | None) -> Imported:
        """Take in what people rated; raises `AuditError`."""
        imported = import_ratings(file, rater, self.warehouse)
        metadata = {
            "dagster/row_count": imported.all_ratings,
            "raters of the file": ", ".join(imported.raters),
        }
        self._report(RATINGS, metadata)
        return imported

    def _report(self, table: str, metadata: Mapping[str, Any], step: Step | None = None) -> None:
        """Let the web UI know of what was written without a run."""
        tags = provenance(self.instance, step or Step((table,)), version_of(self.warehouse, table))
        self.instance.report_runless_asset_event(
            dg.AssetMaterialization(TABLES[table].asset_key, metadata=metadata, tags=tags)
        )

    def run(
        self, batches: Sequence[str] | None = None, at_once: int = 1, *, evaluate: bool = True
    ) -> list[Failure]:
        """Bring all tables up to date for some batches or all, so many `at_once`; returns what failed.

        Benchmark, release and report are left out unless it shall `evaluate`. A batch that failed takes no
        part in the phases after that; the others go on, unless the failure would meet them too. Raises
        `SettingsError` where the models must be those of the paper and are not.
        """
        self.settings.refuse_other_models()
        chosen = self.batches(batches)
        self._name_models(evaluate=evaluate)
        with (
            self._at_work(),
            closing(self.resources["language_models"]),
            self._reports() as reports,
        ):
            reports.catch_up(self.resources)
            with self._crew(at_once, reports) as crew:
                failures = self._run_phases(chosen, crew, evaluate=evaluate)
            # A process of the crew may have been killed.
            reports.catch_up(self.resources)
            with self._publishing_snapshot():
                if not failures:
                    with progress("checking with SQL", 1) as advance:
                        failures += run_checks(self.resources, reports, evaluate=evaluate)
                        advance(1)
            for table in ("release.files", REPORTS):
                self.home.fetch(table)
        return failures

    @contextmanager
    def _publishing_snapshot(self) -> Iterator[None]:
        """Publish inspect.duckdb beside what is done inside: both only read, and both take long.

        Readers of a lake wait for nobody, so they need no copy of all that many machines have made.
        """
        if self.warehouse.is_lake:
            yield
            return
        with ThreadPoolExecutor(1) as beside, progress("publishing inspect.duckdb", 1) as published:
            copying = beside.submit(self.home.publish_snapshot)
            yield
            copying.result()
            published(1)

    def answer_examples(self) -> list[Failure]:
        """Have the runs that the settings name answer the examples of AirQA, and score all runs.

        Returns what failed.
        """
        self.settings.refuse_other_models()
        create_tables(self.warehouse)
        runs = [*runs_of(self.settings)]
        self._register({RUN_ID: runs})
        # Alone: the other steps of its phase are about other things.
        scoring = Phase("", on_request=True, steps=(STEPS[SCORES],))
        answering = [phase for phase in PHASES if phase.by == RUN_ID]
        return self._make([*answering, scoring], {RUN_ID: runs, "": [""]})

    def publish_store(self) -> list[Failure]:
        """Read all papers into AirQA's paper store and publish it; returns what failed."""
        batches = self.batches()
        return self._make(phases_of(STORE_STEPS), {"batch": batches, "": [""]})

    def make_examples(self) -> list[Failure]:
        """Have EXTRACTOR make the examples and trajectories that the settings want; returns what failed."""
        steps = dict.fromkeys(STEPS[table] for table in (MADE, TRAJECTORIES))
        return self._make(phases_of(steps), {"batch": self.batches(), "": [""]})

    def _make(self, phases: Sequence[Phase], parts: Mapping[str, Sequence[str]]) -> list[Failure]:
        """Bring some phases up to date, and nothing else; returns what failed."""
        failures: list[Failure] = []
        with (
            self._at_work(),
            closing(self.resources["language_models"]),
            self._reports() as reports,
        ):
            for phase in phases:
                for part in with_work(phase, parts[phase.by], self.resources):
                    failures += run_phase(phase, part, self.resources, reports)
        return failures

    def _run_phases(self, batches: Sequence[str], crew: Crew, *, evaluate: bool) -> list[Failure]:
        failures: list[Failure] = []
        left_out: set[str] = set()
        for number, phase in enumerate(PHASES):
            if phase.on_request and not evaluate:
                continue
            parts = [one for one in parts_of(phase, batches, self.settings) if one not in left_out]
            waiting = with_work(phase, parts, self.resources)
            for part, failed in crew(number, waiting):
                waiting.remove(part)
                failures += failed
                left_out |= {failure.part for failure in failed if failure.part}
                if any(failure.concerns_all for failure in failed):
                    left_out |= set(waiting)
                    break
        return failures

    def run_phase(self, number: int, part: str) -> list[Failure]:
        """Run one phase for one part; returns what failed."""
        with self.warehouse.kept_open(), self._reports() as reports:
            return run_phase(PHASES[number], part, self.resources, reports)

    def _reports(self) -> AbstractContextManager[Reports]:
        return reports_to(self.instance, self.home.dagster / "unreported")

    @contextmanager
    def _crew(self, at_once: int, reports: Reports) -> Iterator[Crew]:
        """Whoever runs a phase for some batches: this process, one after another, or several."""
        if at_once == 1:
            yield lambda number, batches: (
                (batch, run_phase(PHASES[number], batch, self.resources, reports)) for batch in list(batches)
            )
            return
        refresh = self.settings.relations.refresh
        with worker_processes(partial(Pipeline.at, self.home, self.preset, refresh=refresh), at_once) as crew:
            yield crew

    def _name_models(self, *, evaluate: bool) -> None:
        """Say which models will be asked, where it is not the embedded one; raises `PriceTableError`."""
        for task, model in asked_models(self.settings, evaluate=evaluate):
            self.resources["language_models"].open(model)
            if model.backend != "scripted":
                self.console.print(f"  {task}: {model.where}", highlight=False, soft_wrap=True)

    def batches(self, asked: Sequence[str] | None = None) -> list[str]:
        """The batches that are asked for, or all; raises `NoPapersError`."""
        create_tables(self.warehouse)
        ingested = self.warehouse.read(f"{BATCHES} order by batch")
        known: list[str] = ingested["batch"].to_list()
        if not known:
            raise NoPapersError("Nothing was ingested yet: run `aimsciqa ingest DIR` first.")
        unknown = sorted(set(asked or ()) - set(known))
        if unknown:
            raise NoPapersError(f"There is no batch {', '.join(unknown)}; there are {', '.join(known)}.")
        self._register({"batch": known, **parts_by(self.settings)})
        return sorted(set(asked)) if asked else known

    def _register(self, parts: Mapping[str, Sequence[str]]) -> None:
        """Let the web UI know of the parts of tables; Dagster stumbles when two do that at the same time."""
        with self.warehouse.one_at_a_time("partitions"):
            for by, names in parts.items():
                self.instance.add_dynamic_partitions(str(PARTITIONS[by].name), names)

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """Progress is shown, and the warehouse is not closed behind each step."""
        with reporter_for(self.console) as bars, reported_by(bars), self.warehouse.kept_open():
            yield


def resources_at(home: Home, settings: Settings) -> dict[str, Any]:
    """What the steps work with, with one encoder for all runs of this process: it is loaded once."""
    chosen = settings.encoder
    encoder = SentenceEncoder(chosen.model, chosen.revision, chosen.precision)
    return build_resources(home, settings, encoder=encoder)


def open_instance(home: Home, *, alone: bool = False) -> dg.DagsterInstance:
    """The Dagster instance in a home folder, created when it is missing; no telemetry.

    `alone`: no daemon is up. Runs that one of before left unfinished are marked as failed, so that the web UI
    does not show them as running for ever, and the automation does not wait for them.
    """
    home.prepare()
    os.environ["DAGSTER_HOME"] = str(home.dagster)
    instance = dg.DagsterInstance.get()
    if alone:
        for left in instance.get_runs(dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED])):
            instance.report_run_failed(
                left, "The process of this run is gone; the next run goes on from there."
            )
    return instance


def _quieten() -> None:
    logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
    logging.getLogger("dagster").setLevel(logging.ERROR)
