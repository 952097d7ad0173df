"""The submissions of a venue, each with all notes of its forum."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aimsciqa_resources.openreview.client import OpenReviewClient, Version
from aimsciqa_resources.openreview.errors import NoSubmissionsError, ShiftedListingError
from aimsciqa_resources.service_errors import UnexpectedAnswerError


@dataclass(frozen=True, slots=True)
class ServedForum:
    """A forum as it is served: the submission and everything that was written about it."""

    forum_id: str
    notes: list[Any]


def threads_of(client: OpenReviewClient, venue: str) -> Iterator[ServedForum]:
    """All forums of a venue, by whichever API has them, each once.

    Pages follow each other by the last id, so that notes which come or go meanwhile shift nothing. Raises
    `NoSubmissionsError` where no API has any, and other `OpenReviewError`s.
    """
    seen: set[str] = set()
    for version in client.versions:
        for invitation in client.settings.invitations_of(venue):
            for forum in _forums(client, version, invitation):
                if forum.forum_id not in seen:
                    seen.add(forum.forum_id)
                    yield forum
    if not seen:
        raise NoSubmissionsError(
            f"OpenReview has no submissions of {venue}: look whether AIMSCIQA_OPENREVIEW_VENUES and "
            "AIMSCIQA_OPENREVIEW_INVITATIONS are right, and whether the API that has them is set."
        )


def thread_by_id(client: OpenReviewClient, forum_id: str) -> ServedForum | None:
    """A forum with all of its notes; None where no API shows it. Raises `OpenReviewError`s."""
    for version in client.versions:
        answer = client.read(version, "/notes", {"id": forum_id, "details": "replies"})
        if page := answer.get("notes"):
            return _forum(page[0] if isinstance(page, list) else None, forum_id)
    return None


def _forums(client: OpenReviewClient, version: Version, invitation: str) -> Iterator[ServedForum]:
    size = client.settings.page_size
    last = ""
    seen: set[str] = set()
    while True:
        params: dict[str, str | int] = {
            "invitation": invitation,
            "details": "replies",
            "sort": "id",
            "limit": size,
        }
        answer = client.read(version, "/notes", params | ({"after": last} if last else {}))
        page = answer.get("notes")
        if not isinstance(page, list):
            raise UnexpectedAnswerError(f"{invitation}: the answer has no list of notes.")
        if not page:
            return
        forums = [_forum(note, invitation) for note in page]
        new = [forum for forum in forums if forum.forum_id not in seen]
        if not new:
            raise ShiftedListingError(f"{invitation}: the page after {last!r} comes again.")
        seen |= {forum.forum_id for forum in new}
        last = forums[-1].forum_id
        yield from new


def _forum(note: Any, invitation: str) -> ServedForum:
    """The forum of a submission; its replies come in its details."""
    if not isinstance(note, dict) or not isinstance(note.get("id"), str):
        raise UnexpectedAnswerError(f"{invitation}: a note without an id came.")
    details = note.get("details")
    replies = details.get("replies") if isinstance(details, dict) else None
    if not isinstance(replies, list):
        raise UnexpectedAnswerError(f"{invitation}: {note['id']} came without its replies.")
    return ServedForum(note["id"], [note, *(reply for reply in replies if _is_other(reply, note["id"]))])


def _is_other(reply: Any, forum_id: str) -> bool:
    return not (isinstance(reply, dict) and reply.get("id") == forum_id)
