"""The decisions of a night, with literals, and over many simulated nights."""

from dataclasses import dataclass, field

import pytest
from aimsciqa_resources.pmc.articles import ArticleVersion, read_metadata
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from aimsciqa_assets.corpus.intake.updates import (
    Change,
    KnownArticle,
    TooManyWithdrawnError,
    check_withdrawals,
    decide,
    is_withdrawal,
    pending,
    to_look_at,
)
from tests.pmc_server import Archive
from tests.pmc_server.archive import etag_of

LICENCES = ["CC BY", "CC0", "CC BY-ND", "TDM", None]
WANTED = ("CC BY", "CC0")


def article(version=1, md5="a", licence="CC BY", retracted=False, etag="e", xml=True):
    url = f"s3://b/PMC1.{version}/x.xml?md5={md5 * 32}" if xml else None
    return ArticleVersion(
        pmcid="PMC1",
        version=version,
        is_retracted=retracted,
        license_code=licence,
        etag=etag,
        xml_url=url,
    )


def known(status="in", version=1, md5="a", licence="CC BY", etag="e", retracted=False):
    return KnownArticle("PMC1", status, version, etag, md5 * 32, licence, retracted, WANTED)


GONE = KnownArticle("PMC1", "withdrawn", wanted=WANTED)
PENDING = KnownArticle("PMC1", "pending", wanted=WANTED)


@pytest.mark.parametrize(
    ("before", "served", "action", "after"),
    [
        (None, article(), "fetch", known()),
        (known(), article(), None, known()),
        (known(), article(version=2, md5="b", etag="f"), "replace", known(version=2, md5="b", etag="f")),
        (known(version=10), article(version=9), "replace", known(version=9)),
        (known(), article(md5="b", etag="f"), "replace", known(md5="b", etag="f")),
        (known(), article(etag="f"), "relabel", known(etag="f")),
        (known(), article(licence="CC0", etag="f"), "relabel", known(licence="CC0", etag="f")),
        (
            known(),
            article(licence="CC BY-ND", etag="f"),
            "retire",
            known("licence", licence="CC BY-ND", etag="f"),
        ),
        (known(), article(retracted=True, etag="f"), "relabel", known(retracted=True, etag="f")),
        (known(), article(xml=False, etag="f"), "retire", known("no_xml", md5="", etag="f")),
        (known(), None, "retire", GONE),
        (GONE, None, None, GONE),
        (GONE, article(), "fetch", known()),
        (None, None, "pass_over", GONE),
        (None, article(licence="TDM"), "pass_over", known("licence", licence="TDM")),
        (None, article(licence=""), "pass_over", known("licence", licence="")),
        (known("licence", licence="TDM", etag="d"), article(), "fetch", known()),
        (None, article(retracted=True), "fetch", known(retracted=True)),
        (PENDING, article(), "fetch", known()),
        (PENDING, None, "pass_over", GONE),
    ],
)
def test_what_follows_from_what_is_known_and_served(before, served, action, after):
    changes = decide({"PMC1": before} if before else {}, {"PMC1": served}, {"PMC1": WANTED})
    assert changes == ([] if action is None else [Change(action, after, served)])
    assert decide({"PMC1": after}, {"PMC1": served}, {}) == []


def test_without_licences_any_is_wanted_and_another_search_may_want_more():
    tdm = article(licence="TDM")
    passed_over = decide({}, {"PMC1": tdm}, {"PMC1": ("CC0",)})[0]
    assert passed_over.action == "pass_over"
    changes = decide({"PMC1": passed_over.after}, {"PMC1": tdm}, {"PMC1": ()})
    assert [change.action for change in changes] == ["fetch"]


def test_about_what_was_not_looked_at_nothing_is_decided():
    assert decide({"PMC1": known()}, {}, {}) == []


def test_a_bucket_that_moved_is_not_a_night_of_withdrawals():
    with pytest.raises(TooManyWithdrawnError, match="21 of 100 papers"):
        check_withdrawals(21, 100, 0.05)
    check_withdrawals(20, 100, 0.05)
    check_withdrawals(50, 1000, 0.05)
    check_withdrawals(100, 100, 1)
    gone, kept = decide({"PMC1": known()}, {"PMC1": None}, {}), decide({}, {"PMC1": None}, {})
    assert [is_withdrawal(change) for change in (*gone, *kept)] == [True, False]


def test_what_to_look_at():
    articles = {"PMC3": PENDING, "PMC1": known(), "PMC4": GONE, "PMC6": known("licence")}
    found = ["PMC5", "PMC2", "PMC1", "PMC6"]
    assert to_look_at(found, articles, {"PMC2"}) == ["PMC2", "PMC3", "PMC5", "PMC6"]
    assert to_look_at([], articles, {"PMC1"}) == ["PMC1", "PMC3"]
    assert to_look_at([], {}, []) == []


def test_a_new_article_that_could_not_be_had_is_pending():
    assert pending("PMC1", None, WANTED) == PENDING
    assert pending("PMC1", known(), ()) == known()
    assert pending("PMC1", GONE, ()) == GONE


