"""Exact match and token F1 of short answers in the three ways in which HopWeaver's authors count them.

All put texts into lower case, delete punctuation and articles, and make white space single blanks.

- bridge: punctuation is all that is neither a word character nor white space. Tokens count as sets, and two
  texts without tokens have an F1 of 0.
- comparison: the same punctuation. An article counts as one only if something follows it, be it white space:
  the last word stays. Tokens count as often as they occur, and two texts without tokens have an F1 of 1.
- flashrag: normalisation and tokens of the SQuAD script, so only ASCII punctuation. Two texts without tokens
  have an F1 of 0, and so has "yes", "no" or "noanswer" beside anything else. FlashRAG evaluates with it.

Measures of the platform's own answers are in `aimsciqa.measures.answers`.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from aimsciqa.measures.answers import normalised as squad_normalised

Counting = Literal["bridge", "comparison", "flashrag"]

_PUNCTUATION = re.compile(r"[^\w\s]")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_ARTICLE_BEFORE_SPACE = re.compile(r"\b(?:a|an|the)\s+")
_WHOLE_ANSWERS: Final = frozenset({"yes", "no", "noanswer"})


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much an answer and a prediction have in common. The texts are the normalised ones."""

    answer: str
    prediction: str
    exact_match: float
    f1: float
    precision: float
    recall: float


def overlap(answer: str, prediction: str, counting: Counting) -> Overlap:
    """Compare a prediction with the right answer."""
    right, given = normalised(answer, counting), normalised(prediction, counting)
    precision, recall = _shares(right, given, counting)
    f1 = 2 * precision * recall / (precision + recall) if precision else 0.0
    return Overlap(right, given, float(right == given), f1, precision, recall)


def normalised(text: str, counting: Counting) -> str:
    """The text as it is compared."""
    if counting == "flashrag":
        return squad_normalised(text)
    article = _ARTICLES[counting]
    return " ".join(article.sub(" ", _PUNCTUATION.sub("", text.lower())).split())


_ARTICLES: Final[Mapping[str, re.Pattern[str]]] = {
    "bridge": _ARTICLE,
    "comparison": _ARTICLE_BEFORE_SPACE,
}


def _shares(right: str, given: str, counting: Counting) -> tuple[float, float]:
    """Precision and recall of the tokens of two normalised texts."""
    if counting == "comparison" and not right and not given:
        return 1.0, 1.0
    if counting == "flashrag" and right != given and _WHOLE_ANSWERS & {right, given}:
        return 0.0, 0.0
    of_right, of_given = Counter(right.split()), Counter(given.split())
    if counting == "bridge":
        of_right, of_given = Counter(set(of_right)), Counter(set(of_given))
    common = (of_right & of_given).total()
    return (common / of_given.total(), common / of_right.total()) if common else (0.0, 0.0)
