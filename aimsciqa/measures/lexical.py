"""The lexical judge: scores an answer by its words alone, so that there is always a judge.

It does not judge meaning. It looks for what the right answer says beyond the question and the title of the
paper: content words and numbers, without commas (1,500 = 1500).

- 1: at least 75 % of them are in the prediction, all the numbers among them.
- 0.5: at least 40 % of them.
- 0: less, or no prediction.

A prediction of more than four times as many words as the right answer gets 0.5 at most: whoever recites a
paper has not answered.
"""

import re
from typing import Final

NAME: Final = "lexical"
_WHOLE, _HALF = 0.75, 0.4
_LONGEST = 4
_TERM = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
# Common words of any English sentence, and of any answer about papers.
_EMPTY: Final = frozenset(
    """
    a an the of in on at to for from by with without as than and or but nor not no that this these those it
    its they their them which who whose what when where how is are was were be been being has have had do
    does did will would can could may might should there here both also while whereas however respectively
    paper papers source study article question report reports reported according compared comparison
    """.split()
)


def lexical_score(question: str, answer: str, prediction: str, title: str = "") -> float:
    """1, 0.5 or 0; `title` is the target paper's."""
    untitled = answer.casefold().replace(title.casefold(), " ") if title else answer
    expected = _terms(untitled) - _terms(question) or _terms(untitled)
    given = _terms(prediction)
    if not expected or not given:
        return 0.0
    recall = len(expected & given) / len(expected)
    numbers = {term for term in expected if term[0].isdigit()}
    too_long = len(prediction.split()) > _LONGEST * len(answer.split())
    if recall >= _WHOLE and numbers <= given and not too_long:
        return 1.0
    return 0.5 if recall >= _HALF else 0.0


def _terms(text: str) -> set[str]:
    words = (word.replace(",", "") if word[0].isdigit() else word for word in _TERM.findall(text.casefold()))
    return {word for word in words if word not in _EMPTY}
