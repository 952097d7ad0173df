"""Taking in a published file: what is drawn of it, its paragraphs as documents, and the rows of its records.

The file is read twice. First every record is looked at, and the ids of the sound ones are kept; then those
that were drawn are read again, so that memory does not grow with the file.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from aimsciqa_assets.baseline_sets.objects import Record, records_of
from aimsciqa_assets.baseline_sets.published import (
    ROLES,
    UNREADABLE,
    RejectedRecordError,
    SetDocument,
    SetItem,
    SetName,
    item_of,
    recognised,
)
from aimsciqa_assets.corpus.intake.folder import NothingToIngestError
from aimsciqa_assets.platform.drawing import drawn
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.reading.documents import EVALUATION, document_paper_id
from aimsciqa_assets.reading.lines import UnreadableLinesError

Row = dict[str, Any]

SAME_ID: Final = "same_id"
_LOOKED_AT: Final = 100
"""The set is known by one of so many first records."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A published file and what is taken of it: `per_kind` items of each kind, drawn by `seed`; 0: all."""

    file: Path
    set_name: SetName
    per_kind: int
    seed: int
    most_bytes: int


@dataclass(slots=True)
class Drawn:
    """What was drawn of a file: ids by kind, the records that cannot be used, and the rows of all these.

    `sound` counts the usable records by kind, drawn or not.
    """

    set_name: SetName
    records: list[Row] = field(default_factory=list)
    supports: list[Row] = field(default_factory=list)
    contexts: list[Row] = field(default_factory=list)
    hops: list[Row] = field(default_factory=list)
    read: int = 0
    sound: Counter[str] = field(default_factory=Counter)

    @property
    def kinds(self) -> Counter[str]:
        """The items that were drawn, by kind."""
        return Counter(row["kind"] for row in self.records if row["status"] == "drawn")

    @property
    def reasons(self) -> Counter[str]:
        """The records that cannot be used, by reason."""
        return Counter(row["rejection_reason"] for row in self.records if row["status"] == "rejected")


def set_of(file: Path, most_bytes: int) -> SetName:
    """The set that a file is of. Raises `NothingToIngestError`."""
    with _told(file):
        for number, record in enumerate(records_of(file, most_bytes)):
            if found := recognised(record.value):
                return found
            if number >= _LOOKED_AT:
                break
    raise NothingToIngestError(
        f"{file} is none of the published files of HotpotQA, 2WikiMultihopQA or MuSiQue, as far as its first "
        "records tell. If it is one, name the set: --set hotpotqa, 2wiki or musique."
    )


def draw(wanted: Draw, documents: Path) -> Drawn:
    """Draw items of a file, and write the documents of their contexts as JSON lines into a file.

    Raises `NothingToIngestError` where nothing can be used.
    """
    with _told(wanted.file):
        made = Drawn(wanted.set_name)
        ids = _looked_through(wanted, made)
        chosen = {
            one
            for of_kind in ids.values()
            for one in drawn(of_kind, wanted.per_kind or len(of_kind), wanted.seed)
        }
        if not chosen:
            reasons = ", ".join(f"{reason} ({count:,})" for reason, count in made.reasons.most_common())
            raise NothingToIngestError(f"No record of {wanted.file} can be used: {reasons or 'it has none'}.")
        written = set[str]()
        with documents.open("w", encoding="utf-8") as lines:
            for record in records_of(wanted.file, wanted.most_bytes):
                item = _sound(wanted.set_name, record)
                if item is None or (item_id := _item_id(wanted.set_name, item)) not in chosen:
                    continue
                chosen.remove(item_id)
                _add(made, item_id, item, _place(wanted.file, record))
                for document in item.context:
                    if document.document_id not in written:
                        written.add(document.document_id)
                        lines.write(_line(document))
    return made


def _looked_through(wanted: Draw, made: Drawn) -> dict[str, list[str]]:
    """The ids of the sound items by kind; the other records become rows."""
    ids: dict[str, list[str]] = {}
    seen = set[str]()
    for record in records_of(wanted.file, wanted.most_bytes):
        made.read += 1
        try:
            if record.problem:
                raise RejectedRecordError(UNREADABLE, record.problem)
            item = item_of(wanted.set_name, record.value)
            item_id = _item_id(wanted.set_name, item)
            if item_id in seen:
                raise RejectedRecordError(SAME_ID, "an earlier record has its id", item.record_id, item.kind)
        except RejectedRecordError as error:
            made.records.append(_rejected(wanted, record, error))
            continue
        seen.add(item_id)
        made.sound[item.kind] += 1
        ids.setdefault(item.kind, []).append(item_id)
    return ids


def _sound(set_name: SetName, record: Record) -> SetItem | None:
    try:
        return None if record.problem else item_of(set_name, record.value)
    except RejectedRecordError:
        return None


def _item_id(set_name: SetName, item: SetItem) -> str:
    return row_id("baseline", set_name, item.record_id)


def _place(file: Path, record: Record) -> str:
    return f"{file.name}:{record.number}"


def _rejected(wanted: Draw, record: Record, error: RejectedRecordError) -> Row:
    place = _place(wanted.file, record)
    return {
        "item_id": row_id("baseline", wanted.set_name, error.record_id, "rejected", place),
        "set_name": wanted.set_name,
        "record_id": error.record_id or None,
        "kind": error.kind or None,
        "file_name": place,
        "status": "rejected",
        "rejection_reason": error.reason,
        "detail": str(error),
        "question": None,
        "answer": None,
    }


def _add(made: Drawn, item_id: str, item: SetItem, place: str) -> None:
    known = {"item_id": item_id, "set_name": made.set_name}
    made.records.append(
        {
            **known,
            "record_id": item.record_id,
            "kind": item.kind,
            "file_name": place,
            "status": "drawn",
            "rejection_reason": None,
            "detail": None,
            "question": item.question,
            "answer": item.answer,
        }
    )
    order: Mapping[SetDocument, int] = {one: place for place, one in enumerate(item.documents, start=1)}
    made.supports += [
        {
            **known,
            "position": position,
            "document": order[support.document],
            "role": ROLES[order[support.document] - 1],
            "paper_id": document_paper_id(support.document.document_id),
            "sentence": support.sentence,
        }
        for position, support in enumerate(item.supports, start=1)
    ]
    made.hops += [
        {
            **known,
            "position": position,
            "document": hop.position,
            "role": ROLES[hop.position - 1],
            "question": hop.question,
            "answer": hop.answer,
            "bridge": hop.bridge,
        }
        for position, hop in enumerate(item.hops, start=1)
    ]
    made.contexts += [
        {**known, "paper_id": document_paper_id(document.document_id), "position": position}
        for position, document in enumerate(item.context, start=1)
    ]


def _line(document: SetDocument) -> str:
    # With the title as its first line: a text that begins with it would lose it otherwise.
    told = {
        "id": document.document_id,
        "title": document.title,
        "contents": f"{document.title}\n\n{document.text}",
        "use": EVALUATION,
    }
    return json.dumps(told, ensure_ascii=True) + "\n"


@contextmanager
def _told(file: Path) -> Iterator[None]:
    """Errors of reading a file, as what a user can mend."""
    try:
        yield
    except UnreadableLinesError as error:
        raise NothingToIngestError(f"{file}: {error}. Nothing of it was taken in.") from None
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise NothingToIngestError(f"{file}: {error.strerror}.") from None
