"""SciDQA's judge of answers in four aspects: what it is asked, and how its numbers are read."""

import re
from statistics import fmean
from typing import Final

from aimsciqa_resources.language_model.thinking import reply_text
from pydantic import BaseModel, Field

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import AMBIGUOUS, MALFORMED, read_object
from aimsciqa_assets.asking.task import Task

ASPECTS: Final = ("relevance", "accuracy", "completeness", "conciseness")
HIGHEST: Final = 100
"""The best overall rating."""
_NUMBER: Final = r"(?P<number>\d+(?:\.\d+)?)"
# A list, a table or a sentence: the name of the aspect, then marks and filler words, then the number.
_STATED: Final = {
    aspect: re.compile(
        rf"\b{aspect}\b[\s\"'*_|:=()\-–—]*(?:(?:score|rating|is|of)[\s\"'*_|:=]*)*{_NUMBER}(?![\d.]*\d)",
        re.IGNORECASE,
    )
    for aspect in ASPECTS
}


class Ratings(BaseModel):
    """One number from 1 to 10 for each aspect."""

    relevance: float = Field(ge=1, le=10)
    accuracy: float = Field(ge=1, le=10)
    completeness: float = Field(ge=1, le=10)
    conciseness: float = Field(ge=1, le=10)

    @property
    def overall(self) -> float:
        """The mean of the aspects, times 10: 10 to 100."""
        return HIGHEST / 10 * fmean(getattr(self, aspect) for aspect in ASPECTS)


def read_ratings(text: str) -> Ratings | Fault[Ratings]:
    """The four numbers of a reply: of a JSON object, else the one behind the name of each aspect.

    Where a reply gives an aspect two different numbers, or one outside of 1 to 10, it is malformed.
    """
    read = read_object(text, Ratings)
    if isinstance(read, Ratings) or read.reason == AMBIGUOUS:
        return read
    told = reply_text(text)
    found = {
        aspect: {float(one["number"]) for one in pattern.finditer(told)}
        for aspect, pattern in _STATED.items()
    }
    if all(len(numbers) == 1 and 1 <= min(numbers) <= 10 for numbers in found.values()):
        return Ratings(**{aspect: numbers.pop() for aspect, numbers in found.items()})
    return Fault(MALFORMED, f"it has not one number from 1 to 10 for each of {', '.join(ASPECTS)}")


ASPECT_JUDGE: Final = Task[Ratings]("scidqa_aspect_judge", Ratings, read_ratings)
