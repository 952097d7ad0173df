"""The task that makes question-answer-evidence triplets of a paragraph (section 4.1, appendix A.1)."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from pydantic import BaseModel

from aimsciqa_assets.aim_sciqa.single_hop.replies import ParsedReply, parse_triplets
from aimsciqa_assets.asking.task import Task, Variables
from aimsciqa_assets.text.sentences import sentence_spans


class _Pair(BaseModel):
    question: str
    evidence: str
    answer: str


class _Pairs(BaseModel):
    pairs: list[_Pair]


def _halves(variables: Variables) -> Sequence[dict[str, Any]]:
    """The two halves of a long paragraph, divided between sentences; nothing for a single sentence.

    Little is lost: evidence is mostly part of one sentence, and its offsets are found in the whole paragraph.
    """
    paragraph: str = variables["paragraph"]
    starts = [start for start, _ in sentence_spans(paragraph)[1:]]
    if not starts:
        return ()
    middle = min(starts, key=lambda start: abs(start - len(paragraph) / 2))
    return [{**variables, "paragraph": part.strip()} for part in (paragraph[:middle], paragraph[middle:])]


def _joined(replies: Sequence[ParsedReply]) -> str:
    """All triplets of the replies, as one reply."""
    pairs = [asdict(triplet) for reply in replies for triplet in reply.triplets]
    return json.dumps({"pairs": pairs}, ensure_ascii=False)


SINGLE_HOP: Final = Task("single_hop", _Pairs, parse_triplets, divided=_halves, joined=_joined)
