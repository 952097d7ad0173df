"""Simulated nights over the loopback: search, inventory, metadata and files, with faults of every kind."""

import random
from collections import Counter

import pytest
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.pmc.bucket import Bucket
from aimsciqa_resources.pmc.errors import PmcError
from aimsciqa_resources.pmc.inventory import moved_on, newest_inventory
from aimsciqa_resources.pmc.search import Search, article_ids, term_of

from aimsciqa_assets.corpus.updates import decide, pending, to_look_at
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
    share,
)

LICENCES = ["CC BY", "CC BY", "CC0", "CC BY-ND", "TDM"]
WANTED = {"CC BY", "CC0"}
FAULTS = (
    Status(429, headers={"Retry-After": "0.02"}),
    Status(503),
    CutBody(),
    OtherBytes(),
    CutConnection(),
    Reset(),
    Missing(),
)


class Keeper:
    """What a nightly job keeps: the day it last searched, what it knows, and the papers that are in."""

    def __init__(self, client, store, day):
        self.client, self.bucket = client, Bucket(client, store)
        self.searched = day
        self.known, self.papers = {}, {}
        self.failures = 0

    def night(self, today):
        known = self.known
        looking = to_look_at(self._found(today), known.values(), self._moved())
        served = dict(self.bucket.newest_of(looking))
        failed = {pmcid for pmcid, article in served.items() if isinstance(article, PmcError)}
        changes = decide(known, {pmcid: served[pmcid] for pmcid in served.keys() - failed}, WANTED)
        files = [change.article.xml for change in changes if change.action in ("fetch", "replace")]
        fetched = dict(self.bucket.fetch_all(files))
        for change in changes:
            pmcid = change.after.pmcid
            if change.action in ("fetch", "replace"):
                file_id = fetched[change.article.xml]
                if isinstance(file_id, PmcError):
                    failed.add(pmcid)
                    continue
                self.papers[pmcid] = (change.after.version, file_id)
            elif change.action == "retire":
                del self.papers[pmcid]
            known[pmcid] = change.after
        known.update({pmcid: pending(pmcid, known.get(pmcid)) for pmcid in failed})
        self.failures += len(failed)

    def _found(self, today):
        try:
            term = term_of(Search(entered=(self.searched, today)))
            found = list(article_ids(self.client, term, per_page=5))
        except PmcError:
            self.failures += 1
            return []
        self.searched = today
        return found

    def _moved(self):
        try:
            inventory = newest_inventory(self.client)
        except PmcError:
            self.failures += 1
            return set()
        return moved_on({pmcid: (one.version, one.etag) for pmcid, one in self.known.items()}, inventory)


def day_in_the_life(archive, dice, numbers):
    """Arrivals, and changes of what is there."""
    for _ in range(dice.randint(3, 9)):
        archive.publish(f"PMC{next(numbers)}", licence=dice.choice(LICENCES), text=f"Text {dice.random()}.")
    for pmcid in dice.sample(sorted(archive.articles), min(6, len(archive.articles))):
        change = dice.choice(["revise", "correct", "retract", "relicense", "withdraw", "withdraw_version"])
        if change in ("revise", "correct"):
            getattr(archive, change)(pmcid, f"Text {dice.random()}.")
        elif change == "relicense":
            archive.relicense(pmcid, dice.choice(LICENCES))
        elif change != "withdraw_version" or len(archive.articles[pmcid]) > 1:
            getattr(archive, change)(pmcid)


@pytest.mark.parametrize("seed", range(3))
def test_after_many_nights_the_corpus_is_what_is_served(tmp_path, seed):
    dice, numbers = random.Random(seed), iter(range(100, 1000))
    archive, store = Archive(), FileStore(folder=str(tmp_path))
    with (
        PmcServer(archive, page_size=7) as server,
        client_for(server, {"NCBI_API_KEY": KEY}, attempts=2, first_retry_seconds=0.005) as client,
    ):
        keeper = Keeper(client, store, archive.today)
        for night in range(8):
            day_in_the_life(archive, dice, numbers)
            archive.take_inventory()
            server.plan = share(0.3, seed * 100 + night, *FAULTS)
            keeper.night(archive.today)
            archive.sleep()
        assert keeper.failures > 10
        server.plan = lambda _seen: None
        for _ in range(2):
            archive.take_inventory()
            keeper.night(archive.today)
        papers = {pmcid: (version, store.get(file_id)) for pmcid, (version, file_id) in keeper.papers.items()}
        assert papers == {
            pmcid: (version.number, version.jats)
            for pmcid, version in archive.newest().items()
            if version.licence in WANTED and not version.retracted
        }
        assert len(papers) > 8
        asked = len(server.asked("bucket", "PMC"))
        keeper.night(archive.today)
        assert len(server.asked("bucket", "PMC")) == asked, "a night without news asks about no article"
    assert server.most_per_second("eutils") <= 10


def test_nothing_is_downloaded_twice(tmp_path):
    archive, store = Archive(), FileStore(folder=str(tmp_path))
    archive.publish("PMC11")
    with PmcServer(archive) as server:
        with client_for(server, {"NCBI_API_KEY": KEY}) as client:
            for licence in ("CC BY", "CC BY-ND", "CC0"):
                archive.relicense("PMC11", licence)
                archive.take_inventory()
                keeper = Keeper(client, store, archive.today)
                keeper.night(archive.today)
        downloads = Counter(seen.target for seen in server.asked("bucket", ".xml"))
    assert downloads == {"PMC11.1/PMC11.1.xml": 1}
    assert keeper.papers["PMC11"][0] == 1
