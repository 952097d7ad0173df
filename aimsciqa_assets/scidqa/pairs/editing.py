"""The task that judges pairs and rewrites them in the third person (SciDQA, section 3.1)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pydantic import BaseModel

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import read_object
from aimsciqa_assets.asking.task import Task, Variables
from aimsciqa_assets.scidqa.pairs.discussions import Discussion
from aimsciqa_assets.scidqa.pairs.quotes import GroundedPair, Place
from aimsciqa_assets.scidqa.pairs.references import Renumbering, references_in
from aimsciqa_assets.scidqa.pairs.versions import Version

_CONTEXT: Final = 2
"""Sentences around a quote that the model is shown, on either side."""


class Edit(BaseModel):
    """What the model says of a pair; `pair` is its number, from 1."""

    pair: int
    relevance: Literal["relevant", "irrelevant", "ambiguous"]
    why: str
    question: str
    answer: str
    added: list[str]
    version: Version
    multi_document: bool


class Edits(BaseModel):
    """The reply: an object for each pair."""

    edits: list[Edit]


@dataclass(frozen=True, slots=True)
class Draft:
    """A pair with exact quotes, its citation marks made uniform; `position` is that of the extracted pair."""

    position: int
    question: str
    answer: str
    question_place: Place
    answer_place: Place
    references: dict[str, str] = field(default_factory=dict)


def draft_of(position: int, grounded: GroundedPair, discussion: Discussion) -> Draft:
    """The draft of a pair whose quotes were found.

    A mark of the question means an entry of the review's list, one of the answer an entry of the reply's, or
    of the review's where the reply has no such entry.
    """
    if grounded.question is None or grounded.answer is None:
        raise ValueError(f"pair {position} of {discussion.discussion_id} has no quotes: {grounded.reason}")
    of_review = references_in(discussion.review.text)
    of_reply = references_in(grounded.answer.turn.text)
    numbers = Renumbering()
    question = numbers.renumbered(grounded.pair.question.strip(), of_review, of_reply)
    answer = numbers.renumbered(grounded.pair.answer.strip(), of_reply, of_review)
    return Draft(position, question, answer, grounded.question, grounded.answer, numbers.references)


def editing_variables(discussion: Discussion, drafts: Sequence[Draft]) -> dict[str, Any]:
    """What the model is told of the pairs of a discussion."""
    pairs = [
        {
            "number": number,
            "question": draft.question,
            "answer": draft.answer,
            "question_context": draft.question_place.context(_CONTEXT),
            "answer_context": draft.answer_place.context(_CONTEXT),
            "references": "\n".join(f"[{mark}] {text}" for mark, text in draft.references.items()),
        }
        for number, draft in enumerate(drafts, start=1)
    ]
    return {"title": discussion.title, "pairs": pairs}


def _read(text: str) -> Edits | Fault[Edits]:
    """The edits; one that is named twice says two things of a pair."""
    read = read_object(text, Edits)
    if isinstance(read, Edits) and len({edit.pair for edit in read.edits}) < len(read.edits):
        return Fault("repeated_pair", "it has two objects for one pair", partial=read)
    return read


def _halves(variables: Variables) -> Sequence[dict[str, Any]]:
    """The pairs in two halves, which keep their numbers; nothing for one pair."""
    pairs = variables["pairs"]
    middle = len(pairs) // 2
    return [{**variables, "pairs": half} for half in (pairs[:middle], pairs[middle:])] if middle else ()


def _joined(replies: Sequence[Edits]) -> str:
    edits = [edit.model_dump() for reply in replies for edit in reply.edits]
    return json.dumps({"edits": edits}, ensure_ascii=False)


EDITING: Final = Task("scidqa_editing", Edits, _read, divided=_halves, joined=_joined)
