"""The four criteria of AIM-SciQA's table 4, checked on a composed item as far as rules can see."""

import re
from collections.abc import Iterable, Set
from typing import Final

from aimsciqa_assets.stand_in.composition.relation import Comparison
from aimsciqa_assets.stand_in.composition.words import content, is_balanced

QUESTION_WORDS: Final = (5, 80)
ANSWER_WORDS: Final = (6, 160)
# Least share of what a core answer says that has to come back in the composed text.
KEPT: Final = 0.8
# Share of the words of two texts from which on they say the same.
NEAR: Final = 0.8
_NUMBER: Final = re.compile(r"(?<![\w.])\d+\.\d+|\d+(?: ?%)")
# What no fluent text has.
_FAULTS: Final = tuple(
    re.compile(fault, re.IGNORECASE)
    for fault in (
        # A word twice.
        r"(?:^|(?<= ))(?!(?:that|had|her) )([^\W\d_]+) \1(?= |$)",
        r"\s[,;:.?]|[,;:][,;:]",
        # A phrase that breaks off, and a verb too many: "the effect of tubers expressing Or exhibit on".
        r"\b(?:of|and|or|the|between|with) (?:in that paper|in the source paper|compare with)\b",
        r"\b(?:contain|exhibit|have|possess|show) on ",
        # A text that points to what is not there.
        r"\b(?:this (?:study|paper|work|article|table|figure|section)|the (?:above|aforementioned|following)"
        r"|above-mentioned|herein|as follows|these (?:authors|results|findings))\b",
    )
)


def influency(questions: Iterable[str], answer: str) -> str:
    """Why a question is not one well-formed question, or the answer no well-formed statement."""
    for text in questions:
        if not (text.endswith("?") and text.count("?") == 1 and _is_tidy(text, QUESTION_WORDS)):
            return "a question is not one well-formed sentence"
    return "" if answer.endswith(".") and _is_tidy(answer, ANSWER_WORDS) else "the answer is not well formed"


def incompleteness(compared: Comparison, answer: str) -> str:
    """Why the answer does not hold what both core answers say, or says nothing that follows from both."""
    for core in (compared.source, compared.target):
        if not news(core.asked, core.answer.sentence):
            return "a core answer does not say what is asked"
        if _kept(core.answer.sentence, answer) < KEPT:
            return "a part of the core pairs is lost"
    if compared.standing is None:
        return "nothing follows from both answers"
    return ""


def needlessness(compared: Comparison, question: str) -> str:
    """Why one of the papers is not needed: it says what the other one or the question says already."""
    source, target = compared.source, compared.target
    asked, answered = (
        [frozenset(content(text)) for text in texts]
        for texts in (
            (source.asked, target.asked),
            (source.answer.sentence, target.answer.sentence),
        )
    )
    if answered[0] == answered[1] or (_near(*asked) and _near(*answered)):
        return "the two facts are nearly the same"
    if any(_NUMBER.findall(one.question.phrase or "") for one in (source, target)):
        return "the question tells a value"
    given = set(content(question))
    if any(news(one.asked, one.answer.sentence) <= given for one in (source, target)):
        return "the question tells what a paper answers"
    return ""


def _near(one: Set[str], other: Set[str]) -> bool:
    return len(one & other) >= NEAR * len(one | other)


def _is_tidy(text: str, bounds: tuple[int, int]) -> bool:
    fits = bounds[0] <= len(text.split()) <= bounds[1] and is_balanced(text)
    return fits and not text[0].islower() and not any(fault.search(text) for fault in _FAULTS)


def news(question: str, answer: str) -> set[str]:
    """Stems of what an answer says and its question does not."""
    return set(content(answer)) - set(content(question))


def _kept(core: str, composed: str) -> float:
    wanted = set(content(core))
    return len(wanted & set(content(composed))) / len(wanted) if wanted else 0.0
