"""The nightly chain by ticks: the conditions are evaluated, what they ask for is run, until all is quiet."""

import operator
import shutil
from collections import Counter
from datetime import UTC, datetime, timedelta

import dagster as dg
import pytest
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.language_model.opening import OneModel
from aimsciqa_resources.warehouse import Warehouse, Write
from rich.console import Console

from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.corpus.intake.ingest import ingest
from aimsciqa_assets.definitions import build_definitions, build_resources
from aimsciqa_assets.orchestration.partitions import PAPER_BATCHES
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES
from tests.aim_sciqa_alone import AIM_SCIQA
from tests.fakes import SentenceModel, WordEncoder, write_corpus
from tests.pmc_server import Archive, PmcServer, Status

pytestmark = [pytest.mark.slow, pytest.mark.long]

FOLLOWING = {table for table, step in STEPS.items() if not step.on_request}
BATCHED = {table for table in FOLLOWING if TABLES[table].batched}
OF_REVIEWS = {
    *("scidqa.discussions", "scidqa.requests", "scidqa.root_replies", "scidqa.extractions"),
    *("scidqa.edits", "scidqa.qa_pairs", "scidqa.evidence", "scidqa.answerability"),
    "scidqa.contrasts",
}
"""A batch without reviews has nothing to make these of."""

PER_BATCH = 6


class BrokenModel(SentenceModel):
    """Cannot be asked about one of the papers."""

    def __init__(self, cohort):
        super().__init__()
        self.cohort = cohort

    def replies(self, requests):
        for request in requests:
            if f"cohort {self.cohort} " in request.messages[-1].content:
                raise RuntimeError("no such cohort")
            yield from super().replies([request])


class Site:
    """The code location in the home of the environment, and a daemon that ticks when it is told to."""

    def __init__(self, instance=None, *, cursor=None, now=datetime(2026, 11, 20, 12, tzinfo=UTC)):
        self.home = Home.from_environment()
        self.warehouse = Warehouse(database=str(self.home.database))
        self.store = FileStore(folder=str(self.home.files))
        self.instance = instance or dg.DagsterInstance.ephemeral()
        self.use(SentenceModel())
        self.cursor, self.now = cursor, now

    def use(self, model):
        self.encoder = WordEncoder()
        self.definitions = build_definitions(language_models=OneModel(model), encoder=self.encoder)

    def ingest(self, folder=None):
        ingested = ingest(folder, self.warehouse, self.store, PER_BATCH)
        self.instance.add_dynamic_partitions(PAPER_BATCHES.name, ingested.batches)
        return ingested

    def night(self):
        """The job that the schedule runs; whether it succeeded."""
        job = self.definitions.resolve_job_def("nightly")
        return job.execute_in_process(instance=self.instance, raise_on_error=False).success

    def tick(self):
        """One evaluation: what it asks for, as (table, batch)."""
        self.now += timedelta(seconds=30)
        result = dg.evaluate_automation_conditions(
            self.definitions, self.instance, cursor=self.cursor, evaluation_time=self.now
        )
        self.cursor = result.cursor
        asked = set()
        for table in FOLLOWING:
            key = dg.AssetKey(TABLES[table].asset_key)
            if TABLES[table].batched:
                asked |= {(table, batch) for batch in result.get_requested_partitions(key) or set()}
            elif result.get_num_requested(key):
                asked.add((table, ""))
        return asked

    def run(self, asked):
        """One run per batch, as the daemon groups them."""
        job = self.definitions.resolve_implicit_global_asset_job_def()
        for batch in sorted({batch for _, batch in asked}):
            keys = [dg.AssetKey(TABLES[table].asset_key) for table, one in asked if one == batch]
            job.execute_in_process(
                asset_selection=keys,
                partition_key=batch or None,
                instance=self.instance,
                raise_on_error=False,
            )

    def until_quiet(self):
        """Tick and run until nothing is asked for; everything that was asked for, with how often."""
        counted = Counter()
        for _ in range(20):
            asked = self.tick()
            if not asked:
                return counted
            counted.update(asked)
            self.run(asked)
        raise AssertionError(f"it never becomes quiet: {asked}")

    def count(self, table, where="true"):
        return self.warehouse.read(f"select count(*) as n from {table} where {where}")["n"][0]


