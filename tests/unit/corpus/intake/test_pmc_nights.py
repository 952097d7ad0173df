"""Simulated nights over the loopback: look, take in, parse, with faults of every kind."""

import random
import threading
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, time

import pytest
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.pmc.errors import PmcError
from aimsciqa_resources.pmc.search import Search
from aimsciqa_resources.warehouse import Warehouse
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from aimsciqa_assets.corpus.intake import pmc_look
from aimsciqa_assets.corpus.intake.ingest import ingest
from aimsciqa_assets.corpus.intake.pmc_look import Look, NoArticleError, TooManyNotHadError, look, look_of
from aimsciqa_assets.corpus.intake.updates import TooManyWithdrawnError, decide
from aimsciqa_assets.corpus.parsing import parse_batch
from tests.pmc_clients import KEY, client_for
from tests.pmc_server import (
    Archive,
    CutBody,
    CutConnection,
    Missing,
    OtherBytes,
    PmcServer,
    Reset,
    Status,
    always,
    share,
)

pytestmark = pytest.mark.slow

LICENCES = ["CC BY", "CC BY", "CC0", "CC BY-ND", "TDM"]
WANTED = ("CC BY", "CC0")
FAULTS = (
    Status(429, headers={"Retry-After": "0.02"}),
    Status(503),
    CutBody(),
    OtherBytes(),
    CutConnection(),
    Reset(),
    Missing(),
)
QUICK = {"attempts": 2, "first_retry_seconds": 0.005}


@dataclass
class Site:
    """A warehouse and a file store, and the nights that fill them from a server."""

    folder: object
    server: PmcServer
    failed_nights: int = 0
    articles_failed: int = 0
    batches: list[str] = field(default_factory=list)

    def __post_init__(self):
        self.warehouse = Warehouse(database=str(self.folder / "warehouse.duckdb"))
        self.store = FileStore(folder=str(self.folder / "files"))
        # No pause between searches: the gate has tests of its own.
        self.client = client_for(self.server, {"NCBI_API_KEY": KEY}, **QUICK)

    def look(self, what=None, day=None):
        now = datetime.combine(day or self.server.archive.today, time(3), UTC)
        what = what or Look("news", Search(licences=WANTED))
        return look(what, self.warehouse, self.store, self.client, now)

    def take_in(self, folder=None):
        ingested = ingest(folder, self.warehouse, self.store, papers_per_batch=4)
        assert set(self.batches) <= set(ingested.batches), "no batch is ever lost"
        self.batches = ingested.batches
        return ingested

    def night(self):
        """Look and take in, as the nightly run does; a look that fails is a failed night."""
        try:
            self.articles_failed += self.look().failed
        except PmcError:
            self.failed_nights += 1
            return None
        return self.take_in()

    @property
    def papers(self):
        """The papers that the batches make: PMCID, version, licence, retracted and text; each once."""
        found = {}
        for batch in self.batches:
            files = self.warehouse.read("select * from corpus.input_files where batch = $b", {"b": batch})
            versions = dict(files.select("file_id", "version").iter_rows())
            frames = parse_batch(files.iter_rows(named=True), self.store.get)
            texts = dict(frames["corpus.paragraphs"].select("paper_id", "text").iter_rows())
            for paper in frames["corpus.papers"].iter_rows(named=True):
                pmcid = paper["paper_id"]
                assert pmcid not in found, "a paper is in twice"
                found[pmcid] = (
                    versions[paper["content_hash"]],
                    paper["licence"],
                    paper["retracted"],
                    texts[pmcid],
                )
        return found


def served(archive):
    return {
        pmcid: (version.number, version.licence, version.retracted, version.text)
        for pmcid, version in archive.newest().items()
        if version.licence in WANTED
    }


def day_in_the_life(archive, dice, numbers):
    """Arrivals, and changes of what is there."""
    for _ in range(dice.randint(0, 5)):
        archive.publish(f"PMC{next(numbers)}", licence=dice.choice(LICENCES), text=f"Text {dice.random()}.")
    for pmcid in dice.sample(sorted(archive.articles), min(3, len(archive.articles))):
        change = dice.choice(["revise", "correct", "retract", "relicense", "withdraw", "withdraw_version"])
        if change in ("revise", "correct"):
            getattr(archive, change)(pmcid, f"Text {dice.random()}.")
        elif change == "relicense":
            archive.relicense(pmcid, dice.choice(LICENCES))
        elif change != "withdraw_version" or len(archive.articles[pmcid]) > 1:
            getattr(archive, change)(pmcid)


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setattr("aimsciqa_resources.pmc.client._SEARCHES_PER_SECOND_WITH_KEY", 1000.0)
    with PmcServer(Archive(), page_size=7) as server:
        server.archive.sleep(3)
        site = Site(tmp_path, server)
        yield site
        site.client.__exit__(None, None, None)


