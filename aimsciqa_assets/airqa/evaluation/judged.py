"""Six functions that ask a judge, as dialogues: each yields the request for a verdict and gets the reply.

A verdict is what stands in the last block between triple backticks, and only "true" counts. A reply without
one goes back to the model once, as everywhere. A judge that gives no reply at all is no verdict on the
answer: it raises `NoReplyError`.
"""

import re
from collections.abc import Generator, Sequence
from typing import Any, Final

from aimsciqa_resources.language_model import ModelReply, ModelRequest

from aimsciqa_assets.airqa.evaluation.formulas import same_formulas
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Task

Asking = Generator[ModelRequest, ModelReply, float]

_BLOCK: Final = re.compile(r"```(.*?)```", re.DOTALL)
_LANGUAGES: Final = frozenset({"txt", "text", "plaintext", "python", "json", "markdown", "md"})
"""What models write behind the opening backticks."""


class NoReplyError(RuntimeError):
    """The judge gave no reply to this task; `failure` says why in one word."""

    def __init__(self, task: str, failure: str | None) -> None:
        super().__init__(f"{task}: no reply ({failure})")
        self.failure = failure


def read_verdict(text: str) -> bool | Fault[bool]:
    """Whether the last fenced block of a reply says true; a fault where it is neither true nor false."""
    blocks = _BLOCK.findall(text)
    words = blocks[-1].lower().split(maxsplit=2) if blocks else []
    if len(words) == 2 and words[0] in _LANGUAGES:
        words = words[1:]
    if words in (["true"], ["false"]):
        return words == ["true"]
    told = "its last block between triple backticks is not True or False"
    return Fault("no_verdict", told if blocks else "it has no block between triple backticks", False)


REFERENCE_ANSWER: Final = Task[bool]("airqa_reference_answer", None, read_verdict)
CANDIDATE_ANSWERS: Final = Task[bool]("airqa_candidate_answers", None, read_verdict)
SCORING_POINTS: Final = Task[bool]("airqa_scoring_points", None, read_verdict)
PARTIAL_POINTS: Final = Task[bool]("airqa_partial_points", None, read_verdict)
ANSWER_AND_POINTS: Final = Task[bool]("airqa_answer_and_points", None, read_verdict)
FORMULA: Final = Task[bool]("airqa_formula", None, read_verdict)
JUDGE_TASKS: Final = (
    REFERENCE_ANSWER,
    CANDIDATE_ANSWERS,
    SCORING_POINTS,
    PARTIAL_POINTS,
    ANSWER_AND_POINTS,
    FORMULA,
)


def eval_reference_answer_with_llm(
    pred: Any, reference_answer: str, question: str, **_unknown: Any
) -> Asking:
    """Whether the answer says what the reference answer says."""
    return _judged(REFERENCE_ANSWER, pred, question, reference_answer=str(reference_answer))


def eval_candidate_reference_answer_with_llm(
    pred: Any, candidate_reference_answers: Sequence[str], question: str, **_unknown: Any
) -> Asking:
    """Whether the answer says what any of the candidate answers says."""
    return _judged(CANDIDATE_ANSWERS, pred, question, candidates=_stripped(candidate_reference_answers))


def eval_scoring_points_with_llm(
    pred: Any, scoring_points: Sequence[str], question: str, *, ignore_order: bool = True, **_unknown: Any
) -> Asking:
    """Whether the answer makes all of the points, in their order unless that does not matter."""
    return _judged(
        SCORING_POINTS, pred, question, points=_stripped(scoring_points), order=_word(ignore_order)
    )


def eval_partial_scoring_points_with_llm(
    pred: Any, scoring_points: Sequence[str], question: str, *, count: int = 1, **_unknown: Any
) -> Asking:
    """Whether the answer makes at least `count` of the points; fewer than all."""
    if not 0 < count < len(scoring_points):
        raise ValueError("count must be at least 1 and less than the number of points")
    return _judged(PARTIAL_POINTS, pred, question, points=_stripped(scoring_points), count=str(count))


def eval_reference_answer_and_scoring_points_with_llm(
    pred: Any,
    reference_answer: str,
    scoring_points: Sequence[str],
    question: str,
    *,
    ignore_order: bool = True,
    **_unknown: Any,
) -> Asking:
    """Whether the answer says what the reference answer says, and makes all of the points."""
    points = _stripped(scoring_points)
    more = {"reference_answer": str(reference_answer), "points": points, "order": _word(ignore_order)}
    return _judged(ANSWER_AND_POINTS, pred, question, **more)


def eval_complex_math_formula_with_llm(
    pred: Any, formulas: str | Sequence[str], question: str, *, ignore_order: bool = True, **_unknown: Any
) -> Asking:
    """Whether the answer holds formulas that say the same as the right ones."""
    right = _stripped([formulas] if isinstance(formulas, str) else formulas)
    if same_formulas(str(pred), right):
        return 1.0
    return (yield from _judged(FORMULA, pred, question, formulas=right, order=_word(ignore_order)))


def eval_scidqa(pred: Any, reference_answer: str, question: str, **_unknown: Any) -> Asking:
    """Whether the answer says what that of a SciDQA example says, which may begin with "A: "."""
    reference = reference_answer.strip().removeprefix("A: ").strip()
    return _judged(REFERENCE_ANSWER, pred, question, reference_answer=reference)


def eval_m3sciqa(pred: Any, reference_answer: str, question: str, **_unknown: Any) -> Asking:
    """Whether the answer says what that of an M3SciQA example says."""
    return _judged(REFERENCE_ANSWER, pred, question, reference_answer=reference_answer)


def _judged(task: Task[bool], pred: Any, question: str, **more: Any) -> Asking:
    outcome = yield from task.ask("", question=str(question), prediction=str(pred), **more)
    if outcome.text is None:
        raise NoReplyError(task.name, outcome.failure)
    return float(outcome.value or False)


def _stripped(texts: Sequence[str]) -> list[str]:
    return [text.strip() for text in texts]


def _word(ignore_order: bool) -> str:
    """What the prompts know of the order of points: an `if` in them tells the two apart."""
    return "" if ignore_order else "matters"
