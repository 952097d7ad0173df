"""A note of OpenReview becomes a `Note`: of API v1, of API v2, or of a file in either shape.

v1 has one `invitation` and plain values in `content`; v2 has `invitations`, and wraps values as
`{"value": ..., "readers": [...]}`. Whatever has the wrong type counts as missing.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, Literal

from aimsciqa_resources.storable import storable

from aimsciqa.files import NotJsonError, NotUtf8Error, json_of
from aimsciqa_assets.reading.licences import licence_name
from aimsciqa_assets.tables.vocabulary import NoteKind, NoteWriter

Reason = Literal["restricted", "deleted", "no_text"]
Raw = Mapping[str, Any]

EVERYONE: Final = "everyone"
_LONGEST_ID: Final = 500
_LONGEST_STAMP: Final = 253_402_300_799_999  # the last millisecond of the year 9999
_MAIN: Final = (
    *("review", "main_review", "comment", "rebuttal", "response", "reply"),
    *("metareview", "meta_review", "question", "abstract", "decision", "recommendation"),
)
"""The field that holds what a note says; its name is not written above it."""
_DECISION_FIELDS: Final = ("decision", "recommendation")
_NOT_READ: Final = frozenset(
    {"title", "authors", "authorids", "pdf", "html", "venue", "venueid", "paperhash", "code", "data"}
)
_FILE: Final = re.compile(r"/(pdf|attachment)/\S*")
_KINDS: Final[tuple[tuple[re.Pattern[str], NoteKind], ...]] = tuple(
    (re.compile(pattern), kind)  # type: ignore[misc]
    for pattern, kind in (
        (r"meta[-_ ]?review", "meta_review"),
        (r"(ethics|post)[-_ ]?review|review[-_ ](rating|revision|stage)", "other"),
        (r"rebuttal|(author|official)[-_ ]?response|^response$", "response"),
        (r"decision|^acceptance$", "decision"),
        (r"comment$", "comment"),
        (r"(^|[-_/ ])(review|question)$", "review"),
        (r"submission$", "submission"),
    )
)
_WRITERS: Final[tuple[tuple[re.Pattern[str], NoteWriter], ...]] = tuple(
    (re.compile(pattern, re.I), writer)  # type: ignore[misc]
    for pattern, writer in (
        (r"/authors?$", "authors"),
        (
            r"/(program|senior[-_]?area|general|publication)[-_]?chairs?\w*$|/editors?[-_]in[-_]chief$",
            "chairs",
        ),
        (r"/(area[-_]?chairs?|action[-_]editors?|ac)(\d+|_\w+)?$", "area_chair"),
        (r"/(anon)?reviewers?(\d+|_\w+)?$", "reviewer"),
        (r"^~|^\(anonymous\)$|^[^/@\s]+@[^/@\s]+$", "public"),
        (r"/conference$|^[\w.]+/\d{4}/\w+$", "chairs"),
    )
)
_OF_VENUE: Final = re.compile(r"([A-Za-z][\w-]*?)(?:\.[a-z]{2,4})?(?:/[^/]+)*?/((?:19|20)\d\d)(?:/|$)")
_JOURNAL: Final = re.compile(r"([A-Za-z][\w-]*)/")


class RejectedNoteError(ValueError):
    """What holds no note; `reason` is a word for it."""

    def __init__(self, reason: str, detail: str, note_id: str | None = None) -> None:
        super().__init__(detail)
        self.reason = reason
        self.note_id = note_id


@dataclass(frozen=True, slots=True)
class Told:
    """What a line with a whole forum says about it, for its notes; null where it says nothing."""

    forum_id: str | None = None
    title: str | None = None
    venue: str | None = None
    year: int | None = None
    decision: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A note as the table `scidqa.notes` has it, whose columns say what the fields mean.

    `fields` gives the offsets of the fields of the content in `text`.
    """

    note_id: str
    forum_id: str
    replyto: str | None
    invitation: str
    kind: NoteKind
    writer: NoteWriter
    signature: str
    title: str | None
    text: str
    venue: str | None
    year: int | None
    decision: str | None
    licence: str | None
    created: str | None
    modified: str | None
    stamp: int
    raw_hash: str
    deleted: bool
    rejection_reason: Reason | None
    fields: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def row(self) -> dict[str, Any]:
        """Its row, but for the batch."""
        named = {name: getattr(self, name) for name in self.__slots__}
        fields = json.dumps({name: list(place) for name, place in self.fields.items()})
        return named | {"fields": fields, "status": "rejected" if self.rejection_reason else "accepted"}