@pytest.mark.parametrize("nights", [8, pytest.param(30, marks=pytest.mark.nightly)])
@settings(
    max_examples=4,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32), faults=st.floats(0, 0.4), off=st.floats(0, 0.3))
def test_after_many_nights_exactly_the_served_papers_are_in(tmp_path_factory, nights, seed, faults, off):
    dice, numbers = random.Random(seed), iter(range(100, 1000))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aimsciqa_resources.pmc.client._SEARCHES_PER_SECOND_WITH_KEY", 1000.0)
        patch.setattr(pmc_look, "AT_ONCE", 3)
        with PmcServer(Archive(), page_size=7) as server:
            archive = server.archive
            archive.take_inventory()
            site = Site(tmp_path_factory.mktemp("site"), server)
            site.night()
            for night in range(nights):
                day_in_the_life(archive, dice, numbers)
                archive.take_inventory()
                server.plan = share(faults, seed + night, *FAULTS)
                if dice.random() >= off:
                    site.night()
                archive.sleep()
            server.plan = lambda _seen: None
            archive.take_inventory()
            site.night()
            assert site.papers == served(archive)
            before = len(server.asked("bucket", "PMC"))
            assert site.night().changed_batches == []
            assert len(server.asked("bucket", "PMC")) == before, "a night without news asks for no article"
            site.client.__exit__(None, None, None)


def test_missed_nights_are_caught_up(site):
    archive = site.server.archive
    site.server.archive.take_inventory()
    site.night()
    for _ in range(20):
        archive.publish(f"PMC{archive.today:%Y%m%d}", text="One a day.")
        archive.sleep()
    archive.take_inventory()
    site.night()
    assert len(site.papers) == 20


def test_a_failed_listing_is_a_failed_look_and_the_next_one_starts_where_the_last_good_one_ended(site):
    archive = site.server.archive
    archive.take_inventory()
    site.look()
    archive.publish("PMC11")
    archive.sleep(10)
    archive.take_inventory()
    site.server.plan = lambda seen: Status(500) if seen.service == "eutils" else None
    with pytest.raises(PmcError):
        site.look()
    site.server.plan = lambda _seen: None
    site.look(Look("ids", ids=("PMC11",)))
    site.server.plan = always("inventory-reports", Status(500))
    with pytest.raises(PmcError):
        site.look()
    site.server.plan = lambda _seen: None
    site.look()
    looks = site.warehouse.read(
        "select since, until, found from ops.pmc_looks where kind = 'news' order by 1"
    )
    assert looks.rows() == [("2026-09-21", "2026-09-24", 0), ("2026-09-21", "2026-10-04", 1)]


def test_without_e_utilities_a_short_time_is_harvested_by_oai_pmh(site):
    archive = site.server.archive
    archive.take_inventory()
    site.look()
    archive.publish("PMC11")
    archive.publish("PMC12", licence="TDM")
    archive.take_inventory()
    site.server.plan = lambda seen: Status(500) if seen.service == "eutils" else None
    looked = site.look()
    assert (looked.found_by, looked.fetched, looked.passed_over) == ("OAI-PMH", 1, 1)
    site.take_in()
    assert list(site.papers) == ["PMC11"]
    with pytest.raises(PmcError):
        site.look(Look("news", Search(query="a query")))


def test_nothing_is_downloaded_twice(site):
    archive = site.server.archive
    archive.publish("PMC11")
    for licence in ("CC BY", "CC BY-ND", "CC0"):
        archive.relicense("PMC11", licence)
        archive.take_inventory()
        site.night()
    downloads = Counter(seen.target for seen in site.server.asked("bucket", ".xml"))
    assert downloads == {"PMC11.1/PMC11.1.xml": 1}
    assert site.papers["PMC11"][1] == "CC0"