SETTINGS = AIM_SCIQA | {
    "AIMSCIQA_RELATIONS_CLUSTER_SIZE": "5",
    "AIMSCIQA_SELECTION_MIN_ACCESSIBLE_CITATIONS": "0",
}


@pytest.fixture
def environment(monkeypatch):
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)


def with_the_records_of(instance):
    """An ephemeral instance that knows what another one knows."""
    twin = dg.DagsterInstance.ephemeral()
    for name in ("run_storage.connect", "event_log_storage.index_connection"):
        opened = operator.attrgetter(name)
        with opened(instance)() as theirs, opened(twin)() as ours:
            theirs.connection.driver_connection.backup(ours.connection.driver_connection)
    return twin


@pytest.fixture(scope="module")
def first_night(tmp_path_factory):
    """A site where twelve papers are done, and its folder; to be copied."""
    folder = tmp_path_factory.mktemp("first-night")
    write_corpus(folder / "papers", 12)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (SETTINGS | {"AIMSCIQA_HOME": str(folder / "home")}).items():
            patch.setenv(name, value)
        site = Site()
        site.ingest(folder / "papers")
        site.until_quiet()
    return folder, site


@pytest.fixture
def site(tmp_path, environment, first_night):
    """The morning after the first night."""
    folder, made = first_night
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return Site(with_the_records_of(made.instance), cursor=made.cursor, now=made.now)


def test_an_empty_home_asks_for_nothing(environment):
    assert Site().tick() == set()


def test_all_batches_are_made_and_then_it_is_quiet(site):
    assert site.count("multi_hop.items", "status = 'accepted'") > 20
    assert site.count("multi_hop.statistics") > 0
    assert site.tick() == set()
    job = site.definitions.resolve_implicit_global_asset_job_def()
    assert job is not None


def test_a_new_batch_materializes_only_that_batch(site, tmp_path):
    write_corpus(tmp_path / "more", 6, first=13)
    assert site.ingest(tmp_path / "more").new_batches == ["batch-0003"]
    counted = site.until_quiet()
    batched = {(table, batch): times for (table, batch), times in counted.items() if batch}
    assert batched == {(table, "batch-0003"): 1 for table in BATCHED - OF_REVIEWS}
    assert {table for table, batch in counted if not batch} == FOLLOWING - BATCHED - OF_REVIEWS
    assert max(counted.values()) == 1
    assert site.count("multi_hop.items", "batch = 'batch-0003' and status = 'accepted'") > 5


def test_what_the_command_line_made_is_not_asked_for_again(site, tmp_path):
    write_corpus(tmp_path / "more", 6, first=13)
    site.ingest(tmp_path / "more")
    settings = Settings.of_environment().with_refresh(False)
    resources = build_resources(
        site.home, settings, language_models=OneModel(SentenceModel()), encoder=WordEncoder()
    )
    runs = site.instance.get_runs_count()
    assert Pipeline(site.home, resources, site.instance, Console(quiet=True)).run(evaluate=False) == []
    assert site.count("multi_hop.items", "batch = 'batch-0003' and status = 'accepted'") > 5
    assert site.tick() == set()
    assert site.instance.get_runs_count() == runs


def test_the_batches_of_one_night_see_each_other(site, tmp_path):
    write_corpus(tmp_path / "more", 12, first=13)
    site.ingest(tmp_path / "more")
    site.until_quiet()
    in_fourth = "select paper_id from corpus.papers where batch = 'batch-0004'"
    pairs = f"batch = 'batch-0003' and target_paper_id in ({in_fourth})"
    assert site.count("relations.section_pairs", pairs) > 0


def test_a_failed_batch_blocks_only_itself_and_is_tried_again_the_next_night(site, tmp_path):
    write_corpus(tmp_path / "more", 12, first=13)
    site.use(BrokenModel(cohort=14))
    site.ingest(tmp_path / "more")
    counted = site.until_quiet()
    assert counted["single_hop.extractions", "batch-0003"] == 1
    assert counted["single_hop.extractions", "batch-0004"] == 1
    assert site.count("single_hop.extractions", "batch = 'batch-0003'") == 0
    assert site.count("multi_hop.items", "batch = 'batch-0004' and status = 'accepted'") > 5
    site.use(SentenceModel())
    assert site.until_quiet() == {}
    site.now += timedelta(days=1)
    counted = site.until_quiet()
    assert counted["single_hop.extractions", "batch-0003"] == 1
    assert counted["single_hop.extractions", "batch-0004"] == 0
    assert site.count("multi_hop.items", "batch = 'batch-0003' and status = 'accepted'") > 5
    assert counted["relations.section_pairs", "batch-0004"] == 1, "it had not seen its sibling"
    assert counted["relations.section_pairs", "batch-0001"] == 0


