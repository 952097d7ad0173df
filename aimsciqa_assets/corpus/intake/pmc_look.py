"""A look at PubMed Central: find articles, look at new and changed ones, have their files, write it down.

What came of it stands in `corpus.pmc_articles`, article by article, and from there `ingest` takes it into the
paper batches. It is written after every few hundred articles, and every file stays in the store: a look that
is killed goes on from there when it is repeated. A listing that fails ends the look and counts as no look.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2b
from typing import Any, Literal

from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.pmc.articles import ArticleVersion
from aimsciqa_resources.pmc.bucket import Bucket
from aimsciqa_resources.pmc.client import PmcClient
from aimsciqa_resources.pmc.errors import PmcError
from aimsciqa_resources.pmc.harvest import records
from aimsciqa_resources.pmc.inventory import moved_on, newest_inventory
from aimsciqa_resources.pmc.search import Search, article_ids, search_of, term_of
from aimsciqa_resources.pmc.settings import PmcSettings
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.corpus.intake.updates import (
    Change,
    KnownArticle,
    check_withdrawals,
    decide,
    is_withdrawal,
    pending,
    to_look_at,
)
from aimsciqa_assets.platform.batches import ARTICLES
from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.reading.identifiers import normalise_pmcid
from aimsciqa_assets.tables import PMC_LOOKS, TABLES

AT_ONCE = 500
"""Articles after which what was had is written down."""

_OVERLAP = timedelta(days=3)
"""An article may be found some days after the day of its entry."""
_LONGEST_HARVEST = timedelta(days=8)
_FEW_FAILURES = 20
_SAID = ("doi", "pmid", "title")

Kind = Literal["search", "ids", "news"]
Row = dict[str, Any]


class NoArticleError(PmcError):
    """An id that is none of PubMed Central."""


class TooManyNotHadError(PmcError):
    """So few articles could be had that the look does not count."""

    passing = True


@dataclass(frozen=True, slots=True)
class Look:
    """What to look for.

    search: all that the search finds, `limit` of them at most (0: no limit), always the same ones.
    ids: these articles. news: what the search finds among articles that came since the last such look (the
    first time: since the day `since`), and what became of all that are known. News are of any year, and are
    searched under any licence, so that an article which gets a wanted one later is known by then.
    """

    kind: Kind
    search: Search = field(default_factory=Search)
    ids: tuple[str, ...] = ()
    limit: int = 0
    since: date | None = None


@dataclass(slots=True)
class Looked:
    """What came of a look: a row of `ops.pmc_looks`."""

    kind: Kind
    search: str
    since: str | None
    until: str
    found_by: str
    started_at: str
    inventory: str | None = None
    found: int = 0
    looked_at: int = 0
    fetched: int = 0
    replaced: int = 0
    relabelled: int = 0
    retired: int = 0
    passed_over: int = 0
    failed: int = 0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)

    def count(self, change: Change) -> None:
        """Count a change that was made."""
        counter = _COUNTERS[change.action]
        setattr(self, counter, getattr(self, counter) + 1)

    @property
    def row(self) -> Row:
        """As it is written."""
        row = asdict(self)
        del row["failures"]
        return {"look_id": row_id(self.search, self.kind, self.started_at), **row}


_COUNTERS = {
    "fetch": "fetched",
    "replace": "replaced",
    "relabel": "relabelled",
    "retire": "retired",
    "pass_over": "passed_over",
}


def look_of(settings: PmcSettings, *, everything: bool = False, ids: Sequence[str] = ()) -> Look:
    """What the settings ask for: news, unless it is to be everything, or these articles.

    Raises `NoArticleError` for an id that is no PMCID.
    """
    search = search_of(settings)
    if ids:
        pmcids = [normalise_pmcid(one) for one in ids]
        if strangers := [one for one, pmcid in zip(ids, pmcids, strict=True) if pmcid is None]:
            raise NoArticleError(f"These are no PMCIDs (PMC13901): {', '.join(strangers)}.")
        return Look("ids", Search(licences=search.licences), ids=tuple(filter(None, pmcids)))
    if everything:
        return Look("search", search, limit=settings.limit)
    return Look("news", search, since=settings.first_day)


def look(
    what: Look,
    warehouse: Warehouse,
    store: FileStore,
    client: PmcClient,
    now: datetime | None = None,
) -> Looked:
    """Look at PubMed Central, and have what is wanted of it in the store and in `corpus.pmc_articles`.

    Two looks at once wait for each other. An article that cannot be had stays as it was, is counted, and is
    tried again by the next look. Raises `PmcError` when it cannot be found out what there is, and
    `TooManyWithdrawnError`; what was had is kept then, and the look does not count.
    """
    started = now or datetime.now(tz=UTC)
    with warehouse.one_at_a_time("pmc"):
        create_tables(warehouse)
        return _Looking(what, warehouse, store, client, started).look()


class _Looking:
    """One look, while it goes on."""

    def __init__(
        self, what: Look, warehouse: Warehouse, store: FileStore, client: PmcClient, started: datetime
    ) -> None:
        self._what = what
        self._warehouse = warehouse
        self._client = client
        self._bucket = Bucket(client, store)
        self._started = started
        known = as_declared(ARTICLES, warehouse.read(f"select * from {ARTICLES}"))
        self._rows = {row["pmcid"]: row for row in known.to_dicts()}
        self._known = {pmcid: _article_of(row) for pmcid, row in self._rows.items()}
        self._papers = sum(article.status == "in" for article in self._known.values())
        self._withdrawals: list[Change] = []

    def look(self) -> Looked:
        looked, found = self._find()
        looked.found = len(found)
        moved: set[str] = set()
        if self._what.kind == "news" and self._known:
            inventory = newest_inventory(self._client)
            looked.inventory = inventory.taken_at
            moved = moved_on(
                {pmcid: (article.version, article.etag) for pmcid, article in self._known.items()}, inventory
            )
            # Of those that are known the inventory tells whether there is anything new.
            found = [pmcid for pmcid in found if pmcid not in self._known]
        wanted = dict.fromkeys(found, tuple(self._what.search.licences))
        looking = to_look_at(found, self._known, moved)
        looked.looked_at = len(looking)
        with progress("looking at articles of PubMed Central", len(looking)) as advance:
            for start in range(0, len(looking), AT_ONCE):
                some = looking[start : start + AT_ONCE]
                self._bring_up_to_date(some, wanted, looked)
                advance(len(some))
        if looked.failed > max(_FEW_FAILURES, looked.looked_at // 2):
            raise TooManyNotHadError(
                f"{looked.failed:,} of {looked.looked_at:,} articles could not be had: {looked.failures[0]}. "
                "Those that could are kept; the next look tries the others again."
            )
        self._withdraw(looked)
        looked.seconds = (datetime.now(tz=UTC) - self._started).total_seconds()
        self._warehouse.replace(
            [Write(PMC_LOOKS.name, PMC_LOOKS.ddl(), frame_of(PMC_LOOKS.name, [looked.row]), {}, ("look_id",))]
        )
        return looked

    def _find(self) -> tuple[Looked, list[str]]:
        """The articles that there are, by search or by their ids, before any is looked at."""
        what, today = self._what, self._started.date()
        looked = Looked(
            kind=what.kind,
            search="" if what.kind == "ids" else term_of(what.search),
            since=None,
            until=today.isoformat(),
            found_by="ids" if what.kind == "ids" else "E-utilities",
            started_at=self._started.isoformat(timespec="seconds"),
        )
        if what.kind == "ids":
            return looked, sorted(set(what.ids))
        if what.kind == "search":
            found = sorted(set(self._searched(what.search)), key=_lot)
            return looked, found[: what.limit] if what.limit else found
        since = self._since(looked.search, today)
        looked.since = since.isoformat()
        try:
            came = replace(what.search, licences=(), published=None, entered=(since, today))
            return looked, sorted(set(self._searched(came)))
        except PmcError as error:
            if not (error.passing and _can_be_harvested(what.search, today - since)):
                raise
            looked.found_by = "OAI-PMH"
            return looked, sorted({record.pmcid for record in records(self._client, since, today)})

    def _searched(self, search: Search) -> Iterator[str]:
        return article_ids(self._client, term_of(search))

    def _since(self, search: str, today: date) -> date:
        """The first day to search: some days before the last one that the same search has seen."""
        last = self._warehouse.read(
            "select max(until) as until from ops.pmc_looks where kind = 'news' and search = $search",
            {"search": search},
        )["until"][0]
        if last:
            return date.fromisoformat(last) - _OVERLAP
        return self._what.since or today - _OVERLAP

    def _bring_up_to_date(
        self, pmcids: Sequence[str], wanted: Mapping[str, tuple[str, ...]], looked: Looked
    ) -> None:
        """Look at some articles, have their files, and write down what they are now."""
        served: dict[str, ArticleVersion | None] = {}
        failed: dict[str, PmcError] = {}
        for pmcid, article in self._bucket.newest_of(pmcids):
            if isinstance(article, PmcError):
                failed[pmcid] = article
            else:
                served[pmcid] = article
        changes = decide(self._known, served, wanted)
        self._withdrawals += filter(is_withdrawal, changes)
        changes = [change for change in changes if not is_withdrawal(change)]
        files = {
            change.article.xml
            for change in changes
            if change.action in ("fetch", "replace") and change.article and change.article.xml
        }
        had = dict(self._bucket.fetch_all(files))
        for change in changes:
            file_id = had.get(change.article.xml) if change.article and change.article.xml else None
            if isinstance(file_id, PmcError):
                failed[change.after.pmcid] = file_id
            else:
                self._note(change.after, change.article, file_id)
                looked.count(change)
        for pmcid in failed:
            self._note(pending(pmcid, self._known.get(pmcid), wanted.get(pmcid, ())), None, None)
        looked.failed += len(failed)
        looked.failures += [f"{pmcid}: {error}" for pmcid, error in failed.items()]
        self._write(pmcids)

    def _withdraw(self, looked: Looked) -> None:
        """Believe that papers are gone once all were looked at, and only if they are few."""
        check_withdrawals(len(self._withdrawals), self._papers, self._client.settings.most_withdrawn)
        for change in self._withdrawals:
            self._note(change.after, None, None)
            looked.count(change)
        self._write([change.after.pmcid for change in self._withdrawals])

    def _note(self, known: KnownArticle, article: ArticleVersion | None, file_id: str | None) -> None:
        before = self._rows.get(known.pmcid, {})
        said: Row = {name: getattr(article, name) if article else before.get(name, "") for name in _SAID}
        self._known[known.pmcid] = known
        self._rows[known.pmcid] = {
            "pmcid": known.pmcid,
            "status": known.status,
            "version": known.version,
            "licence": known.licence,
            "retracted": known.retracted,
            **said,
            "xml_md5": known.xml_md5,
            "etag": known.etag,
            "file_id": file_id or before.get("file_id"),
            "wanted_licences": list(known.wanted),
            "looked_at": self._started.isoformat(timespec="seconds"),
        }

    def _write(self, pmcids: Iterable[str]) -> None:
        rows = frame_of(ARTICLES, [self._rows[pmcid] for pmcid in pmcids if pmcid in self._rows])
        self._warehouse.replace([Write(ARTICLES, TABLES[ARTICLES].ddl(), rows, {}, ("pmcid",))])


def _article_of(row: Row) -> KnownArticle:
    return KnownArticle(
        row["pmcid"],
        row["status"],
        row["version"],
        row["etag"],
        row["xml_md5"],
        row["licence"],
        row["retracted"],
        tuple(row["wanted_licences"]),
    )


def _lot(pmcid: str) -> bytes:
    """Articles in an order that says nothing about them: a limited search then is a fair sample."""
    return blake2b(pmcid.encode(), digest_size=8).digest()


def _can_be_harvested(search: Search, days: timedelta) -> bool:
    """Whether OAI-PMH, which knows days and nothing else, can stand in for E-utilities."""
    return not search.query.strip() and days <= _LONGEST_HARVEST
