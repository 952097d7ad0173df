"""Reads the replies on the way to a bridge question: the entity, the two sub-questions, the fused question.

What must hold between a reply and the documents is not decided here (`constraints.py`).
"""

from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.delimited import Record, named_values, records, without_marks

NO_BRIDGE: Final = "NO_BRIDGE_ENTITY"
INVALID_CONNECTION: Final = "INVALID_BRIDGE_CONNECTION"
NO_QUESTION: Final = "NONE"

_ENTITY_TAGS: Final = ("bridge_entity", "relevant_segments", "quote", "query")
CONNECTION: Final = "Bridge connection"
SEGMENT_A: Final = "Document A segments"
SEGMENT_B: Final = "Document B segments"
QUOTE_B: Final = "Document B quote"
PATH: Final = "Reasoning path"
_HEADING: Final = "SUB-QUESTIONS"
_SUB_QUESTIONS: Final = ("Sub-question 1", "Answer 1", "Sub-question 2", "Answer 2")
_FUSION: Final = ("MULTI-HOP QUESTION", "ANSWER", "REASONING PATH", "SOURCES")


@dataclass(frozen=True, slots=True)
class BridgeEntity:
    """An entity of the source: what the source says of it, in the model's words and quoted, and a query."""

    name: str
    type: str
    segment: str
    quote: str
    query: str


@dataclass(frozen=True, slots=True)
class SubQuestions:
    """A question for each document, and what each document says; `quote` is from the second."""

    connection: str
    segment_a: str
    segment_b: str
    quote: str
    reasoning_path: str
    question_1: str
    answer_1: str
    question_2: str
    answer_2: str


@dataclass(frozen=True, slots=True)
class Fusion:
    """The question over both documents."""

    question: str
    answer: str
    reasoning_path: str
    sources: str


@dataclass(frozen=True, slots=True)
class Declined:
    """The model says that there is no question, and why."""

    why: str


def bridge_entities(text: str) -> list[BridgeEntity]:
    """All entities of a reply, in their order; what it does not say of one is empty.

    A record about an entity that the reply does not introduce says nothing of another one.
    """
    found: dict[str, dict[str, str]] = {}
    read = records(text, _ENTITY_TAGS)
    for record in read:
        name, kind = _two(record)
        if record.tag == "bridge_entity" and name and kind:
            found.setdefault(name, {"type": kind})
    for record in read:
        name, value = _two(record)
        if record.tag != "bridge_entity" and name in found and value:
            found[name][record.tag] = value
    return [
        BridgeEntity(
            name,
            said["type"],
            said.get("relevant_segments", ""),
            said.get("quote", ""),
            said.get("query", ""),
        )
        for name, said in found.items()
    ]


def read_entity(text: str) -> BridgeEntity | Declined | Fault[BridgeEntity | Declined]:
    """The first entity of a reply with its segment and its query, or that the document has none."""
    body = without_marks(text)
    if body.startswith(NO_BRIDGE):
        return Declined(_why(body, NO_BRIDGE))
    entities = bridge_entities(text)
    if not entities:
        return Fault("unreadable_entity", 'it has no record ("bridge_entity"<|>"name"<|>"type")')
    first = entities[0]
    if not first.segment:
        return Fault("no_segment", f'it has no record "relevant_segments" for {first.name}', first)
    if not first.query:
        return Fault("no_query", f'it has no record "query" for {first.name}', first)
    return first


def read_sub_questions(text: str) -> SubQuestions | Declined | Fault[SubQuestions | Declined]:
    """The two sub-questions, or that the documents do not belong together."""
    body = without_marks(text)
    if body.startswith(INVALID_CONNECTION):
        return Declined(_why(body, INVALID_CONNECTION))
    names = (CONNECTION, SEGMENT_A, SEGMENT_B, QUOTE_B, PATH, _HEADING, *_SUB_QUESTIONS)
    said = named_values(body, names)
    if missing := [name for name in (*_SUB_QUESTIONS, SEGMENT_B) if not said.get(name)]:
        return Fault("unreadable_sub_questions", f"it has nothing after {', '.join(missing)}")
    return SubQuestions(
        said.get(CONNECTION, ""),
        said.get(SEGMENT_A, ""),
        said[SEGMENT_B],
        said.get(QUOTE_B, ""),
        said.get(PATH, ""),
        *(said[name] for name in _SUB_QUESTIONS),
    )


def read_fusion(text: str) -> Fusion | Declined | Fault[Fusion | Declined]:
    """The fused question, or that the two make none."""
    body = without_marks(text)
    if body.split("\n", 1)[0].strip().rstrip(".:").upper() == NO_QUESTION:
        return Declined(_why(body, NO_QUESTION))
    said = named_values(body, _FUSION)
    if missing := [name for name in _FUSION[:2] if not said.get(name)]:
        return Fault("unreadable_fusion", f"it has nothing after {', '.join(missing)}")
    return Fusion(*(said.get(name, "") for name in _FUSION))


def _two(record: Record) -> tuple[str, str]:
    """The first two fields of a record; the second is empty where there is none."""
    name, second, *_ = (*record.fields, "", "")
    return name, second


def _why(text: str, marker: str) -> str:
    """What stands behind the marker."""
    return text[len(marker) :].strip(" \n.:-").removeprefix("Reason:").strip()