def article(site, number, text, *, status="in", retracted=False):
    """What a look would have written of an article of the test corpus."""
    folder = site.home.folder / f"served-{number}-{len(text)}"
    write_corpus(folder, 1, first=number)
    (file,) = folder.iterdir()
    head, body = file.read_text().split("<body>")
    file.write_text(f"{head}<body>{body.replace('cohort', text)}")
    row = {
        "pmcid": f"PMC{number}",
        "status": status,
        "version": 1,
        "licence": "CC BY",
        "retracted": retracted,
        "doi": "",
        "pmid": "",
        "title": "",
        "xml_md5": "",
        "etag": "",
        "file_id": site.store.put(file),
        "wanted_licences": [],
        "looked_at": "",
    }
    table = "corpus.pmc_articles"
    site.warehouse.replace([Write(table, TABLES[table].ddl(), frame_of(table, [row]), {}, ("pmcid",))])


@pytest.fixture
def served(environment):
    """Twelve papers that came from PubMed Central, all done."""
    site = Site()
    create_tables(site.warehouse)
    for number in range(1, 13):
        article(site, number, "cohort")
    site.ingest()
    site.until_quiet()
    return site


def test_what_becomes_of_a_paper_redoes_its_batch_and_what_led_to_it(served):
    led_to_it = set(
        served.warehouse.read(
            "select distinct batch from relations.section_pairs where target_paper_id = 'PMC2'"
        )["batch"]
    )
    assert led_to_it
    article(served, 2, "herd")
    assert served.ingest().changed_batches == ["batch-0001"]
    counted = served.until_quiet()
    assert {batch for table, batch in counted if table == "corpus.papers"} == {"batch-0001"}
    redone = {batch for table, batch in counted if table == "relations.section_pairs"}
    assert redone == {"batch-0001"} | led_to_it
    assert served.count("single_hop.qa_pairs", "paper_id = 'PMC2' and answer like '%herd%'") > 0
    assert served.count("single_hop.qa_pairs", "paper_id = 'PMC2' and answer like '%cohort%'") == 0

    assert served.count("relations.clusters", "paper_id = 'PMC2'") > 0
    article(served, 2, "herd", retracted=True)
    article(served, 3, "cohort", status="withdrawn")
    served.ingest()
    served.until_quiet()
    assert served.count("corpus.papers", "paper_id = 'PMC2' and retracted") == 1
    assert served.count("corpus.papers", "paper_id = 'PMC3'") == 0
    for paper in ("PMC2", "PMC3"):
        assert served.count("relations.clusters", f"paper_id = '{paper}'") == 0
        assert served.count("multi_hop.items", f"'{paper}' in (target_paper_id, source_paper_id)") == 0
    assert served.count("corpus.rejected_files", "rejection_reason = 'withdrawn'") == 1
    assert served.count("corpus.rejected_files", "rejection_reason = 'superseded'") == 1


