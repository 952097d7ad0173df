"""What changed in the threads of a venue since they were fetched last, and when that was."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import polars as pl
from aimsciqa_resources.openreview import OpenReviewClient, ServedForum, news_of, thread_by_id
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.scidqa.intake.listing import Listing
from aimsciqa_assets.tables import REVIEW_FETCHES

# Clocks differ, and what is being written while a fetch begins shows later.
_OVERLAP: Final = timedelta(days=1)
_KNOWN: Final = """
select forums.forum_id, roots.modified
from scidqa.forums as forums
inner join scidqa.notes as roots on forums.forum_id = roots.note_id
where list_contains($invitations, roots.invitation)
order by forums.forum_id
"""


@dataclass(frozen=True, slots=True)
class VenueFetch:
    """A fetch of a venue that succeeded began at `until`, and the last one of all threads at `whole`."""

    venue: str
    until: datetime
    whole: datetime

    @property
    def write(self) -> Write:
        """The write that remembers it."""
        row = {"venue": self.venue, "until": self.until.isoformat(), "whole": self.whole.isoformat()}
        rows = frame_of(REVIEW_FETCHES.name, [row])
        return Write(REVIEW_FETCHES.name, REVIEW_FETCHES.ddl(), rows, {"venue": self.venue})


def last_fetch(warehouse: Warehouse, venue: str) -> VenueFetch | None:
    """The last fetch of a venue that succeeded."""
    query = f"select until, whole from {REVIEW_FETCHES.name} where venue = $venue"
    for until, whole in warehouse.read(query, {"venue": venue}).iter_rows():
        return VenueFetch(venue, datetime.fromisoformat(until), datetime.fromisoformat(whole))
    return None


def known_forums(warehouse: Warehouse, invitations: list[str]) -> pl.DataFrame:
    """The forums whose submissions answer these invitations: `forum_id`, and when the submission was
    `modified`.
    """
    return warehouse.read(_KNOWN, {"invitations": invitations})


def list_news(
    listing: Listing, client: OpenReviewClient, venue: str, warehouse: Warehouse, since: datetime
) -> None:
    """List the notes of a venue's forums that changed since a time; of new forums, all notes.

    Raises `OpenReviewError`s.
    """
    invitations = client.settings.invitations_of(venue)
    known = set(known_forums(warehouse, invitations)["forum_id"])
    others = dict[str, None]()
    with progress(f"fetching news of {venue}, notes") as advance:
        for note in news_of(client, venue, int((since - _OVERLAP).timestamp() * 1000)):
            forum_id = str(note.get("forum") or note["id"])
            if forum_id in known:
                listing.add(note)
            else:
                others[forum_id] = None
            advance(1)
    # Notes of a new forum may be older than it is public.
    for forum_id in others:
        forum = thread_by_id(client, forum_id)
        if forum and _is_submission(forum, invitations):
            listing.add_forum(forum.forum_id, forum.notes)


def _is_submission(forum: ServedForum, invitations: list[str]) -> bool:
    root: dict[str, Any] = forum.notes[0]
    named = root.get("invitations")
    return any(one in invitations for one in (named if isinstance(named, list) else [root.get("invitation")]))
