"""Nights of fetching from a made-up OpenReview over the loopback, with faults of every kind."""

import random

import pytest
from aimsciqa_resources.openreview import OpenReviewClient, OpenReviewSettings
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.scidqa.intake.fetching import fetch_venue
from tests.openreview_server import OpenReviewServer, Site
from tests.openreview_server.server import PASSWORD, TOKEN, USER
from tests.pmc_server import CutBody, CutConnection, Reset, Status, always, share
from tests.review_notes import CONFERENCE, reply, review, submission

FAULTS = (
    Status(429, headers={"Retry-After": "0.01"}),
    Status(500),
    Status(503, headers={"Retry-After": "0.01"}),
    CutBody(),
    CutConnection(),
    Reset(),
)
ACCOUNT = {"OPENREVIEW_USERNAME": USER, "OPENREVIEW_PASSWORD": PASSWORD}
NIGHTS = [10, pytest.param(40, marks=pytest.mark.nightly)]


@pytest.fixture
def warehouse(tmp_path):
    """A warehouse that is kept open, as commands do."""
    made = Warehouse(database=str(tmp_path / "home" / "warehouse.duckdb"))
    with made.kept_open():
        yield made


def fetch(server, warehouse, environment=None, *, news=False, **changes):
    addresses = {"base_url_v1": f"{server.origin}/v1", "base_url_v2": f"{server.origin}/v2"}
    quick = {"first_retry_seconds": 0.005, "requests_per_second": 10_000.0, "page_size": 3}
    settings = OpenReviewSettings(**addresses | quick | changes)
    with OpenReviewClient(settings, environment or {}) as client:
        return fetch_venue(client, CONFERENCE, warehouse, 4, news=news, now=server.site.now)


def kept(warehouse):
    """The text or title of each note that is used; None of those that may not be read."""
    rows = warehouse.read(
        "select note_id, if(status = 'accepted', coalesce(nullif(text, ''), title), null) as said "
        "from scidqa.notes where raw_hash <> 'gone'"
    ).rows()
    assert len(rows) == len(dict(rows))
    return dict(rows)


def site_of(forums=5, seed=1):
    site = Site(random.Random(seed))
    while len(site.forums) < forums:
        site.pass_a_day()
    return site


@pytest.mark.slow
@pytest.mark.parametrize("nights", NIGHTS)
@pytest.mark.parametrize("api", ["v1", "v2"])
def test_after_many_nights_exactly_the_served_threads_are_there_once_and_newest(api, nights, warehouse):
    site = site_of(forums=12)
    failed = 0
    batches = {}
    with OpenReviewServer(site=site, api=api) as server:
        for night in range(nights):
            server.plan = share(0.25, night, *FAULTS)
            server.locked = night % 5 == 3
            fetched = fetch(server, warehouse, ACCOUNT if night % 2 else {}, attempts=3)
            failed += bool(fetched.failure)
            if night > 0 and warehouse.read("select count(*) from scidqa.forums").item():
                now = dict(warehouse.read("select forum_id, batch from scidqa.forums").rows())
                assert batches.items() <= now.items()
                batches = now
            site.pass_a_day()
        server.plan, server.locked = (lambda _seen: None), False
        assert fetch(server, warehouse).failure == ""
        again = fetch(server, warehouse).written
    assert kept(warehouse) == site.served()
    assert (again.new, again.replaced) == (0, 0)
    assert 0 < failed < nights
    counted = "select forum_id, count(*) from scidqa.notes group by all"
    told = "select forum_id, notes from scidqa.forums"
    assert dict(warehouse.read(counted).rows()) == dict(warehouse.read(told).rows())


def test_pages_that_shift_lose_nothing_that_was_there(warehouse):
    site = site_of(forums=8)
    before = set(site.forums)
    with OpenReviewServer(site=site, between=site._open_a_forum) as server:
        server.between = lambda: site._open_a_forum() if len(site.forums) < 14 else None
        assert fetch(server, warehouse).failure == ""
    assert before <= set(kept(warehouse))