def test_the_night_begins_with_a_look_and_a_look_that_fails_is_a_failed_run(environment, monkeypatch):
    archive = Archive()
    for number in range(1, 8):
        archive.publish(f"PMC{number}", text=f"The mean zinc intake of cohort {number} was {number} mg.")
    archive.take_inventory()
    with PmcServer(archive) as server:
        for service in ("eutils", "bucket", "oai"):
            monkeypatch.setenv(f"AIMSCIQA_PMC_{service}_url".upper(), getattr(server, f"{service}_url"))
        monkeypatch.setenv("AIMSCIQA_PMC_EMAIL", "somebody@example.org")
        monkeypatch.setenv("AIMSCIQA_PMC_ATTEMPTS", "1")
        monkeypatch.setenv("AIMSCIQA_PMC_SINCE", "2026-09-01")
        monkeypatch.setenv("AIMSCIQA_CORPUS_PAPERS_PER_BATCH", "4")
        site = Site()
        # A refusal: what may pass would be tried again after minutes.
        server.plan = lambda _seen: Status(400)
        assert not site.night()
        assert site.instance.get_dynamic_partitions(PAPER_BATCHES.name) == []
        assert site.until_quiet() == {}
        server.plan = lambda _seen: None
        assert site.night()
        assert site.instance.get_dynamic_partitions(PAPER_BATCHES.name) == ["batch-0001", "batch-0002"]
        counted = site.until_quiet()
        assert site.count("corpus.papers") == 7
        assert {batch for table, batch in counted if table == "single_hop.qa_pairs"} == {
            "batch-0001",
            "batch-0002",
        }
        assert site.night()
        assert site.until_quiet() == {}, "nothing new, nothing to do"


def test_the_schedule_is_off_until_it_is_asked_for(monkeypatch):
    def status():
        definitions = build_definitions()
        schedule = definitions.resolve_schedule_def("nightly")
        sensor = definitions.resolve_sensor_def("follow_the_data")
        return (
            schedule.cron_schedule,
            schedule.execution_timezone,
            schedule.default_status,
            sensor.default_status,
        )

    assert status() == (
        "0 3 * * *",
        "UTC",
        dg.DefaultScheduleStatus.STOPPED,
        dg.DefaultSensorStatus.STOPPED,
    )
    monkeypatch.setenv("AIMSCIQA_NIGHTLY_ENABLED", "true")
    monkeypatch.setenv("AIMSCIQA_NIGHTLY_HOUR", "22")
    monkeypatch.setenv("AIMSCIQA_NIGHTLY_TIME_ZONE", "Europe/Zurich")
    assert status() == (
        "0 22 * * *",
        "Europe/Zurich",
        dg.DefaultScheduleStatus.RUNNING,
        dg.DefaultSensorStatus.RUNNING,
    )


@pytest.fixture
def eligible_site(monkeypatch, environment):
    """Nine papers, done by night, of which only those with three accessible citations are asked about."""
    monkeypatch.setenv("AIMSCIQA_SELECTION_CORPUS", "eligible")
    monkeypatch.setenv("AIMSCIQA_SELECTION_MIN_ACCESSIBLE_CITATIONS", "3")
    monkeypatch.setenv("AIMSCIQA_RELATIONS_CLUSTER_SIZE", "2")
    site = Site()
    create_tables(site.warehouse)
    for number in range(4, 13):
        article(site, number, "cohort")
    site.ingest()
    site.until_quiet()
    return site


def papers_in(site, query):
    return {int(paper.removeprefix("PMC")) for paper in site.warehouse.read(query)["paper_id"]}


def test_a_paper_is_asked_about_from_the_night_on_in_which_it_becomes_eligible(eligible_site):
    site = eligible_site
    asked = "select distinct paper_id from single_hop.extractions"
    used = """select paper_id from relations.clusters union select paper_id from relations.embeddings
        union select target_paper_id from relations.section_pairs"""
    # Each cites the three before it; the first three are not there.
    assert papers_in(site, asked) == papers_in(site, used) == {7, 8, 9, 10, 11, 12}

    article(site, 3, "cohort")
    site.ingest()
    site.use(SentenceModel())
    counted = site.until_quiet()
    new = site.count(
        "single_hop.similarities", "qa_id in (select qa_id from single_hop.triplets where paper_id = 'PMC6')"
    )
    assert 0 < site.encoder.encoded <= 4 * new, "the other papers of the batch keep their vectors"
    assert papers_in(site, asked) == papers_in(site, used) == {6, 7, 8, 9, 10, 11, 12}
    extracted = {
        batch: times for (table, batch), times in counted.items() if table == "single_hop.extractions"
    }
    assert extracted == {"batch-0001": 1, "batch-0003": 1}, "the second batch is not disturbed"

    article(site, 3, "cohort", status="withdrawn")
    site.ingest()
    site.until_quiet()
    assert papers_in(site, asked) == papers_in(site, used) == {7, 8, 9, 10, 11, 12}
    assert site.count("multi_hop.items", "'PMC6' in (target_paper_id, source_paper_id)") == 0
