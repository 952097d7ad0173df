"""ROUGE-1, ROUGE-2 and ROUGE-L (Lin 2004) of the package `rouge-score`, with its stemmer, as SciDQA uses it.

Values are times 100. SciDQA's tables and score files have the precision, which a short prediction raises; F1
is what other work reports.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer

NOT_A_NUMBER: Final = "nan"
"""What the authors' code scores where a prediction is missing."""
ANSWER_MARK: Final = "A: "
"""What nearly all gold answers of SciDQA begin with."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Of the n-grams, or of the longest common subsequence, that two texts share, times 100."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Rouge:
    """The three measures of one prediction."""

    rouge1: Overlap
    rouge2: Overlap
    rouge_l: Overlap

    @property
    def mean_precision(self) -> float:
        """R_mu of SciDQA: the mean of the three precisions."""
        return (self.rouge1.precision + self.rouge2.precision + self.rouge_l.precision) / 3


PARTS: Final[Mapping[str, Callable[[Rouge], float]]] = {
    f"{name}_{part}": attrgetter(f"{name}.{part}")
    for name in ("rouge1", "rouge2", "rouge_l")
    for part in ("precision", "recall", "f1")
}
"""Precision, recall and F1 of the three measures, by name."""


def rouge(
    answer: str, prediction: str | None, *, missing_as_nan: bool = False, without_mark: bool = False
) -> Rouge | None:
    """The prediction against the answer; None where there is no prediction.

    `missing_as_nan` scores the text "nan" in its place, and `without_mark` leaves out the "A: " that the
    answer begins with: the authors' code does the first and not the second.
    """
    if prediction is None:
        if not missing_as_nan:
            return None
        prediction = NOT_A_NUMBER
    scores = _scorer().score(answer.removeprefix(ANSWER_MARK) if without_mark else answer, prediction)
    return Rouge(
        *(
            Overlap(100 * one.precision, 100 * one.recall, 100 * one.fmeasure)
            for one in (scores["rouge1"], scores["rouge2"], scores["rougeL"])
        )
    )


@cache
def _scorer() -> "RougeScorer":
    # Imported here: it loads NLTK, which takes seconds.
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
