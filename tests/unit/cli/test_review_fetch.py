"""`aimsciqa reviews fetch` with its options, from a made-up OpenReview over the loopback."""

import random

import pytest

from tests.manuscripts import drawn
from tests.openreview_server import OpenReviewServer, Site
from tests.pmc_server import Status, always
from tests.review_notes import CONFERENCE, EPOCH, reply, review, submission
from tests.shell import QuickShell

pytestmark = pytest.mark.slow
PDF = drawn("Sparse attention needs less memory than dense attention, as we show for many documents. " * 3)


@pytest.fixture
def site():
    """Two forums, one with a review and a reply; the PDF of each was uploaded before the deadline."""
    notes = (submission("A"), submission("B"), review("A", "A-r"), reply("A", "A-a", "A-r"))
    uploads = {"A": [(10, PDF)], "B": [(20, PDF + b"\n")]}
    return Site(random.Random(1), {note["id"]: note for note in notes}, uploads=uploads)


def shell_at(tmp_path, server, **settings):
    quick = {"first_retry_seconds": "0.005", "requests_per_second": "10000", "attempts": "2"}
    addresses = {"base_url_v1": f"{server.origin}/v1"}
    given = {f"openreview_{name}": value for name, value in (addresses | quick | settings).items()}
    return QuickShell(tmp_path / "home", **given)


def test_venues_and_years_of_the_command_override_those_of_the_settings(site, tmp_path):
    with OpenReviewServer(site=site) as server:
        shell = shell_at(tmp_path, server, venues="NeurIPS.cc/{year}/Conference", years="2021-2022")
        told = shell("reviews", "fetch", "--venues", "ICLR.cc/{year}/Conference", "--years", "2020")
        assert f"{CONFERENCE}: 4 notes." in told
        assert "4 new notes, 0 in a newer version, 0 known; 2 new forums, 2 in all." in told
        asked = {seen.params["invitation"] for seen in server.seen if "invitation" in seen.params}
        assert {one.partition("/-/")[0] for one in asked} == {CONFERENCE}


def test_years_alone_are_those_of_the_venues_of_the_settings(site, tmp_path):
    with OpenReviewServer(site=site) as server:
        shell = shell_at(tmp_path, server, venues="ICLR.cc/{year}/Conference", years="2018")
        told = shell("reviews", "fetch", "--years", "2019-2020")
        assert "ICLR.cc/2019/Conference: 4 notes." in told
        assert f"{CONFERENCE}: 4 notes." in told
        assert "ICLR.cc/2018" not in told
        told = shell("reviews", "fetch", "--years", "", fails=1)
        assert "the venues name {year}: set AIMSCIQA_OPENREVIEW_YEARS" in told


def test_news_are_what_changed_since_the_last_fetch(site, tmp_path):
    with OpenReviewServer(site=site) as server:
        shell = shell_at(tmp_path, server, venues=CONFERENCE)
        shell("reviews", "fetch", "--news")
        late = reply("A", "A-b", "A-a", "A late word.", at=86_400 * 4000)
        site.notes["A-b"] = late
        told = shell("reviews", "fetch", "--news")
        assert f"{CONFERENCE}: 1 notes that changed since the last fetch." in told
        assert "1 new notes" in told


def test_manuscripts_come_after_the_threads_and_a_restricted_one_is_told(site, tmp_path):
    with OpenReviewServer(site=site, duedate=EPOCH + 100_000) as server:
        server.plan = always("'B.0'", Status(403))
        shell = shell_at(tmp_path, server, venues=CONFERENCE)
        told = shell("reviews", "fetch", "--manuscripts", fails=1)
        assert "4 new notes" in told
        assert "2 new manuscripts" in told
        assert "not read B: OpenReview answers only those who log in" in told
        server.plan = lambda _seen: None
        told = shell("reviews", "fetch", "--manuscripts")
        assert "2 new manuscripts, 0 replaced by newer files, 2 known already" in told
        assert "not read" not in told


def test_what_is_missing_is_named(site, tmp_path):
    told = QuickShell(tmp_path / "home")("reviews", "fetch", "--venues", CONFERENCE, fails=1)
    assert "AIMSCIQA_OPENREVIEW_BASE_URL_V2" in told
    with OpenReviewServer(site=site, locked=True) as server:
        shell = shell_at(tmp_path, server)
        assert "AIMSCIQA_OPENREVIEW_VENUES, or give --venues" in shell("reviews", "fetch", fails=1)
        told = shell("reviews", "fetch", "--venues", CONFERENCE, fails=1)
        assert f"not fetched {CONFERENCE}: OpenReview answers only those who log in" in told
        assert "OPENREVIEW_USERNAME" in told
