"""Replies in the shapes in which HopWeaver's authors keep them (result files, formats of their repository).

The keys are theirs, and so is what counts as a reply without a result: their parsers are strict where ours
goes on. Where they lose text (a segment ends at its first parenthesis, a reasoning path swallows the question
behind it), these functions keep all of it.
"""

import re
from typing import Any, Final

from aimsciqa_assets.hopweaver.delimited import named_values
from aimsciqa_assets.hopweaver.polishing import BRIDGE_NAMES, ERROR, tag_of
from aimsciqa_assets.hopweaver.replies import INVALID_CONNECTION, NO_QUESTION, bridge_entities

Shape = dict[str, Any]

_ANALYSIS: Final = {
    "Bridge connection:": "bridge_connection",
    "Document A segments:": "doc_a_seg",
    "Document B segments:": "doc_b_seg",
    "Reasoning path:": "reasoning_path",
}
_HEADING: Final = "SUB-QUESTIONS:"
_NO_TAG: Final = "Response format does not meet expectations, missing standard tags"


def bridge_entity(text: str) -> list[Shape]:
    """The entities of a reply to the first step."""
    return [
        {
            "name": entity.name,
            "type": entity.type,
            "segments": [entity.segment] if entity.segment else [],
            "query": entity.query,
        }
        for entity in bridge_entities(text)
    ]


def sub_questions(text: str) -> Shape | None:
    """Analysis and sub-questions; None for a reply without them."""
    body = _body(text)
    before, heading, after = body.partition(_HEADING)
    if body.startswith(INVALID_CONNECTION) or not heading:
        return None
    asked = []
    for number, document in ((1, "A"), (2, "B")):
        _, question_mark, rest = after.partition(f"Sub-question {number}:")
        question, answer_mark, answer = rest.partition(f"Answer {number}:")
        if question_mark and answer_mark:
            answer = answer.partition(f"Sub-question {number + 1}:")[0] if number == 1 else answer
            source = f"Document {document}"
            asked.append({"question": question.strip(), "answer": answer.strip(), "source": source})
    return {"analysis": _analysis(before), "sub_questions": asked}


def multi_hop_question(text: str) -> Shape | None:
    """The fused question; None unless the reply has all its parts."""
    body = _body(text)
    found = re.search(
        r"MULTI-HOP QUESTION:(?P<multi_hop_question>.*?)ANSWER:(?P<answer>.*?)"
        r"REASONING PATH:(?P<reasoning_path>.*?)SOURCES:(?P<sources>.*)",
        body,
        re.DOTALL,
    )
    if body.startswith(NO_QUESTION) or not found:
        return None
    return {name: value.strip() for name, value in found.groupdict().items()}


def bridge_polishing(text: str) -> Shape:
    """What a polisher said of a bridge question; an error for a reply that lacks one of its lines."""
    status = tag_of(text)
    if status is None:
        return {"status": ERROR, "message": _NO_TAG}
    if status in ("PASS", "REJECTED"):
        return {"status": status}
    said = named_values(text, BRIDGE_NAMES, anywhere=True)
    for name in BRIDGE_NAMES:
        if name not in said:
            return {"status": ERROR, "message": f"Could not find {name}"}
    path, question, answer = (said[name] for name in BRIDGE_NAMES)
    return {"status": status, "refined_reasoning_path": path, "refined_question": question, "answer": answer}


def comparison_polishing(text: str) -> Shape | None:
    """What a polisher said of a comparison question; None for an empty reply.

    A question without an answer behind it is left out, as the authors leave it out; `polishing.py` keeps it.
    """
    body = text.strip()
    if not body:
        return None
    status = tag_of(body)
    if status is None:
        return {"status": "UNKNOWN", "raw_response": body}
    made: dict[str, str | None] = {}
    if status == "REJECTED":
        made["reason"] = _between(body, "REASON:")
    elif status in ("ADJUST", "REWORKED"):
        made["refined_question"] = _between(body, "REFINED_QUESTION:", "REFINED_ANSWER:", needed=True)
        ends = ("REFINED_FACT_A:",) if status == "REWORKED" else ()
        made["refined_answer"] = _between(body, "REFINED_ANSWER:", *ends)
    if status == "REWORKED":
        made["refined_fact_a"] = _between(body, "REFINED_FACT_A:", "REFINED_FACT_B:")
        made["refined_fact_b"] = _between(body, "REFINED_FACT_B:")
    return {"status": status} | {name: value for name, value in made.items() if value is not None}


def _body(text: str) -> str:
    return text.replace("<|COMPLETE|>", "").strip()


def _analysis(text: str) -> Shape:
    """The parts of the analysis; a line that opens none belongs to the part before it."""
    parts: dict[str, list[str]] = {}
    current = ""
    for line in map(str.strip, text.split("\n")):
        opening = next((mark for mark in _ANALYSIS if line.startswith(mark)), None)
        current = opening or current
        said = line.removeprefix(opening).strip() if opening else line
        if current:
            parts.setdefault(current, []).extend([said] if said else [])
    if current and not parts[current]:
        # An empty part counts, but not as the last one.
        del parts[current]
    return {_ANALYSIS[mark]: "\n".join(lines) for mark, lines in parts.items()}


def _between(text: str, start: str, end: str = "", *, needed: bool = False) -> str | None:
    """What stands behind `start`, up to `end`; None without `start`, or without an `end` that is needed."""
    _, found, rest = text.partition(start)
    if not found:
        return None
    value, ended, _ = rest.partition(end) if end else (rest, "", "")
    return value.strip() if ended or not needed else None
