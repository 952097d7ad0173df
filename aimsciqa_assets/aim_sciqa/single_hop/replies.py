"""Reads what a model replied to a single-hop request: tolerant about the wrapping, strict about the items.

A reply may be a list or a single object, fenced or bare, with text around it, with typographic quotes as
delimiters or trailing commas, or cut off at the end. Nothing here raises: what cannot be read gets a reason.
"""

import re
from dataclasses import dataclass
from typing import Any, Final, Literal

from aimsciqa_resources.language_model.thinking import without_thinking

from aimsciqa_assets.asking.json_replies import DECODER, is_storable, mended, objects_in

FailureReason = Literal["empty_reply", "malformed_reply"]
ItemReason = Literal["not_an_object", "missing_field", "not_a_string", "invalid_text", "cut_off"]

FIELDS: Final = ("question", "evidence", "answer")

_FENCE = re.compile(r"```[a-zA-Z]*\s*\n(.*?)(?:\n\s*```|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Triplet:
    """A question, the piece of the paragraph that proves its answer, and the answer, as they were replied."""

    question: str
    evidence: str
    answer: str


@dataclass(frozen=True, slots=True)
class RejectedItem:
    """An item of the reply that is not a triplet; `text` is its start, for a person to look at."""

    reason: ItemReason
    text: str


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """The triplets of a reply in their order, the items that are not triplets, and `failure`.

    `failure` says why nothing could be read. An empty list is no failure: a paragraph may state no fact.
    """

    triplets: tuple[Triplet, ...] = ()
    rejected: tuple[RejectedItem, ...] = ()
    failure: FailureReason | None = None


def parse_triplets(text: str | None) -> ParsedReply:
    """The triplets of a reply (appendix A.1 shows one object but asks for a list: both are read)."""
    text = without_thinking(text or "")
    if not text:
        return ParsedReply(failure="empty_reply")
    for candidate in _candidates(text):
        items = _whole(candidate)
        if items is not None:
            return _sorted_out(items)
    for candidate in _candidates(text):
        items = _salvaged(candidate)
        if items:
            parsed = _sorted_out(items)
            cut = RejectedItem("cut_off", candidate[-80:])
            return ParsedReply(parsed.triplets, (*parsed.rejected, cut))
    return ParsedReply(failure="malformed_reply")


def _candidates(text: str) -> list[str]:
    """The fenced part and the whole text, each as it is and repaired, most faithful first."""
    fenced = _FENCE.search(text)
    plain = [fenced[1], text] if fenced else [text]
    return [*plain, *map(mended, plain)]


def _whole(text: str) -> list[Any] | None:
    """The items of the first JSON list or object in `text` that can hold triplets, or None."""
    for opening in re.finditer(r"[\[{]", text):
        try:
            value, end = DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            # Broken or cut off from here on: a later bracket would open only a part of it.
            if re.match(r"[\[{]\s*[\[{\"]", text[opening.start() :]):
                return None
            continue
        items = _items(value)
        if items is None:
            continue
        if isinstance(value, dict):
            return items + _following_objects(text, end)
        return items
    return None


def _items(value: Any) -> list[Any] | None:
    """The items of a list of objects (or an empty list), a triplet, or an object around a list; else None."""
    if isinstance(value, list):
        return value if not value or any(isinstance(item, dict) for item in value) else None
    if isinstance(value, dict):
        if set(FIELDS) & set(value):
            return [value]
        lists = [inner for inner in value.values() if isinstance(inner, list)]
        if len(lists) == 1:
            return _items(lists[0])
    return None


def _following_objects(text: str, start: int) -> list[Any]:
    """Objects written one after the other instead of in a list."""
    found = []
    while (opening := re.compile(r"[\s,]*(?=\{)").match(text, start)) is not None:
        try:
            value, start = DECODER.raw_decode(text, opening.end())
        except (ValueError, RecursionError):
            break
        found.append(value)
    return found


def _salvaged(text: str) -> list[Any]:
    """The complete objects of a list that was cut off or is broken between them."""
    return [value for value in objects_in(text, inner=False) if set(FIELDS) & set(value)]


def _sorted_out(items: list[Any]) -> ParsedReply:
    triplets: list[Triplet] = []
    rejected: list[RejectedItem] = []
    for item in items:
        reason = _fault(item)
        if reason is None:
            triplets.append(Triplet(*(item[name] for name in FIELDS)))
        else:
            rejected.append(RejectedItem(reason, repr(item)[:80]))
    return ParsedReply(tuple(triplets), tuple(rejected))


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