def read_line(line: bytes) -> tuple[Told, list[Any]]:
    """The notes of a line of JSON, which is a forum with `notes` or a single note, and what it says of them.

    Raises `RejectedNoteError`: `not_utf8`, `not_json`, `not_an_object`, `no_notes`.
    """
    try:
        value = json_of(line, strict=False)
    except NotUtf8Error as error:
        raise RejectedNoteError("not_utf8", str(error)) from None
    except NotJsonError as error:
        raise RejectedNoteError("not_json", str(error)) from None
    if not isinstance(value, dict):
        raise RejectedNoteError("not_an_object", "the line is neither a note nor a forum with notes")
    if "notes" not in value:
        return Told(), [value]
    if not isinstance(value["notes"], list) or not value["notes"]:
        raise RejectedNoteError("no_notes", "notes is no list, or an empty one")
    told = Told(
        _id(value.get("forum")) or _id(value.get("id")),
        _line(value.get("title")),
        _line(value.get("venue")),
        _year(value.get("year")),
        _line(value.get("decision")),
    )
    return told, value["notes"]


def read_note(raw: Any, told: Told | None = None) -> Note:
    """The note. What may not be read has no text; what cannot be used says why.

    Raises `RejectedNoteError` for what is no note of a forum: `not_a_note`, `no_id`, `no_forum`.
    """
    told = told or Told()
    if not isinstance(raw, Mapping):
        raise RejectedNoteError("not_a_note", "it is no JSON object")
    note_id = _id(raw.get("id"))
    if note_id is None:
        raise RejectedNoteError("no_id", f"id is missing, no text, or longer than {_LONGEST_ID} characters")
    replyto = _id(raw.get("replyto"))
    forum_id = _id(raw.get("forum")) or told.forum_id or (note_id if replyto is None else None)
    if forum_id is None:
        raise RejectedNoteError("no_forum", "forum is missing or no text", note_id)
    invitation, kind = _invited(raw)
    signature = _first(raw.get("signatures"))
    writer = writer_of(signature)
    is_root = note_id == forum_id
    if is_root:
        kind = "submission"
    elif kind == "comment" and writer == "authors":
        kind = "response"
    content = dict(_readable(raw.get("content")))
    deleted = _milliseconds(raw.get("ddate")) > 0
    restricted = is_restricted(raw.get("readers"))
    hidden = deleted or restricted
    title = None if hidden else _line(content.get("title")) or (told.title if is_root else None)
    text, fields = ("", {}) if hidden else text_of(content)
    lacks_text = not text.strip() and not (is_root and title)
    reason: Reason | None = "no_text" if lacks_text else None
    venue, year = _venue(content, invitation)
    dates = {name: _milliseconds(raw.get(name)) for name in ("cdate", "tcdate", "mdate", "tmdate", "ddate")}
    return Note(
        note_id=note_id,
        forum_id=forum_id,
        replyto=None if is_root else replyto,
        invitation=invitation,
        kind=kind,
        writer=writer,
        signature=signature,
        title=title,
        text=text,
        fields=fields,
        venue=told.venue or venue,
        year=told.year or year,
        decision=(told.decision if is_root else None) or (None if hidden else _decision(kind, content)),
        licence=licence_name(_first(raw.get("license"))) or None,
        created=_date(dates["cdate"] or dates["tcdate"]),
        modified=_date(max(dates["mdate"], dates["tmdate"])),
        stamp=max(dates.values()),
        raw_hash=_hash(raw),
        deleted=deleted,
        rejection_reason="deleted" if deleted else "restricted" if restricted else reason,
    )


