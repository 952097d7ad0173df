"""How near a prediction is to the right answer, word for word: exact match, token F1, ROUGE-L.

Exact match and token F1 are those of the SQuAD script; ROUGE-L is the F1 of the package `rouge-score`,
without its stemmer. An answer that declines counts as none.
"""

import re
import string
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer

_DECLINED = re.compile(r"\W*i\s+(?:cannot|can\s+not|can['’]t)\s+tell\b[^.!?]*\W*", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def declines(answer: str) -> bool:
    """Whether an answer is nothing but the sentence with which the prompt lets a model decline."""
    return _DECLINED.fullmatch(answer) is not None


def normalised(text: str) -> str:
    """SQuAD's normalisation: lower case, no ASCII punctuation, no articles, single blanks."""
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(answer: str, prediction: str) -> float:
    """1 when both are the same after normalisation."""
    return float(normalised(answer) == normalised(prediction))


def token_f1(answer: str, prediction: str) -> float:
    """F1 of the multisets of tokens after normalisation; 1 for two texts without tokens."""
    right, given = normalised(answer).split(), normalised(prediction).split()
    if not right or not given:
        return float(right == given)
    common = (Counter(right) & Counter(given)).total()
    return 2 * common / (len(right) + len(given))


def rouge_l(answer: str, prediction: str) -> float:
    """F1 of the longest common subsequence of tokens."""
    return float(_rouge().score(answer, prediction)["rougeL"].fmeasure)


@cache
def _rouge() -> "RougeScorer":
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rougeL"], use_stemmer=False)