def test_a_new_version_takes_the_place_of_the_old_one_in_its_batch(site):
    archive = site.server.archive
    for number in range(1, 7):
        archive.publish(f"PMC{number}", text=f"Text {number}.")
    archive.take_inventory()
    assert site.night().batches == ["batch-0001", "batch-0002"]
    archive.revise("PMC2", "Text two, revised.")
    archive.withdraw("PMC6")
    archive.retract("PMC1")
    archive.take_inventory()
    ingested = site.night()
    assert ingested.new_batches == []
    assert ingested.changed_batches == ["batch-0001", "batch-0002"]
    rows = site.warehouse.read(
        "select file_name, batch, retired, retracted from corpus.input_files order by file_name"
    )
    assert rows.rows() == [
        ("PMC1.1.xml", "batch-0001", None, True),
        ("PMC2.1.xml", "batch-0001", "superseded", False),
        ("PMC2.2.xml", "batch-0001", None, False),
        ("PMC3.1.xml", "batch-0001", None, False),
        ("PMC4.1.xml", "batch-0001", None, False),
        ("PMC5.1.xml", "batch-0002", None, False),
        ("PMC6.1.xml", "batch-0002", "withdrawn", False),
    ]
    assert site.papers["PMC2"][3] == "Text two, revised."
    assert "PMC6" not in site.papers


def test_a_limited_search_finds_the_same_articles_again_and_a_larger_one_contains_them(site):
    for number in range(1, 30):
        site.server.archive.publish(f"PMC{number}")
    assert site.look(Look("search", limit=5)).fetched == 5
    assert site.look(Look("search", limit=5)).fetched == 0
    assert site.look(Look("search", limit=8)).fetched == 3


def test_the_copy_of_a_folder_gives_way_to_the_article(site, tmp_path):
    version = site.server.archive.publish("PMC11", text="Served.")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.xml").write_bytes(version.jats.replace(b"Served.", b"My own copy."))
    site.take_in(tmp_path / "own")
    assert site.papers["PMC11"][3] == "My own copy."
    site.look(Look("ids", ids=("PMC11",)))
    assert site.take_in(tmp_path / "own").batches == ["batch-0001"]
    assert site.papers["PMC11"][3] == "Served."


def test_two_nights_at_once_take_each_paper_once(site):
    for number in range(1, 30):
        site.server.archive.publish(f"PMC{number}", text=f"Text {number}.")
    site.server.archive.take_inventory()
    nights = [threading.Thread(target=site.night) for _ in range(2)]
    for night in nights:
        night.start()
    for night in nights:
        night.join()
    site.take_in()
    assert len(site.papers) == 29
    assert len(site.batches) == 8


def test_a_look_that_is_killed_goes_on_from_there(site, monkeypatch):
    for number in range(1, 10):
        site.server.archive.publish(f"PMC{number}")
    monkeypatch.setattr(pmc_look, "AT_ONCE", 4)
    calls = iter(range(10))

    def killed(*arguments):
        if next(calls) == 1:
            raise KeyboardInterrupt
        return decide(*arguments)

    monkeypatch.setattr(pmc_look, "decide", killed)
    with pytest.raises(KeyboardInterrupt):
        site.look(Look("search"))
    monkeypatch.setattr(pmc_look, "decide", decide)
    assert site.warehouse.read("select count(*) as n from corpus.pmc_articles")["n"][0] == 4
    assert site.look(Look("search")).looked_at == 5


def test_a_bucket_that_lost_everything_takes_no_paper_with_it(site, monkeypatch):
    monkeypatch.setattr(pmc_look, "AT_ONCE", 10)
    archive = site.server.archive
    for number in range(1, 41):
        archive.publish(f"PMC{number}")
    archive.take_inventory()
    site.night()
    served = archive.articles
    archive.articles = {"PMC999": served["PMC1"]}
    archive.take_inventory()
    archive.articles = {}
    for _ in range(3):
        with pytest.raises(TooManyWithdrawnError, match="of 40"):
            site.look()
    archive.articles = served
    archive.sleep()
    archive.take_inventory()
    assert site.night().changed_batches == []
    assert len(site.papers) == 40


def test_a_look_that_could_have_next_to_nothing_does_not_count(site):
    for number in range(1, 31):
        site.server.archive.publish(f"PMC{number}")
    site.server.archive.take_inventory()
    site.server.plan = always("metadata/", Status(500))
    with pytest.raises(TooManyNotHadError, match="30 of 30"):
        site.look()
    assert site.warehouse.read("select count(*) as n from ops.pmc_looks")["n"][0] == 0
    site.server.plan = lambda seen: None
    assert site.look().fetched == 30


def test_ids_are_read_in_any_form_and_strangers_refused(site):
    settings = site.client.settings
    assert look_of(settings, ids=["pmc13901", "PMC13902.2"]).ids == ("PMC13901", "PMC13902")
    with pytest.raises(NoArticleError, match="are no PMCIDs"):
        look_of(settings, ids=["PMC1", "10.1/x"])
