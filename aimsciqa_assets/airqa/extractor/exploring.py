"""The explorer: a question, its answer and what it rests on, from something that stands in a paper."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_resources.tokens import first_tokens
from aimsciqa_resources.warehouse.store_elements import Material, Piece

from aimsciqa_assets.airqa.extractor.labels import is_refusal, labelled
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Task

_LABELS: Final = ("question", "answer", "evidence", "reasoning_steps")
"""The last one is not asked for: explorers that others prompted write it, and no answer may hold it."""
_QUOTED: Final = frozenset({"text", "sections"})
"""Elements whose evidence is a quote that the explorer gives; the others are their own evidence."""
_SHOWN: Final = {
    "text": "a text",
    "table": "a table with its caption",
    "image": "the caption of a figure and what the paper says of it",
    "formula": "a formula and what the paper says around it",
    "sections": "two sections",
}
_NAMES: Final = {
    "sections": "Section",
    "pages": "Page",
    "tables": "Caption",
    "images": "Caption",
    "equations": "Formula",
}
_FORMS: Final = {"tables": "html", "equations": "latex"}
_AROUND: Final = 3000
"""Characters of a page that are shown around a figure or a formula."""


@dataclass(frozen=True, slots=True)
class Explored:
    """A question with its answer; `quote` is what the explorer says that it rests on, as it wrote it."""

    question: str
    answer: str
    quote: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer rests on, and where it stands in the store."""

    text: str
    table: str
    key: str
    page: int | None


def read_explored(reply: str) -> Explored | Fault[Explored]:
    """The question, the answer and the quote of a reply."""
    found = labelled(reply, _LABELS)
    if "question" not in found or "answer" not in found:
        return _unread(reply, "it has no block with [Question], [Answer] and [Evidence]")
    if not found["question"]:
        return Fault("empty_question", "the question is empty")
    if not found["answer"]:
        return Fault("empty_answer", "the answer is empty")
    return Explored(found["question"], found["answer"], found.get("evidence", ""))


def read_question(reply: str) -> str | Fault[str]:
    """The question of a reply that has only one."""
    found = labelled(reply, _LABELS)
    if "question" not in found:
        return _unread(reply, "it has no block with [Question]")
    return found["question"] or Fault("empty_question", "the question is empty")


def _unread(reply: str, complaint: str) -> Fault[Any]:
    return Fault("refused" if is_refusal(reply) else "unreadable_question", complaint)


def _shown(variables: Mapping[str, Any]) -> dict[str, Any]:
    """What the prompt says of the element, which is no part of a recording."""
    element = variables["element"]
    quote = "one sentence on which the answer rests, copied exactly"
    evidence = quote if element in _QUOTED else "what of it the answer rests on, in a few words"
    return {**variables, "shown": _SHOWN[element], "evidence": evidence}


EXPLORER: Final = Task[Explored]("extractor_explorer", None, read_explored, shown=_shown)
RETRIEVAL: Final = Task[str]("extractor_retrieval", None, read_question)


def shown_to_explorer(element: str, material: Material, tokens: int, *, finds: bool) -> dict[str, Any]:
    """The variables of the explorer's prompt; title and abstract where the question must find the paper."""
    share = tokens // len(material.pieces)
    return {
        "element": element,
        "finds": "yes" if finds else "",
        "title": material.title if finds else "",
        "abstract": material.abstract if finds else "",
        "pieces": [_piece(piece, share) for piece in material.pieces],
    }


def _piece(piece: Piece, tokens: int) -> dict[str, str]:
    around = "" if piece.table == "tables" else surroundings(piece)
    return {
        "name": _NAMES[piece.table],
        "heading": piece.heading,
        "content": first_tokens(piece.content, tokens),
        "form": _FORMS.get(piece.table, "txt"),
        "around": around,
    }


def surroundings(piece: Piece) -> str:
    """What its page says around a figure or a formula: from a bit before the first place that has it.

    A figure is looked for by its label, which other sentences name as well.
    """
    if not piece.around:
        return ""
    label = re.match(r"(?:fig(?:ure)?\.?)\s*(\w+)", piece.heading, re.IGNORECASE)
    sought = rf"fig(?:ure|\.)?\s*{re.escape(label[1])}\b" if label else re.escape(piece.content)
    found = re.search(sought, piece.around, re.IGNORECASE) if sought else None
    start = max(0, found.start() - _AROUND // 2) if found else 0
    return piece.around[start : start + _AROUND].strip()


def evidence_of(element: str, material: Material, quote: str) -> Evidence | None:
    """Where the evidence stands; None where a quote does not stand in the text, blanks apart."""
    if element not in _QUOTED:
        (piece,) = material.pieces
        text = piece.content or piece.heading
        return Evidence(
            piece.heading if piece.table == "images" else text, piece.table, piece.key, piece.page
        )
    for piece in material.pieces:
        if exact := exact_quote(quote, piece.content):
            return Evidence(exact, piece.table, piece.key, piece.page)
    return None


def exact_quote(quote: str, text: str) -> str | None:
    """The quote as the text has it; lines and blanks may differ, quotation marks around it do not count."""
    for one in (quote, quote.strip().strip("\"'\u201c\u201d\u2018\u2019")):
        words = one.split()
        if words and (found := re.search(r"\s+".join(map(re.escape, words)), text)):
            return found[0]
    return None
