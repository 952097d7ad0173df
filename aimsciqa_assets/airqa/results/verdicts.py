"""Answers of runs, scored by the evaluators of their examples; judged ones ask the judge as a dialogue.

An answer that was not given counts as wrong, and so does one that gets no verdict; the reason stands beside.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue, ModelReply

from aimsciqa_assets.airqa.evaluation.functions import UnknownFunctionError, asks_a_judge
from aimsciqa_assets.airqa.evaluation.judged import NoReplyError
from aimsciqa_assets.airqa.evaluation.judges import Judge
from aimsciqa_assets.airqa.evaluation.scoring import PASSES, score, scored
from aimsciqa_assets.airqa.examples.example import Example
from aimsciqa_assets.platform.identity import row_id

Row = Mapping[str, Any]

VERDICTS: Final = "airqa.verdicts"
SAME_FAMILY: Final = "same_family"
FAILED: Final = "failed"
"""The status of an answer that was not given."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A row of `airqa.verdicts`. `failure` says why the judge gave no reply."""

    run_id: str
    repeat: int
    example_id: str
    score: int | None
    judge: str | None = None
    stand_in: bool = False
    reason: str | None = None
    detail: str | None = None
    failure: str | None = None

    @property
    def row(self) -> dict[str, Any]:
        """The verdict as a row."""
        return {name: value for name, value in asdict(self).items() if name != "failure"}


def by_rules(row: Row, example: Example | None) -> Verdict | None:
    """The verdict on a row of `airqa.answers`; None where a judge has to be asked."""
    of = (row["run_id"], row["repeat"], row["example_id"])
    if example is None:
        return Verdict(*of, None, reason="no_example", detail="airqa.examples does not have it any more")
    if row["status"] == FAILED:
        return Verdict(*of, 0, reason="no_answer", detail=row["reason"])
    try:
        if asks_a_judge(example.evaluator_shape):
            return None
        return Verdict(*of, int(score(example.evaluator_shape, _answer(row)) >= PASSES))
    except UnknownFunctionError as error:
        return Verdict(*of, 0, reason="unknown_function", detail=str(error))


def judged(row: Row, example: Example, judge: str) -> Dialogue[Verdict]:
    """The verdict on an answer that a judge may have to be asked about; `judge` is its name."""
    of = (row["run_id"], row["repeat"], row["example_id"])
    said: str | None = None
    asking = scored(example.evaluator_shape, _answer(row), row_id(*of))
    try:
        request = next(asking)
        while True:
            reply = yield request
            said = reply.text or said
            request = asking.send(reply)
    except StopIteration as ended:
        return Verdict(*of, int(ended.value >= PASSES), judge if said else None, detail=said)
    except NoReplyError as error:
        return Verdict(*of, 0, judge, reason="no_reply", detail=str(error), failure="no_reply")


def refused(row: Row, example: Example, judge: str, answerer: str) -> Verdict:
    """The verdict where the judge is of the answerer's family: none, unless no judge has to be asked."""
    try:
        next(judged(row, example, judge))
    except StopIteration as ended:
        verdict: Verdict = ended.value
        return verdict
    told = f"{judge} is of the family of {answerer}"
    return Verdict(row["run_id"], row["repeat"], row["example_id"], None, judge, False, SAME_FAMILY, told)


def by_stand_in(row: Row, example: Example, judge: Judge) -> Verdict:
    """The same, by a judge that stands in where there is no model: its score is no measurement."""
    dialogue = judged(row, example, judge.name)
    try:
        request = next(dialogue)
        while True:
            request = dialogue.send(ModelReply(request.key, judge.reply(request)))
    except StopIteration as ended:
        verdict: Verdict = ended.value
        return replace(verdict, stand_in=verdict.judge is not None, detail=None)


def _answer(row: Row) -> Any:
    return None if row["answer"] is None else json.loads(row["answer"])
