"""Reads what a model replied to a single-hop request: tolerant about the wrapping, strict about the items."""

from dataclasses import dataclass
from typing import Any, Final, Literal

from aimsciqa_resources.language_model.thinking import reply_text

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import is_storable, items_in

ItemReason = Literal[
    "not_an_object", "missing_field", "not_a_string", "invalid_text", "unreadable", "cut_off"
]

FIELDS: Final = ("question", "evidence", "answer")
EMPTY: Final = "empty_reply"


@dataclass(frozen=True, slots=True)
class Triplet:
    """A question, the piece of the paragraph that proves its answer, and the answer, as they were replied."""

    question: str
    evidence: str
    answer: str


@dataclass(frozen=True, slots=True)
class RejectedItem:
    """A part of the reply that is no triplet; `text` is its start, for a person to look at."""

    reason: ItemReason
    text: str


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """The triplets of a reply in their order, and what it holds besides that is none.

    Both may be empty: a paragraph may state no fact.
    """

    triplets: tuple[Triplet, ...] = ()
    rejected: tuple[RejectedItem, ...] = ()


def parse_triplets(text: str | None) -> ParsedReply | Fault[ParsedReply]:
    """Return the triplets of a reply (appendix A.1 shows one object but asks for a list: both are read)."""
    if not reply_text(text or ""):
        return Fault(EMPTY, "it is empty")
    read = items_in(text or "", FIELDS)
    if isinstance(read, Fault):
        return Fault(read.reason, read.complaint or "it is not the JSON object with the list of pairs")
    sorted_out = [_triplet(item) for item in read.items]
    unread = [RejectedItem(part.reason, part.text) for part in read.unread]
    return ParsedReply(
        tuple(item for item in sorted_out if isinstance(item, Triplet)),
        (*(item for item in sorted_out if isinstance(item, RejectedItem)), *unread),
    )


def _triplet(item: Any) -> Triplet | RejectedItem:
    reason = _fault(item)
    if reason is not None:
        return RejectedItem(reason, repr(item)[:80])
    return Triplet(_line(item["question"]), item["evidence"], _line(item["answer"]))


def _line(text: str) -> str:
    return text.replace("\n", " ")


def _fault(item: Any) -> ItemReason | None:
    if not isinstance(item, dict):
        return "not_an_object"
    if any(name not in item for name in FIELDS):
        return "missing_field"
    values = [item[name] for name in FIELDS]
    if not all(isinstance(value, str) for value in values):
        return "not_a_string"
    if not all(map(is_storable, values)):
        return "invalid_text"
    return None
