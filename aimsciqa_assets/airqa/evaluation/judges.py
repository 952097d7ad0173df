"""Who gives verdicts: anything that replies to a request. A stand-in without any model is one of them."""

import re
from typing import Any, Final, Protocol

from aimsciqa_resources.language_model import ModelRequest

_WORD: Final = re.compile(r"\w+")
_SMALL_WORDS: Final = frozenset(
    "a an and are as at be been being both but by can did do does for from had has have how if in into is "
    "it its of on or our so such than that the their them then there these they this those to was we were "
    "what when where which while who whose why will with would".split()
)
_ENOUGH: Final = 0.7
"""The share of the words of a right answer that the stand-in wants to find."""


class Judge(Protocol):
    """Replies to the request for a verdict. `name` stands beside every score that rests on it."""

    @property
    def name(self) -> str:
        """The model's name, or what stands in for one."""

    def reply(self, request: ModelRequest) -> str:
        """What the judge says; its last block between triple backticks holds True or False."""


class LexicalJudge:
    """Stands in for a judge where there is no model: it counts shared words and understands nothing."""

    name: Final = "lexical stand-in (no model)"

    def reply(self, request: ModelRequest) -> str:
        """True where the answer holds enough of the words of what it has to say."""
        verdict = _verdict(request.task, request.variables)
        return f"The {self.name} counted shared words.\n```txt\n{verdict}\n```"


def _verdict(task: str, told: Any) -> bool:
    answer = told["prediction"]
    if task == "airqa_reference_answer":
        return _says(answer, told["reference_answer"])
    if task == "airqa_candidate_answers":
        return any(_says(answer, one) for one in told["candidates"])
    if task == "airqa_formula":
        return all(_says(answer, one) for one in told["formulas"])
    points = sum(_says(answer, point) for point in told["points"])
    if task == "airqa_partial_points":
        return points >= int(told["count"])
    said = task != "airqa_answer_and_points" or _says(answer, told["reference_answer"])
    return said and points == len(told["points"])


def _says(answer: str, right: str) -> bool:
    wanted = _words(right)
    return bool(wanted) and len(wanted & _words(answer)) >= _ENOUGH * len(wanted)


def _words(text: str) -> set[str]:
    words = set(_WORD.findall(text.lower()))
    return words - _SMALL_WORDS or words