def text_of(content: Mapping[str, str]) -> tuple[str, dict[str, tuple[int, int]]]:
    """The readable text of a content, and where each field stands in it.

    Fields keep their order. Every field but the main one stands below its name.
    """
    main = next((name for name in _MAIN if content.get(name, "").strip()), "")
    text, fields = "", {}
    for name, value in content.items():
        if name in _NOT_READ or not value.strip():
            continue
        text += "\n\n" if text else ""
        text += "" if name == main else f"{storable(name).replace('_', ' ')}:\n"
        fields[storable(name)] = (len(text), len(text) + len(value))
        text += value
    return text, fields


def kind_of(invitation: str) -> NoteKind:
    """What an invitation invites to write."""
    # 2017: ICLR.cc/2017/conference/-/paper100/official/review
    last = invitation.rpartition("/-/")[2].lower()
    return next((kind for pattern, kind in _KINDS if pattern.search(last)), "other")


def writer_of(signature: str) -> NoteWriter:
    """Who signs like this."""
    return next((writer for pattern, writer in _WRITERS if pattern.search(signature)), "unknown")


def is_restricted(readers: Any) -> bool:
    """Whether not everyone may read it; what names no readers at all is public."""
    return isinstance(readers, list) and EVERYONE not in readers


def _invited(raw: Raw) -> tuple[str, NoteKind]:
    """The invitation that says what a note is, or else the first."""
    listed = raw.get("invitations")
    named = [raw.get("invitation"), *(listed if isinstance(listed, list) else [])]
    invitations = [storable(one) for one in named if isinstance(one, str) and one]
    kinds = [(one, kind_of(one)) for one in invitations]
    return next((pair for pair in kinds if pair[1] != "other"), (*kinds, ("", "other"))[0])


def _readable(content: Any) -> Iterator[tuple[str, str]]:
    """The fields of a content as texts, without those that are empty, no text, or not for everyone."""
    if not isinstance(content, Mapping):
        return
    for name, value in content.items():
        if isinstance(value, Mapping) and is_restricted(value.get("readers")):
            continue
        text = _text(value.get("value") if isinstance(value, Mapping) else value)
        if text and not name.startswith("_") and not _FILE.fullmatch(text):
            yield name, text


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return ""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_text, (one for one in value if not isinstance(one, list)))))
    return storable(str(value)) if isinstance(value, str | int | float) else ""


def _id(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    text = storable(value).strip()
    return text if 0 < len(text) <= _LONGEST_ID else None


def _line(value: Any) -> str | None:
    return " ".join(_text(value).split()) or None


def _first(value: Any) -> str:
    """The first text of a list, or the text itself."""
    texts = value if isinstance(value, list) else [value]
    return next((storable(one) for one in texts if isinstance(one, str)), "")


def _year(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 1900 <= value < 2200 else None


def _venue(content: Mapping[str, str], invitation: str) -> tuple[str | None, int | None]:
    """ICLR and 2020 of ICLR.cc/2020/Conference/..."""
    for told in (content.get("venueid", ""), invitation):
        if found := _OF_VENUE.match(told):
            return found[1], int(found[2])
    journal = _JOURNAL.match(invitation)
    return (journal[1] if journal else None), None


def _decision(kind: NoteKind, content: Mapping[str, str]) -> str | None:
    if kind not in ("decision", "meta_review"):
        return None
    return next((_line(content[name]) for name in _DECISION_FIELDS if name in content), None)


def _milliseconds(value: Any) -> int:
    """A date in milliseconds since 1970; 0 for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _LONGEST_STAMP:
        return 0
    return int(value)


def _date(milliseconds: int) -> str | None:
    if not milliseconds:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")


def _hash(raw: Raw) -> str:
    """A hash of the note without what a server adds for one answer."""
    told = {name: value for name, value in raw.items() if name != "details"}
    return sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()
