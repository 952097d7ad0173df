"""SciDQA's judge of answers in four aspects, and the means ALS and Avg that its tables report."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from aimsciqa_resources.language_model import Dialogue
from aimsciqa_resources.language_model.thinking import without_thinking
from pydantic import BaseModel, Field

from aimsciqa_assets.asking.families import same_family
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import MALFORMED, read_object
from aimsciqa_assets.asking.task import Outcome, Task
from aimsciqa_assets.metrics.rouge import ANSWER_MARK

ASPECTS: Final = ("relevance", "accuracy", "completeness", "conciseness")
_SCALE: Final = 10
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
        """The mean of the aspects, times 10."""
        return _SCALE * fmean(getattr(self, aspect) for aspect in ASPECTS)


@dataclass(frozen=True, slots=True)
class SixColumns:
    """What a table of SciDQA reports of a model: R_mu, BLEURT, BERTScore, and three judges; each 0 to 100."""

    rouge: float
    bleurt: float
    bert_score: float
    judges: tuple[float, float, float]

    @property
    def als(self) -> float:
        """The mean of the judges."""
        return fmean(self.judges)

    @property
    def average(self) -> float:
        """Avg: the mean of the six columns. The paper does not say of which columns; this is our reading."""
        return fmean((self.rouge, self.bleurt, self.bert_score, *self.judges))


def read_ratings(text: str) -> Ratings | Fault[Ratings]:
    """The four numbers of a reply: of a JSON object, else the one behind the name of each aspect.

    Where a reply gives an aspect two different numbers, or one outside of 1 to 10, it is malformed.
    """
    read = read_object(text, Ratings)
    if isinstance(read, Ratings):
        return read
    told = without_thinking(text)
    found = {
        aspect: {float(one["number"]) for one in pattern.finditer(told)}
        for aspect, pattern in _STATED.items()
    }
    if all(len(numbers) == 1 and 1 <= min(numbers) <= 10 for numbers in found.values()):
        return Ratings(**{aspect: numbers.pop() for aspect, numbers in found.items()})
    return Fault(MALFORMED, f"it has not one number from 1 to 10 for each of {', '.join(ASPECTS)}")


ASPECT_JUDGE: Final = Task[Ratings]("scidqa_aspect_judge", Ratings, read_ratings)


def may_judge(judge: str, answerer: str) -> bool:
    """A judge never rates the answers of its own family."""
    return not same_family(judge, answerer)


def ratings_of(
    key: str, question: str, answer: str, prediction: str, *, keep_mark: bool = False
) -> Dialogue[Outcome[Ratings]]:
    """Ask for the ratings of one answer; the gold answer is shown without its "A: " unless it is kept."""
    gold = answer if keep_mark else answer.removeprefix(ANSWER_MARK)
    return (yield from ASPECT_JUDGE.ask(key, question=question, answer=gold, prediction=prediction))


def als(judges: Mapping[str, Sequence[float]]) -> float | None:
    """The mean over judges of the mean of their overall ratings; None where none rated anything."""
    means = [fmean(ratings) for ratings in judges.values() if ratings]
    return fmean(means) if means else None
