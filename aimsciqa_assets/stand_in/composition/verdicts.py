"""The four criteria of AIM-SciQA's table 4, checked on a composed item as far as rules can see."""

import re
from collections.abc import Iterable, Set
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.composition.relation import mentions_procedure
from aimsciqa_assets.stand_in.composition.words import (
    FIELD_STEMS,
    any_of,
    content,
    is_balanced,
    is_term,
    specific,
)
from aimsciqa_assets.stand_in.forms import Kind
from aimsciqa_assets.stand_in.inversion import bare
from aimsciqa_assets.stand_in.morphology import THIRD_FORMS, is_past

QUESTION_WORDS: Final = (5, 90)
ANSWER_WORDS: Final = (6, 160)
# Findability under which a fact does not tell its paper from all others.
IDENTIFYING: Final = 5
# Least share of what a core answer or core question says that has to come back in the composed text.
KEPT: Final = 0.8
# Share of the words of two texts from which on they say the same.
NEAR: Final = 0.8
# The same where no value tells them apart.
LIKE: Final = 0.6
_AMOUNT: Final = re.compile(r"\d|\b" + any_of("number_words", "amounts") + r"\b", re.IGNORECASE)
_PAST: Final = frozenset({"was", "were", "had", "did"})
_PRESENT: Final = lex.MODALS | {"is", "are", "has", "have"}
_MEASURED: Final = re.compile(r"(?<![\w.])\d+\.\d|\d ?%|±")
# "They transmit better with ...": how, where the question asks what.
_HOW_WELL: Final = re.compile(r"\b(?:better|best|worse|well|faster|slower) (?:with|when|if|under|in|at)\b")
_VALUE: Final = re.compile(r"(?<![\w.])(?!(?:19|20)\d\d\b)\d+(?:[.,]\d+)*")
# What no fluent text has.
_FAULTS: Final = tuple(
    re.compile(fault, re.IGNORECASE)
    for fault in (
        # A word twice.
        r"(?:^|(?<= ))(?!(?:that|had|her) )([^\W\d_]+) \1(?= |$)",
        r"\s[,;:.?]|[,;:][,;:]",
        # "What do days cannot show": an auxiliary too many.
        r"\b(?:do|does|did) [^,?]* cannot .*\?$",
        # "The effect of tubers expressing Or exhibit on carotenoids": a verb too many.
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


def gives_away(told: str, secret: Set[str]) -> bool:
    """Whether half of the stems of a secret stand in what is told of its paper."""
    return bool(secret) and 2 * len(content(told).keys() & secret) >= len(secret)


def incompleteness(
    question: str, answer: str, core: Iterable[tuple[Kind, str, str]], finding: str, standing: str | None
) -> str:
    """Why the answer does not hold what both core answers say, or the question does not ask for both.

    `core` gives kind, question and answer of either paper; `finding` is what the paper is searched by;
    `standing` is None where nothing follows from both answers.
    """
    if any(set(content(asked)) <= set(content(finding)) for _, asked, _ in core):
        return "the paper is searched by what is asked of it"
    if standing is None:
        return "the answers have no unit or direction in common, so that nothing follows from both"
    for kind, core_question, core_answer in core:
        lacks = (kind == "value" and not _AMOUNT.search(core_answer)) or _HOW_WELL.search(core_answer)
        if lacks or not news(core_question, core_answer):
            return "a core answer does not say what is asked"
        if min(_kept(core_answer, answer), _kept(core_question, question)) < KEPT:
            return "a part of the core pairs is lost"
    return ""


def _is_event(statement: str) -> bool:
    """Whether it tells what happened once, or a measured value: what always holds stands in many papers."""
    tokens = {*map(bare, statement.split())}
    is_past_told = tokens & _PAST or (any(map(is_past, tokens)) and not tokens & THIRD_FORMS.keys())
    return bool(is_past_told and not tokens & _PRESENT) or _MEASURED.search(statement) is not None


def unfindable(finding: str, evidence: str) -> str:
    """Why what a paper is searched by does not tell it; `evidence` is the statement that it comes from."""
    is_poor = findability(finding) < IDENTIFYING or mentions_procedure(finding) or not _is_event(evidence)
    return "many papers fit what the paper is searched by" if is_poor else ""


def findability(text: str) -> int:
    """Words by which a paper can be told from others of its field; a term and a number count twice."""
    named = specific(text)
    numbers = 2 * len(_VALUE.findall(text))
    return numbers + sum(1 + is_term(word) for stemmed, word in named.items() if stemmed not in FIELD_STEMS)


def needlessness(source: tuple[Kind, str, str], target: tuple[Kind, str, str], question: str) -> str:
    """Why one of the papers is not needed: it says what the other one or the question says already.

    `source` and `target` are kind, question and answer. Two values may be equal, two directions the same:
    what the answers tell is that they are.
    """
    asked, answered = ([frozenset(content(core[at])) for core in (source, target)] for at in (1, 2))
    least = NEAR if source[0] == "value" else LIKE
    if answered[0] == answered[1] or (_near(*asked) and _near(*answered, least)):
        return "the two facts are nearly the same"
    given = set(content(question))
    if any(kind == "value" and news(said, told) <= given for kind, said, told in (source, target)):
        return "the question tells what a paper answers"
    return ""


def _near(one: Set[str], other: Set[str], least: float = NEAR) -> bool:
    return len(one & other) >= least * len(one | other)


def _is_tidy(text: str, bounds: tuple[int, int]) -> bool:
    fits = bounds[0] <= len(text.split()) <= bounds[1] and is_balanced(text)
    return fits and not text[0].islower() and not any(fault.search(text) for fault in _FAULTS)


def news(question: str, answer: str) -> set[str]:
    """Stems of what an answer says and its question does not."""
    return set(content(answer)) - set(content(question))


def _kept(core: str, composed: str) -> float:
    wanted = set(content(core))
    return len(wanted & set(content(composed))) / len(wanted) if wanted else 0.0
