"""What a core question asks for: a value with its statistic, or an effect on an outcome.

What a question tells of other groups than its own is left out: "... of millet, unlike in sorghum".
"""

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.composition.questions import Question
from aimsciqa_assets.stand_in.composition.words import content, specific, stem
from aimsciqa_assets.stand_in.inversion import DETERMINERS, PREPOSITIONS, RELATIVES, bare
from aimsciqa_assets.stand_in.morphology import is_participle

Statistic = Literal["mean", "median", "range", "share", "value"]
EFFECTS: Final = frozenset({"effect", "change"})

_FAMILIES: Final = {
    stem(noun): family for family, nouns in lex.table("measure_families").items() for noun in nouns
}
# What a question tells of other groups or outcomes than the one that it asks for.
_CONTRASTED: Final = re.compile(
    r",? (?:unlike|rather than|in contrast|except|(?:as |when )?compared|relative to|as well as|but not)\b.*"
)
STATISTICS: Final[dict[Statistic, re.Pattern[str]]] = {
    "range": re.compile(r"(?:the )?range of (?:the )?"),
    "mean": re.compile(r"(?:the )?(?:overall )?(?:mean|average)(?: values? of (?:the )?| )"),
    "median": re.compile(r"(?:the )?(?:overall )?median (?:values? of (?:the )?)?"),
    "share": re.compile(r"(?:the )?(?:percentage|proportion|share|fraction) of (?:the )?"),
    "value": re.compile(r"(?:the )?"),
}
_AVERAGED: Final = re.compile(r"\b(?:mean|average|averaged|median|total|cumulative|maximum|minimum)\b")
_EFFECT: Final = re.compile(r"(?:the )?\w+ of (?P<factor>.+?) on (?P<target>.+)")
_CHANGE: Final = re.compile(r"the \w+ (?:in|of) (?P<target>.+)")
_BETWEEN: Final = re.compile(r"the \w+ between (?P<one>.+?) and (?P<other>.+)")
_BEFORE_NOUN: Final = {"the", "of", "and", "a", "an"}


@dataclass(frozen=True, slots=True)
class Measure:
    """What a question asks for: `measured` as written, its stems in order (`named`), the sort of measure, and
    stems of the things, groups, places, conditions and causes that the question names beside.
    """

    measured: str
    named: tuple[str, ...]
    family: str
    setting: frozenset[str]
    statistic: Statistic | None = None


def plainly_asked(question: Question) -> Question:
    """The question without what it tells of others than those that it asks about."""
    phrase = _CONTRASTED.sub("", question.phrase or "")
    return replace(question, phrase=phrase or None)


def as_mean(question: Question) -> Question | None:
    """Ask for the mean of what a range is asked of; None where that is no plain value."""
    opening = STATISTICS["range"].match(question.phrase or "")
    if opening is None or _AVERAGED.search(rest := (question.phrase or "")[opening.end() :]):
        return None
    return replace(question, phrase=f"the mean {rest}")


def measure(question: Question) -> Measure | None:
    """What the question asks for; None where it asks for nothing that can be compared."""
    phrase, factor, statistic = question.phrase or "", "", None
    if question.kind == "value":
        statistic, opening = next(
            (name, found) for name, form in STATISTICS.items() if (found := form.match(phrase)) is not None
        )
        phrase = phrase[opening.end() :]
    elif question.kind == "effect" and (effect := _EFFECT.fullmatch(phrase)):
        phrase, factor = effect["target"], effect["factor"]
    elif question.kind == "change" and (changed := _CHANGE.fullmatch(phrase)):
        phrase = changed["target"]
    else:
        return None
    measured, rest = _measured(phrase.split())
    nouns = content(measured)
    # "Expression level": the amount of a measure is that measure.
    families = [_FAMILIES[noun] for noun in reversed(nouns) if noun in _FAMILIES]
    family = next((one for one in families if one != "amount"), "amount" if families else "")
    named = tuple(noun for noun in specific(measured) if noun not in _FAMILIES)
    setting = specific(f"{rest} {factor} {question.about}").keys() - set(named)
    return Measure(measured, named, family, frozenset(setting), statistic)


def ends(question: Question) -> tuple[Measure, Measure] | None:
    """Both things of which it is asked how they go together; None where that is not asked, or not clear."""
    found = _BETWEEN.fullmatch(question.phrase or "")
    if question.kind != "association" or found is None or " and " in found["other"]:
        return None
    made = []
    for phrase in (found["one"], found["other"]):
        value = replace(question, kind="value", phrase=phrase)
        one = measure(value)
        if one is None or not one.named:
            return None
        made.append(one)
    return made[0], made[1]


def _measured(words: list[str]) -> tuple[str, str]:
    """Split a phrase behind what is measured: "grain iron | in millet", "prevalence of anaemia | in women".

    What follows "of" belongs to it only where nothing specific stands before.
    """
    for at, (before, word) in enumerate(pairwise(words), start=1):
        plain = bare(word)
        has_name = any(noun not in _FAMILIES for noun in specific(" ".join(words[:at])))
        ends = plain in PREPOSITIONS | RELATIVES and (plain != "of" or has_name)
        opens = bare(before) not in _BEFORE_NOUN and (plain in DETERMINERS or is_participle(plain))
        if ends or (opens and has_name) or before.endswith(","):
            return " ".join(words[:at]), " ".join(words[at:])
    return " ".join(words), ""
