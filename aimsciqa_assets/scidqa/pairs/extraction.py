"""The task that finds questions and their answers in a discussion, with quotes (SciDQA, section 3.1)."""

import json
from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel

from aimsciqa_assets.asking.task import Variables, json_task
from aimsciqa_assets.scidqa.pairs.discussions import Discussion
from aimsciqa_assets.scidqa.pairs.sentences import note_sentences


class ExtractedPair(BaseModel):
    """A question of the review, the authors' answer, and the quotes that carry them."""

    question: str
    question_quote: str
    answer: str
    answer_quote: str


class Extraction(BaseModel):
    """The reply: all pairs of a discussion."""

    pairs: list[ExtractedPair]


def extraction_variables(discussion: Discussion) -> dict[str, Any]:
    """What the model is told of a discussion."""
    turns = [{"writer": turn.writer, "text": turn.text} for turn in discussion.turns]
    return {"title": discussion.title, "review": discussion.review.text, "turns": turns}


def divided(variables: Variables) -> Sequence[dict[str, Any]]:
    """The discussion in two: the longer side, review or replies, is halved between sentences or notes.

    Each half comes with the whole other side, so that no question is parted from its answer; joined, the
    halves are what was divided. Nothing where there is nothing left to divide.
    """
    review, turns = variables["review"], variables["turns"]
    by_review: list[dict[str, Any]] = [{**variables, "review": half} for half in _halves(review)]
    by_turns: list[dict[str, Any]] = [{**variables, "turns": half} for half in _turn_halves(turns)]
    if len(review) >= sum(len(turn["text"]) for turn in turns):
        return by_review or by_turns
    return by_turns or by_review


def _halves(text: str) -> tuple[str, ...]:
    starts = [start for start, _ in note_sentences(text)[1:]]
    if not starts:
        return ()
    middle = min(starts, key=lambda start: abs(start - len(text) / 2))
    return text[:middle], text[middle:]


def _turn_halves(turns: Sequence[dict[str, str]]) -> list[list[dict[str, str]]]:
    if len(turns) > 1:
        middle = len(turns) // 2
        return [list(turns[:middle]), list(turns[middle:])]
    return [[{**turn, "text": half}] for turn in turns for half in _halves(turn["text"])]


def _joined(replies: Sequence[Extraction]) -> str:
    """All pairs of the replies, as one reply; a pair that two parts gave alike is there once."""
    pairs = dict.fromkeys(pair.model_dump_json() for reply in replies for pair in reply.pairs)
    return json.dumps({"pairs": [json.loads(pair) for pair in pairs]}, ensure_ascii=False)


EXTRACTION: Final = json_task("scidqa_extraction", Extraction, divided=divided, joined=_joined)
