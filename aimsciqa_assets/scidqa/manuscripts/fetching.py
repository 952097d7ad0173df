"""Manuscripts fetched from OpenReview: of each forum the initial PDF and the final one (section 3.1)."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.openreview import (
    CredentialsNeededError,
    OpenReviewClient,
    OpenReviewError,
    RestrictedError,
    Revision,
    SecondFactorError,
    deadline_of,
    newest_pdf_of,
    pdf_of,
    revisions_of,
)
from aimsciqa_resources.service_errors import RequestRefusedError
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.scidqa.intake.news import known_forums
from aimsciqa_assets.scidqa.manuscripts.files import Version, manuscript_id
from aimsciqa_assets.scidqa.manuscripts.taking import MANUSCRIPTS, take_manuscripts

_AT_ONCE: Final = 50
_MOST_FAILURES: Final = 5  # one after the other, of the kind that may concern all
_HELD: Final = f"select forum_id, version, uploaded from {MANUSCRIPTS}"


@dataclass(slots=True)
class FetchedManuscripts:
    """What became of the manuscripts of a venue.

    `new` and `replaced` versions were taken in, `known` ones were not asked for again. `rejected` gives the
    reason by the name of the file, `failures` by forum; `late` are forums without a PDF from before the
    deadline. `failure` says why the venue was not fetched to its end.
    """

    venue: str
    new: int = 0
    replaced: int = 0
    known: int = 0
    rejected: dict[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    late: list[str] = field(default_factory=list)
    batches: list[str] = field(default_factory=list)
    failure: str = ""


def chosen_revisions(revisions: Sequence[Revision], deadline: int) -> dict[Version, Revision]:
    """The last revision before the deadline and the last of all; `revisions` are sorted by time."""
    initial = [one for one in revisions if one.uploaded <= deadline]
    chosen: dict[Version, Revision] = {"initial": initial[-1]} if initial else {}
    return chosen | ({"final": revisions[-1]} if revisions else {})


def fetch_manuscripts(
    client: OpenReviewClient, venue: str, warehouse: Warehouse, store: FileStore, papers_per_batch: int
) -> FetchedManuscripts:
    """Fetch the manuscripts of the forums of a venue that are known, and take them in, some at a time.

    A version that came from a file stays; one that was uploaded at the known time is not asked for again.
    """
    fetched = FetchedManuscripts(venue)
    with _room(warehouse) as folder:
        forums = known_forums(warehouse, client.settings.invitations_of(venue))
        try:
            fetching = _Fetching(client, warehouse, folder, deadline_of(client, venue), fetched)
            with progress(f"fetching manuscripts of {venue}, forums", forums.height) as advance:
                for some in forums.iter_slices(_AT_ONCE):
                    try:
                        for forum_id, modified in some.iter_rows():
                            fetching.fetch(forum_id, modified)
                            advance(1)
                    finally:
                        _take(fetching, warehouse, store, papers_per_batch)
        except OpenReviewError as error:
            fetched.failure = str(error)
    return fetched


@contextmanager
def _room(warehouse: Warehouse) -> Iterator[Path]:
    """An empty folder for the files that come, while nobody else fetches any."""
    folder = Home(warehouse.home).unfinished_part(MANUSCRIPTS, "server")
    with warehouse.one_at_a_time("manuscripts"):
        create_tables(warehouse)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class _Fetching:
    """Fetches the files of forums into a folder."""

    def __init__(
        self,
        client: OpenReviewClient,
        warehouse: Warehouse,
        folder: Path,
        deadline: int,
        fetched: FetchedManuscripts,
    ) -> None:
        self._client = client
        self._deadline = deadline
        self._held = {(forum, version): told for forum, version, told in warehouse.read(_HELD).iter_rows()}
        self._in_a_row = 0
        self.folder = folder
        self.fetched = fetched
        self.uploaded: dict[tuple[str, Version], str] = {}

    def fetch(self, forum_id: str, modified: str | None) -> None:
        """Fetch what is not known of a forum; raises `OpenReviewError` where going on would be useless."""
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            revisions = revisions_of(self._client, forum_id)
            chosen = chosen_revisions(revisions, self._deadline)
            if "initial" not in chosen:
                self.fetched.late.append(forum_id)
            if chosen:
                self._download(forum_id, chosen)
            else:
                self._download_newest(forum_id, modified)
            self._in_a_row = 0
        except OpenReviewError as error:
            is_restricted = isinstance(error, RestrictedError)
            if isinstance(error, CredentialsNeededError | SecondFactorError) and not is_restricted:
                raise
            self.fetched.failures[forum_id] = str(error)
            self._in_a_row = self._in_a_row + 1 if error.passing or is_restricted else 0
            if self._in_a_row >= _MOST_FAILURES:
                raise

    def _download(self, forum_id: str, chosen: dict[Version, Revision]) -> None:
        """Download the versions that are not known; raises in the end if one of them is refused."""
        had: dict[str, bytes | OpenReviewError] = {}
        for version, revision in chosen.items():
            told = datetime.fromtimestamp(revision.uploaded / 1000, UTC).isoformat(timespec="milliseconds")
            if self._is_known(forum_id, version, told):
                continue
            if revision.revision_id not in had:
                had[revision.revision_id] = self._pdf(revision)
            data = had[revision.revision_id]
            if isinstance(data, bytes):
                self._put(forum_id, version, data, told)
        for data in had.values():
            if isinstance(data, OpenReviewError):
                raise data

    def _pdf(self, revision: Revision) -> bytes | OpenReviewError:
        """The file, or why it alone may not be read."""
        try:
            return pdf_of(self._client, revision)
        except (RestrictedError, RequestRefusedError) as error:
            return error

    def _download_newest(self, forum_id: str, modified: str | None) -> None:
        """Where no revision is shown, the PDF that is there now is the final one."""
        if self._is_known(forum_id, "final", modified):
            return
        if data := newest_pdf_of(self._client, forum_id):
            self._put(forum_id, "final", data, modified)

    def _is_known(self, forum_id: str, version: Version, uploaded: str | None) -> bool:
        known = (forum_id, version) in self._held and self._held[forum_id, version] in (None, uploaded)
        self.fetched.known += known
        return known

    def _put(self, forum_id: str, version: Version, data: bytes, uploaded: str | None) -> None:
        (self.folder / f"{manuscript_id(forum_id, version)}.pdf").write_bytes(data)
        if uploaded:
            self.uploaded[forum_id, version] = uploaded


def _take(fetching: _Fetching, warehouse: Warehouse, store: FileStore, papers_per_batch: int) -> None:
    """Take in the files that came, and make room for the next ones."""
    if not any(fetching.folder.glob("*")):
        return
    taken = take_manuscripts(fetching.folder, warehouse, store, papers_per_batch, fetching.uploaded)
    shutil.rmtree(fetching.folder)
    fetching.uploaded.clear()
    fetched = fetching.fetched
    fetched.new += taken.new
    fetched.replaced += taken.replaced
    fetched.known += taken.known
    fetched.rejected |= taken.rejected
    fetched.batches = taken.batches