def wanted(archive):
    """What the corpus should have: PMCID, version and text of every article that it may have."""
    return {
        pmcid: (version.number, version.text)
        for pmcid, version in archive.newest().items()
        if version.licence in WANTED
    }


@dataclass
class Corpus:
    """What the nights left: what is known of each article, and the papers that are in."""

    known: dict[str, KnownArticle] = field(default_factory=dict)
    papers: dict[str, tuple[int, str]] = field(default_factory=dict)
    searched: int = 0

    def apply(self, change: Change, text: str = "") -> None:
        after = change.after
        if change.action == "fetch":
            assert after.pmcid not in self.papers
        if change.action in ("replace", "relabel", "retire"):
            assert after.pmcid in self.papers
        if change.action in ("fetch", "replace"):
            self.papers[after.pmcid] = (after.version, text)
        elif change.action == "retire":
            del self.papers[after.pmcid]
        self.known[after.pmcid] = after


class Nights(RuleBasedStateMachine):
    """An archive that lives by day, and nights in which anything may fail to be looked at or fetched.

    The search and the inventory are played by plain dictionaries here; `test_pmc_nights` has the real ones.
    """

    articles = Bundle("articles")

    def __init__(self):
        super().__init__()
        self.archive = Archive()
        self.corpus = Corpus()
        self.arrivals = []
        self.count = 0

    @rule(target=articles, licence=st.sampled_from(LICENCES))
    def arrival(self, licence):
        self.count += 1
        pmcid = f"PMC{self.count}"
        self.archive.publish(pmcid, licence=licence, text="first")
        self.arrivals.append(pmcid)
        return pmcid

    @rule(pmcid=articles, text=st.sampled_from(["first", "second"]))
    def new_version(self, pmcid, text):
        self.archive.revise(pmcid, text)

    @rule(pmcid=articles, text=st.sampled_from(["first", "second"]))
    def correction(self, pmcid, text):
        self.archive.correct(pmcid, text)

    @rule(pmcid=articles)
    def newest_version_withdrawn(self, pmcid):
        if len(self.archive.articles[pmcid]) > 1:
            self.archive.withdraw_version(pmcid)

    @rule(pmcid=consumes(articles))
    def withdrawal(self, pmcid):
        self.archive.withdraw(pmcid)

    @rule(target=articles, pmcid=consumes(articles))
    def withdrawn_for_a_night(self, pmcid):
        self.archive.withdraw(pmcid)
        self.night({}, True)
        self.archive.publish(pmcid, text="again")
        return pmcid

    @rule(pmcid=articles)
    def retraction(self, pmcid):
        self.archive.retract(pmcid)

    @rule(pmcid=articles, licence=st.sampled_from(LICENCES))
    def licence_change(self, pmcid, licence):
        self.archive.relicense(pmcid, licence)

    @rule(
        fails=st.dictionaries(st.integers(1, 12), st.sampled_from(["look", "fetch"])),
        inventory=st.booleans(),
    )
    def a_night(self, fails, inventory):
        self.night({f"PMC{number}": what for number, what in fails.items()}, inventory)

    def night(self, fails, inventory):
        newest = self.archive.newest()
        moved = {
            pmcid
            for pmcid, article in self.corpus.known.items()
            if inventory
            and (article.version, article.etag)
            != ((newest[pmcid].number, etag_of(newest[pmcid].metadata)) if pmcid in newest else (0, ""))
        }
        found, self.arrivals = self.arrivals, []
        looking = to_look_at(found, self.corpus.known, moved)
        served = {}
        for pmcid in looking:
            if fails.get(pmcid) == "look":
                self.corpus.known[pmcid] = pending(pmcid, self.corpus.known.get(pmcid), WANTED)
            elif pmcid in newest:
                version = newest[pmcid]
                content = version.metadata
                served[pmcid] = read_metadata(content, pmcid, version.number, etag_of(content))
            else:
                served[pmcid] = None
        for change in decide(self.corpus.known, served, dict.fromkeys(looking, WANTED)):
            pmcid = change.after.pmcid
            if change.action in ("fetch", "replace") and fails.get(pmcid) == "fetch":
                self.corpus.known[pmcid] = pending(pmcid, self.corpus.known.get(pmcid), WANTED)
            else:
                self.corpus.apply(change, newest[pmcid].text if pmcid in newest else "")

    @invariant()
    def what_is_in_is_known_to_be_in(self):
        assert set(self.corpus.papers) == {
            pmcid for pmcid, article in self.corpus.known.items() if article.status == "in"
        }

    @rule()
    def after_a_good_night_all_is_as_served(self):
        self.night({}, True)
        assert self.corpus.papers == wanted(self.archive)
        before = dict(self.corpus.known)
        self.night({}, True)
        assert self.corpus.known == before

    def teardown(self):
        self.after_a_good_night_all_is_as_served()


Nights.TestCase.settings = settings(
    max_examples=150,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
TestNights = pytest.mark.slow(Nights.TestCase)
