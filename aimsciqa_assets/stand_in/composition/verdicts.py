"""The four criteria of AIM-SciQA's table 4, checked on a composed item as far as rules can see."""

import re
from collections.abc import Collection, Iterable
from typing import Final

from aimsciqa_assets.stand_in.composition.words import any_of, content, is_balanced, specific
from aimsciqa_assets.stand_in.forms import Kind

QUESTION_WORDS: Final = (5, 90)
ANSWER_WORDS: Final = (6, 160)
# Specific words without which a paper cannot be found.
FINDABLE: Final = 2
# Least share of what a core answer or core question says that has to come back in the composed text.
KEPT: Final = 0.8
_DIRECTIONAL: Final = frozenset({"whether", "difference", "change", "effect"})
_AMOUNT: Final = re.compile(r"\d|\b" + any_of("number_words", "amounts") + r"\b", re.IGNORECASE)
# What no fluent text has.
_FAULTS: Final = tuple(
    re.compile(fault, re.IGNORECASE)
    for fault in (
        # A word twice.
        r"(?:^|(?<= ))(?!(?:that|had|her) )([^\W\d_]+) \1(?= |$)",
        r"\s[,;:.?]|[,;:][,;:]",
        # "What do days cannot show": an auxiliary too many.
        r"\b(?:do|does|did) [^,?]* cannot .*\?$",
        # A text that points to what is not there.
        r"\b(?:this (?:study|paper|work|article|table|figure|section)|the (?:above|aforementioned|following)"
        r"|above-mentioned|herein|as follows|these (?:authors|results|findings))\b",
    )
)


def is_fluent(questions: Iterable[str], answer: str) -> bool:
    """Whether every question is one well-formed question, and the answer a well-formed statement."""
    asked = all(
        text.endswith("?") and text.count("?") == 1 and _is_tidy(text, QUESTION_WORDS) for text in questions
    )
    return asked and answer.endswith(".") and _is_tidy(answer, ANSWER_WORDS)


def repeats(finding: str, question: str) -> bool:
    """Whether the paper is searched by the very thing that is then asked of it."""
    return set(content(question)) <= set(content(finding))


def gives_away(told: str, secret: Collection[str]) -> bool:
    """Whether half of the stems of a secret stand in what is told of its paper."""
    return bool(secret) and 2 * len(content(told).keys() & set(secret)) >= len(secret)


def is_complete(question: str, answer: str, core: Iterable[tuple[Kind, str, str]], finding: str) -> bool:
    """Whether the answer holds what both core answers say and the question asks for both.

    `core` gives kind, question and answer of either paper. A core answer must say something that its question
    does not, and a number where a value is asked; `finding`, by which the paper is searched, must be about
    something specific.
    """
    return len(specific(finding)) >= FINDABLE and all(
        (kind == "whether" or _news(core_question, core_answer))
        and (kind != "value" or _AMOUNT.search(core_answer))
        and min(_kept(core_answer, answer), _kept(core_question, question)) >= KEPT
        for kind, core_question, core_answer in core
    )


def needs_both(source: tuple[Kind, str, str], target: tuple[Kind, str, str], question: str) -> bool:
    """Whether either core answer tells something that neither the other one nor the question tells.

    `source` and `target` are kind, question and answer. Answers that are in effect a yes, a no, more or less
    may use the same words as each other, and two values may be equal: what they tell is which of these holds
    in their paper.
    """
    if set(content(source[2])) == set(content(target[2])):
        return False
    given = set(content(question))
    may_agree = source[0] == target[0] == "value"
    for (kind, asked, answered), elsewhere in ((source, target[2]), (target, source[2])):
        told = _news(asked, answered) - given
        if kind not in _DIRECTIONAL and not (told if may_agree else told - set(content(elsewhere))):
            return False
    return True


def _is_tidy(text: str, bounds: tuple[int, int]) -> bool:
    fits = bounds[0] <= len(text.split()) <= bounds[1] and is_balanced(text)
    return fits and not text[0].islower() and not any(fault.search(text) for fault in _FAULTS)


def _news(question: str, answer: str) -> set[str]:
    return set(content(answer)) - set(content(question))


def _kept(core: str, composed: str) -> float:
    wanted = set(content(core))
    return len(wanted & set(content(composed))) / len(wanted) if wanted else 0.0
