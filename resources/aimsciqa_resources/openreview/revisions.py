"""The PDFs of a submission as they were uploaded, one after the other, and until when that was allowed."""

from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_resources.openreview.client import OpenReviewClient, Version
from aimsciqa_resources.openreview.errors import NoDeadlineError
from aimsciqa_resources.service_errors import RequestRefusedError, UnexpectedAnswerError

_DATES: Final = ("tcdate", "cdate", "tmdate", "mdate")


@dataclass(frozen=True, slots=True)
class Revision:
    """A PDF that was uploaded, at `uploaded`, in milliseconds since 1970."""

    revision_id: str
    version: Version
    uploaded: int


def revisions_of(client: OpenReviewClient, forum_id: str) -> list[Revision]:
    """All revisions of a submission that brought a PDF, the oldest first. Raises `OpenReviewError`s.

    The first API has them as references, the second as edits.
    """
    refused: RequestRefusedError | None = None
    for version in client.versions:
        try:
            found = _references(client, forum_id) if version == "v1" else _edits(client, forum_id)
        except RequestRefusedError as error:
            # An API may refuse what only the other one has.
            refused = error
            continue
        if found:
            return sorted(found, key=lambda one: (one.uploaded, one.revision_id))
    if refused:
        raise refused
    return []


def pdf_of(client: OpenReviewClient, revision: Revision) -> bytes:
    """The file of a revision, whatever it is. Raises `OpenReviewError`s."""
    if revision.version == "v1":
        return client.download("v1", "/references/pdf", {"id": revision.revision_id})
    return client.download("v2", "/notes/edits/attachment", {"id": revision.revision_id, "name": "pdf"})


def newest_pdf_of(client: OpenReviewClient, forum_id: str) -> bytes | None:
    """The PDF that a submission has now; None where no API serves one. Raises `OpenReviewError`s."""
    for version in client.versions:
        try:
            return client.download(version, "/pdf", {"id": forum_id})
        except RequestRefusedError:
            continue
    return None


def deadline_of(client: OpenReviewClient, venue: str) -> int:
    """Until when papers could be submitted, in milliseconds: by the settings, or else by the invitations.

    Raises `NoDeadlineError` where neither tells it, and other `OpenReviewError`s.
    """
    if told := client.settings.deadline_of(venue):
        return told
    dates = [
        int(invitation["duedate"])
        for version in client.versions
        for name in client.settings.invitations_of(venue)
        for invitation in _listed(client, version, "/invitations", {"id": name, "expired": "true"})
        if isinstance(invitation.get("duedate"), int | float)
    ]
    if not dates:
        raise NoDeadlineError(
            f"OpenReview does not tell until when papers could be submitted to {venue}, so that it is not "
            f"known which PDF is the initial one: set AIMSCIQA_OPENREVIEW_DEADLINES="
            f'"{venue}=2019-09-25T23:59:00Z".'
        )
    return max(dates)


def _references(client: OpenReviewClient, forum_id: str) -> list[Revision]:
    params: dict[str, str | int] = {"referent": forum_id, "original": "true"}
    found = _listed(client, "v1", "/references", params)
    return [_revision(one, "v1") for one in found if _object(one, "content").get("pdf") and not _gone(one)]


def _edits(client: OpenReviewClient, forum_id: str) -> list[Revision]:
    params: dict[str, str | int] = {"note.id": forum_id, "sort": "tcdate:asc"}
    found = _listed(client, "v2", "/notes/edits", params)
    contents = [_object(_object(one, "note"), "content") for one in found]
    return [
        _revision(one, "v2")
        for one, content in zip(found, contents, strict=True)
        if _object(content, "pdf").get("value") and not _gone(one)
    ]


def _listed(
    client: OpenReviewClient, version: Version, path: str, params: dict[str, str | int]
) -> list[dict[str, Any]]:
    """What a path lists, under its last word."""
    try:
        answer = client.read(version, path, params)
    except RequestRefusedError:
        if path == "/invitations":
            return []
        raise
    listed = answer.get(path.rpartition("/")[2])
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise UnexpectedAnswerError(f"{path}: the answer is no list of objects.")
    return listed


def _object(value: dict[str, Any], name: str) -> dict[str, Any]:
    inner = value.get(name)
    return inner if isinstance(inner, dict) else {}


def _gone(revision: dict[str, Any]) -> bool:
    return revision.get("ddate") is not None


def _revision(raw: dict[str, Any], version: Version) -> Revision:
    dates = [raw[name] for name in _DATES if isinstance(raw.get(name), int | float)]
    if not isinstance(raw.get("id"), str) or not dates:
        raise UnexpectedAnswerError("a revision came without an id or a date.")
    return Revision(raw["id"], version, int(dates[0]))