def test_a_challenge_means_that_an_account_is_needed_and_never_no_notes(warehouse):
    site = site_of()
    with OpenReviewServer(site=site, locked=True) as server:
        refused = fetch(server, warehouse)
        assert "OPENREVIEW_USERNAME and OPENREVIEW_PASSWORD" in refused.failure
        assert warehouse.read("select * from scidqa.notes").is_empty()
        assert fetch(server, warehouse, ACCOUNT).failure == ""
    assert kept(warehouse) == site.served()


def test_no_secret_is_told(warehouse):
    with OpenReviewServer(site=site_of()) as server:
        server.plan = always("login", Status(400, f"no: {PASSWORD} {USER} {TOKEN}"))
        failure = fetch(server, warehouse, ACCOUNT).failure
    assert "HTTP 400" in failure
    assert PASSWORD not in failure
    assert USER not in failure


def test_a_second_factor_is_told(warehouse):
    with OpenReviewServer(site=site_of(), second_factor=True) as server:
        assert "second factor" in fetch(server, warehouse, ACCOUNT).failure


def test_a_venue_that_nobody_knows_is_an_error(warehouse):
    with OpenReviewServer(site=Site(random.Random(1))) as server:
        assert "has no submissions" in fetch(server, warehouse).failure


def test_a_listing_that_lost_half_of_its_notes_changes_nothing(warehouse):
    site = site_of(forums=14, seed=3)
    with OpenReviewServer(site=site) as server:
        fetch(server, warehouse)
        before = kept(warehouse)
        for forum in site.forums[1:]:
            del site.notes[forum]
        assert "not served any more" in fetch(server, warehouse).failure
    assert kept(warehouse) == before


@pytest.mark.slow
@pytest.mark.parametrize("nights", NIGHTS)
@pytest.mark.parametrize("api", ["v1", "v2"])
def test_nights_of_news_leave_out_nothing_but_what_is_gone_and_a_whole_fetch_finds_that(
    api, nights, warehouse
):
    site = site_of(forums=12)
    whole = 0
    with OpenReviewServer(site=site, api=api) as server:
        for night in range(nights):
            server.plan = share(0.25, night, *FAULTS)
            fetched = fetch(server, warehouse, news=True, attempts=4, whole_days=4)
            server.plan = lambda _seen: None
            if not fetched.failure:
                whole += fetched.whole
                here = kept(warehouse)
                assert site.served().items() <= here.items()
                assert fetched.whole <= (site.served() == here)
            site.pass_a_day()
        asked = len(server.seen)
        assert not fetch(server, warehouse, news=True).failure
        of_news = len(server.seen) - asked
        assert fetch(server, warehouse).failure == ""
        assert of_news < len(server.seen) - asked - of_news
    assert kept(warehouse) == site.served()
    assert nights / 8 < whole <= 1 + nights / 4


def test_news_are_what_changed_and_new_forums_with_all_their_notes(warehouse):
    site = site_of(forums=4)
    old, *_ = site.forums
    site.at += 3 * 86_400
    with OpenReviewServer(site=site) as server:
        fetch(server, warehouse)
        site.at += 20 * 86_400
        site._add(reply(old, "late", old, "At last.", site.at))
        site.notes["hidden"] = submission("hidden", site.at)
        # Written long before its forum became public.
        site._add(review("hidden", "early", "Why?", 1))
        site.notes["form"] = submission("form", site.at) | {"invitation": f"{CONFERENCE}/-/Registration"}
        fetched = fetch(server, warehouse, news=True)
    assert (fetched.whole, fetched.written.came, fetched.written.new) == (False, 3, 3)
    assert kept(warehouse) == {name: text for name, text in site.served().items() if name != "form"}


def test_a_server_that_lists_no_notes_at_all_has_no_news(warehouse):
    site = site_of(forums=4)
    with OpenReviewServer(site=site) as server:
        fetch(server, warehouse)
        server.plan = lambda seen: Status(200, '{"notes": []}') if "tmdate:desc" in seen.target else None
        assert "without --news" in fetch(server, warehouse, news=True).failure
        server.plan = lambda _seen: None
        site.notes[site.forums[0]]["tmdate"] = 0
        assert fetch(server, warehouse, news=True).failure == ""
