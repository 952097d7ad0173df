"""A paper that is longer than a model's context, answered from segment by segment (SciDQA, section 4)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Final

from aimsciqa_resources.language_model import Dialogue
from pydantic import BaseModel

from aimsciqa.measures.answers import declines
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Outcome, Task, json_task
from aimsciqa_assets.benchmark.answering.rag.inquiry import CHARACTERS_PER_TOKEN, Answered, Step
from aimsciqa_assets.benchmark.answering.readings import Reading, asked
from aimsciqa_assets.text.chunks import RESERVED, Rules, segments_by

NO_SUCH_ANSWER: Final = "no_such_answer"
NO_SEGMENTS: Final = "no_segments"


class Selection(BaseModel):
    """The number of the answer that was chosen, from 1."""

    number: int


ANSWER_SELECTION: Final[Task[Selection]] = json_task("answer_selection", Selection)


def segments_of(texts: Mapping[str, str], context: int, rules: Rules = "meant") -> list[tuple[str, str]]:
    """Papers and their segments in order, each under the title of its paper.

    A segment with its title has fewer than `context` tokens less those that are kept for prompt and answer,
    at four characters a token; as meant, a single longer sentence is a segment all the same.
    """
    found = []
    for paper, text in texts.items():
        title, _, body = text.partition("\n\n")
        segments = segments_by(rules, body, context - _tokens(title), _tokens)
        found += [(paper, f"{title}\n\n{segment}") for segment in segments]
    return found


def segment_dialogues(
    readings: Sequence[Reading], texts: Mapping[str, str], context: int | None, rules: Rules = "meant"
) -> Iterator[Dialogue[Answered]]:
    """One dialogue per reading without a reason. Without a `context`, papers are read whole."""
    for reading in readings:
        if reading.reason is None:
            yield _answered(reading, {paper: texts[paper] for paper in reading.papers}, context, rules)


def _answered(
    reading: Reading, texts: Mapping[str, str], context: int | None, rules: Rules
) -> Dialogue[Answered]:
    """The answer from the whole papers where they fit, else the chosen one of those from their segments.

    A segment whose answer declines, or cannot be read, is no candidate; a request without a reply ends all.
    """
    if context is None or _tokens("\n\n".join(texts.values())) < context - RESERVED:
        return Answered((yield from asked(reading, texts)), ())
    steps: list[Step] = []
    outcomes: list[Outcome[str]] = []
    for number, (paper, segment) in enumerate(segments_of(texts, context, rules), 1):
        outcome = yield from asked(replace(reading, given=(paper,)), {paper: segment})
        steps.append(Step("segment", papers=(paper,), text=outcome.text, number=number))
        outcomes.append(outcome)
        if outcome.text is None:
            return Answered(outcome, tuple(steps))
    if not outcomes:
        # Rules that lose text have left nothing of it.
        nothing: Fault[str] = Fault(NO_SEGMENTS)
        return Answered(Outcome(reading.answer_id, nothing, None), ())
    candidates = [one for one in outcomes if one.value and not declines(one.value)]
    if len(candidates) < 2:
        return Answered((candidates or outcomes)[0], tuple(steps))
    selection = yield from ANSWER_SELECTION.ask(
        reading.answer_id,
        question=reading.item["question"],
        answers=[{"number": number, "text": one.value} for number, one in enumerate(candidates, 1)],
    )
    chosen = selection.value.number if selection.value else None
    steps.append(Step("selection", text=selection.text, number=chosen))
    if chosen is not None and 1 <= chosen <= len(candidates):
        return Answered(candidates[chosen - 1], tuple(steps))
    fault: Fault[str] = Fault(selection.reason or NO_SUCH_ANSWER)
    unchosen: Outcome[str] = Outcome(
        reading.answer_id, fault, selection.text, selection.failure, selection.truncated
    )
    return Answered(unchosen, tuple(steps))


def _tokens(text: str) -> int:
    return ceil(len(text) / CHARACTERS_PER_TOKEN)
