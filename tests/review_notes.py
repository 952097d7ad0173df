"""Made-up notes of OpenReview, in the shape of its first API."""

import json
from pathlib import Path
from typing import Any

CONFERENCE = "ICLR.cc/2020/Conference"
EPOCH = 1_570_000_000_000

Raw = dict[str, Any]


def submission(forum: str, at: int = 0, **others: Any) -> Raw:
    """The first note of a forum; `at` are seconds."""
    return _note(
        forum, forum, None, "-/Blind_Submission", CONFERENCE, at, {"title": f"Paper {forum}"}, others
    )


def review(forum: str, note_id: str, text: str = "Why seven?", at: int = 1, **others: Any) -> Raw:
    """A review of it."""
    who = f"{CONFERENCE}/Paper1/AnonReviewer1"
    return _note(forum, note_id, forum, "Paper1/-/Official_Review", who, at, {"review": text}, others)


def reply(
    forum: str, note_id: str, to: str, text: str = "It was cheaper.", at: int = 2, **others: Any
) -> Raw:
    """A reply of the authors."""
    who = f"{CONFERENCE}/Paper1/Authors"
    return _note(forum, note_id, to, "Paper1/-/Official_Comment", who, at, {"comment": text}, others)


def _note(
    forum: str, note_id: str, to: str | None, invitation: str, who: str, at: int, content: Raw, others: Raw
) -> Raw:
    stamp = EPOCH + 1000 * at
    return {
        "id": note_id,
        "forum": forum,
        "replyto": to,
        "invitation": f"{CONFERENCE}/{invitation}",
        "signatures": [who],
        "readers": ["everyone"],
        "cdate": stamp,
        "tcdate": stamp,
        "tmdate": stamp,
        "content": content,
    } | others


def write_lines(file: Path, *values: Any) -> Path:
    """Write values as JSON lines; text stays as it is."""
    lines = (value if isinstance(value, str) else json.dumps(value) for value in values)
    file.write_text("".join(f"{line}\n" for line in lines))
    return file
