"""`score`: an answer, by the evaluator of its question.

`scored` is the same as a dialogue, for thousands of answers at once over the journal.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from aimsciqa_resources.language_model import ModelReply

from aimsciqa_assets.airqa.evaluation.functions import CONVERSIONS, FUNCTIONS, UnknownFunctionError, run
from aimsciqa_assets.airqa.evaluation.judged import Asking, NoReplyError
from aimsciqa_assets.airqa.evaluation.judges import Judge
from aimsciqa_assets.asking.prompts import PromptError

PASSES: Final = 0.5
"""A score from here on counts as correct."""
MOST_CHARACTERS: Final = 1_000_000
"""A longer answer is none: the score is 0."""

_FAILED_RUN: Final = "[ERROR]:"


class NoJudgeError(ValueError):
    """The evaluator asks a judge, and there is none."""


def score(evaluator: Mapping[str, Any], answer: Any, judge: Judge | None = None) -> float:
    """1 where the evaluator `{eval_func, eval_kwargs}` passes the answer, else 0.

    An answer that cannot be evaluated gets 0, whatever is wrong with it. What is not its fault raises:
    `UnknownFunctionError` for an evaluator that names no function, `NoJudgeError` where a verdict is needed
    and nobody gives one, and what the judge itself raises.
    """
    asking = scored(evaluator, answer)
    try:
        request = next(asking)
        while True:
            if judge is None:
                raise NoJudgeError(
                    f"{evaluator['eval_func']} needs a verdict: give a judge, "
                    "or LexicalJudge() to count words."
                )
            request = asking.send(ModelReply(request.key, judge.reply(request)))
    except StopIteration as ended:
        return float(ended.value)


def scored(evaluator: Mapping[str, Any], answer: Any, key: str = "") -> Asking:
    """`score` as a dialogue; `key` is that of its requests."""
    name = evaluator.get("eval_func")
    if not isinstance(name, str) or name not in {**FUNCTIONS, **CONVERSIONS}:
        raise UnknownFunctionError(f"there is no evaluation function {name!r}: aimsciqa airqa evaluators")
    try:
        written = str(answer)
        if written.startswith(_FAILED_RUN) or len(written) > MOST_CHARACTERS:
            return 0.0
        verdict = run(name, answer, evaluator.get("eval_kwargs") or {})
        request = next(verdict)
        while True:
            reply = yield replace(request, key=key)
            request = verdict.send(reply)
    except StopIteration as ended:
        return float(ended.value)
    except (NoReplyError, PromptError):
        raise
    except Exception:
        # As in the benchmark: whatever goes wrong with an answer, it is not right.
        return 0.0
