"""Manuscripts fetched from a made-up OpenReview over the loopback, with faults of every kind."""

import random

import pytest
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.openreview import OpenReviewClient, OpenReviewSettings, Revision
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.scidqa.intake.fetching import fetch_venue
from aimsciqa_assets.scidqa.manuscripts.fetching import chosen_revisions, fetch_manuscripts
from tests.manuscripts import drawn
from tests.openreview_server import OpenReviewServer, Site
from tests.pmc_server import CutBody, CutConnection, Reset, Status, always, first_times
from tests.review_notes import CONFERENCE, EPOCH, submission

TEXT = "Sparse attention needs less memory than dense attention, as we show for documents of many pages. " * 2
FIRST, SECOND, LAST = (drawn(f"{word} {TEXT}") for word in ("First", "Second", "Last"))
ROWS = "select forum_id, version, same_as_initial, uploaded from scidqa.manuscripts order by all"
DEADLINE = EPOCH + 100_000


@pytest.fixture
def warehouse(tmp_path):
    return Warehouse(database=str(tmp_path / "home" / "warehouse.duckdb"))


def site_of(**uploads):
    """A site of forums with the PDFs that were uploaded, and when, in seconds."""
    return Site(random.Random(1), {forum: submission(forum) for forum in uploads}, uploads={**uploads})


def fetch(server, warehouse, tmp_path, **changes):
    addresses = {"base_url_v1": f"{server.origin}/v1", "base_url_v2": f"{server.origin}/v2"}
    quick = {"first_retry_seconds": 0.005, "requests_per_second": 10_000.0, "attempts": 3}
    settings = OpenReviewSettings(**addresses | quick | changes)
    with OpenReviewClient(settings, {}) as client:
        fetch_venue(client, CONFERENCE, warehouse, 4)
        return fetch_manuscripts(client, CONFERENCE, warehouse, FileStore(folder=str(tmp_path / "files")), 10)


def test_the_initial_version_is_the_last_one_before_the_deadline_and_the_final_one_the_last():
    one, two, three = (Revision(name, "v1", at) for name, at in (("a", 10), ("b", 20), ("c", 30)))
    assert chosen_revisions([one, two, three], 20) == {"initial": two, "final": three}
    assert chosen_revisions([one], 20) == {"initial": one, "final": one}
    assert chosen_revisions([three], 20) == {"final": three}
    assert chosen_revisions([], 20) == {}


@pytest.mark.slow
@pytest.mark.parametrize("api", ["v1", "v2"])
def test_both_versions_of_each_forum_come_whatever_goes_wrong_and_come_once(api, warehouse, tmp_path):
    site = site_of(A=[(10, FIRST), (90, SECOND), (300, LAST)], B=[(20, FIRST + b"\n")])
    with OpenReviewServer(site=site, api=api, duedate=DEADLINE) as server:
        for fault in (Status(503, headers={"Retry-After": "0.01"}), CutBody(), CutConnection(), Reset()):
            server.plan = first_times(1, fault)
            fetched = fetch(server, warehouse, tmp_path)
            assert (fetched.failure, fetched.failures, fetched.rejected) == ("", {}, {})
        asked = len([seen for seen in server.seen if "pdf" in seen.target])
        site.uploads["A"].append((900, LAST + b"\n"))
        server.plan = lambda _seen: None
        newer = fetch(server, warehouse, tmp_path)
        assert (newer.new, newer.replaced, newer.known) == (0, 1, 3)
        assert len([seen for seen in server.seen if "pdf" in seen.target]) == asked + 1
    assert warehouse.read(ROWS).rows() == [
        ("A", "final", False, "2019-10-02T07:21:40.000+00:00"),
        ("A", "initial", False, "2019-10-02T07:08:10.000+00:00"),
        ("B", "final", True, "2019-10-02T07:07:00.000+00:00"),
        ("B", "initial", False, "2019-10-02T07:07:00.000+00:00"),
    ]


@pytest.mark.slow
def test_what_is_no_pdf_is_rejected_and_what_does_not_come_is_told(warehouse, tmp_path):
    site = site_of(A=[(10, b"<html>Sign in</html>")], B=[(20, FIRST)], C=[(200, LAST)], D=[])
    with OpenReviewServer(site=site, duedate=DEADLINE) as server:
        server.plan = always("B.0", Status(500))
        fetched = fetch(server, warehouse, tmp_path)
    assert (fetched.new, sorted(fetched.rejected)) == (1, ["A.final.pdf", "A.initial.pdf"])
    assert list(fetched.failures) == ["B"]
    assert fetched.late == ["C", "D"]
    assert warehouse.read("select forum_id, version from scidqa.manuscripts").rows() == [("C", "final")]
    reasons = "select count(*) from corpus.input_files where paper_id is null"
    assert warehouse.read(reasons).item() == 1


@pytest.mark.slow
def test_a_restricted_pdf_is_told_and_the_other_ones_come(warehouse, tmp_path):
    site = site_of(A=[(10, FIRST), (300, LAST)], B=[(20, SECOND)], C=[(30, LAST)])
    with OpenReviewServer(site=site, duedate=DEADLINE) as server:
        server.plan = lambda seen: Status(403) if seen.params.get("id") in ("A.0", "B.0") else None
        fetched = fetch(server, warehouse, tmp_path)
        assert (fetched.failure, fetched.new) == ("", 3)
        assert list(fetched.failures) == ["A", "B"]
        assert "OPENREVIEW_USERNAME" in fetched.failures["A"]
        held = "select forum_id, version from scidqa.manuscripts order by all"
        assert warehouse.read(held).rows() == [("A", "final"), ("C", "final"), ("C", "initial")]
        asked = [seen for seen in server.seen if "'B.0'" in seen.target]
        assert len(asked) == 1, "both versions of B are one file"


@pytest.mark.slow
def test_where_no_pdf_may_be_read_the_venue_is_left_for_an_account(warehouse, tmp_path):
    site = site_of(**{name: [(10, FIRST)] for name in "ABCDEFG"})
    with OpenReviewServer(site=site, duedate=DEADLINE) as server:
        server.plan = always("pdf", Status(403))
        fetched = fetch(server, warehouse, tmp_path)
        assert "OPENREVIEW_USERNAME" in fetched.failure
        assert list(fetched.failures) == ["A", "B", "C", "D", "E"]


@pytest.mark.slow
def test_without_a_deadline_nothing_is_guessed_and_a_setting_gives_it(warehouse, tmp_path):
    site = site_of(A=[(10, FIRST), (300, LAST)])
    with OpenReviewServer(site=site) as server:
        assert "AIMSCIQA_OPENREVIEW_DEADLINES" in fetch(server, warehouse, tmp_path).failure
        told = f"{CONFERENCE}=2019-10-02T07:08:20Z"
        assert fetch(server, warehouse, tmp_path, deadlines=told).new == 2


def test_a_deadline_that_is_none_is_refused():
    for wrong in ("2019-10-02", "X=soon"):
        with pytest.raises(ValueError, match="deadlines"):
            OpenReviewSettings(deadlines=wrong)
