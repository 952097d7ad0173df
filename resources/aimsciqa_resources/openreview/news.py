"""The notes of a venue that were written or changed since a time, the newest first."""

from collections.abc import Iterator
from typing import Any, Final

from aimsciqa_resources.openreview.client import OpenReviewClient, Version
from aimsciqa_resources.openreview.errors import NoSubmissionsError, ShiftedListingError
from aimsciqa_resources.service_errors import UnexpectedAnswerError

# Pages share notes, so that one which goes meanwhile hides no other.
_SHARED: Final = 2
_NOTES_OF_A_FORUM: Final = 10
_LONGEST_PAGE: Final = 1000
_DATES: Final = ("tmdate", "mdate", "tcdate", "cdate")


def news_of(client: OpenReviewClient, venue: str, since: int) -> Iterator[dict[str, Any]]:
    """All notes of a venue, of its forums or not, that changed since `since`, deleted ones included.

    `since` are milliseconds since 1970. A note that changes meanwhile may come twice, or not at all if it
    changes after the call. Raises `NoSubmissionsError` where no API has a single note of the venue, however
    old, and other `OpenReviewError`s.
    """
    found = False
    for version in client.versions:
        for note in _newest_first(client, version, venue):
            found = True
            if _changed(note, venue) < since:
                break
            yield note
    if not found:
        raise NoSubmissionsError(
            f"OpenReview lists no notes of {venue}, so that it cannot be told what is new: fetch the venue "
            "without --news."
        )


def _newest_first(client: OpenReviewClient, version: Version, venue: str) -> Iterator[dict[str, Any]]:
    """The notes of a venue page by page; the first API finds them by a pattern, the second by the domain."""
    # Single notes are small; a page of submissions comes with whole forums.
    size = min(_LONGEST_PAGE, _NOTES_OF_A_FORUM * client.settings.page_size)
    params: dict[str, str | int] = {"sort": "tmdate:desc", "trash": "true", "limit": size}
    params |= {"invitation": f"{venue}/.*"} if version == "v1" else {"domain": venue}
    offset = 0
    before: set[str] = set()
    while True:
        answer = client.read(version, "/notes", params | {"offset": offset})
        page = _checked(answer.get("notes"), venue)
        ids = {note["id"] for note in page}
        if offset and not ids & before:
            if not page:
                return
            raise ShiftedListingError(f"{venue}: so many notes went that a page of news was passed over.")
        yield from (note for note in page if note["id"] not in before)
        if len(page) < size:
            return
        before = ids
        offset += size - _SHARED


def _checked(page: Any, venue: str) -> list[dict[str, Any]]:
    if not isinstance(page, list):
        raise UnexpectedAnswerError(f"{venue}: the answer has no list of notes.")
    if not all(isinstance(note, dict) and isinstance(note.get("id"), str) for note in page):
        raise UnexpectedAnswerError(f"{venue}: a note without an id came.")
    dates = [_changed(note, venue) for note in page]
    if dates != sorted(dates, reverse=True):
        raise UnexpectedAnswerError(f"{venue}: notes came that are not sorted by the time of their change.")
    return page


def _changed(note: dict[str, Any], venue: str) -> int:
    """When a note changed last, in milliseconds."""
    for name in _DATES:
        if isinstance(note.get(name), int | float):
            return int(note[name])
    raise UnexpectedAnswerError(f"{venue}: the note {note['id']} came without a date.")
