"""Whether two core questions ask for the same attribute of comparable things, and what stands against it.

Words in common are no relation. Both questions must ask for a value, an effect or a change of the same
attribute, or the same of the same thing ("what was it associated with"), as a result of their papers: then
one conclusion needs both.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.composition.questions import Question
from aimsciqa_assets.stand_in.composition.words import FIELD_STEMS, content, specific, stem, stems
from aimsciqa_assets.stand_in.inversion import DETERMINERS, PREPOSITIONS, RELATIVES, bare
from aimsciqa_assets.stand_in.morphology import is_participle, is_verb

_PROCEDURES: Final = lex.words("procedures")
_EMPTY_VERBS: Final = stems(lex.words("empty_verbs"))
_FAMILIES: Final = {
    stem(noun): family for family, nouns in lex.table("measure_families").items() for noun in nouns
}
_COMPARED: Final = frozenset({"value", "effect", "change"})
_IDENTIFIED: Final = frozenset({"statement", "thing"})
_EFFECT: Final = re.compile(
    r"(?:the )?\w+ (?:of|that) (?P<factor>.+?) (?:(?:can|could|may|might|will|would) have )?"
    r"(?:on|to) (?P<target>.+)"
)
_CHANGE: Final = re.compile(r"the \w+ (?:in|of) (?P<target>.+)")
_BEFORE_NOUN: Final = {"the", "of", "and", "a", "an"}


@dataclass(frozen=True, slots=True)
class Attribute:
    """What a question asks for: `named` in order, the sort of measure, what it is an effect of, and what else
    it names: things, groups, places, conditions. All are stems.
    """

    named: tuple[str, ...]
    family: str
    factor: frozenset[str]
    setting: frozenset[str]


def attribute(question: Question) -> Attribute | None:
    """The attribute that a question asks for; None where it asks for nothing that can be compared."""
    phrase, factor = question.phrase or "", ""
    if not phrase or question.kind not in _COMPARED:
        return None
    if question.kind == "effect":
        found = _EFFECT.fullmatch(phrase)
        if found is None:
            return None
        phrase, factor = found["target"], found["factor"]
    elif question.kind == "change" and (changed := _CHANGE.fullmatch(phrase)):
        phrase = changed["target"]
    measured, rest = _measured(phrase.split())
    nouns = content(measured)
    family = next((_FAMILIES[noun] for noun in reversed(nouns) if noun in _FAMILIES), "")
    named = tuple(noun for noun in specific(measured) if noun not in _FAMILIES)
    setting = specific(f"{rest} {factor} {question.about}").keys() - set(named)
    return Attribute(named, family, frozenset(specific(factor)), frozenset(setting))


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


def objection(source: Question, target: Question, sections: Iterable[str]) -> str:
    """Why two questions give no comparison; empty where they do. `sections` are those of their facts."""
    if lex.words("background_sections") & {word for section in sections for word in section.lower().split()}:
        return "a fact is no result of its paper: it stands in its methods or introduction"
    if mentions_procedure(f"{source.direct} {target.direct}"):
        return "a routine procedure is asked for"
    if source.kind != target.kind or source.kind not in _COMPARED | _IDENTIFIED:
        return "the two questions do not ask for values, effects, changes or identities of the same sort"
    if source.kind in _IDENTIFIED:
        return "" if _is_same_asked(source, target) else "the two questions do not ask the same of one thing"
    one, other = attribute(source), attribute(target)
    if one is None or other is None:
        return "what is asked for cannot be told apart"
    if "count" in {one.family, other.family}:
        return "counts of different material cannot be compared"
    if not _same(one, other):
        return "the two questions ask for different attributes"
    if source.kind == "effect" and not (one.factor | one.setting) & (other.factor | other.setting):
        return "the two effects are of different causes, in different things"
    if source.kind == "value" and not (one.setting and other.setting):
        return "it is not said in whom or in what it was measured"
    return ""


def mentions_procedure(text: str) -> bool:
    """Whether a text is about what is done in any study."""
    return not _PROCEDURES.isdisjoint(map(bare, text.split()))


def _same(one: Attribute, other: Attribute) -> bool:
    """Whether two attributes are one: the same thing is measured, at most more narrowly in one paper."""
    names = frozenset(one.named), frozenset(other.named)
    sorts_agree = one.family == other.family or not (one.family and other.family)
    is_narrower = names[0] <= names[1] or names[1] <= names[0]
    return all(names) and one.named[-1] == other.named[-1] and sorts_agree and is_narrower


def _is_same_asked(one: Question, other: Question) -> bool:
    """Whether the same verb asks of the same subject: at least half of what either names is shared."""
    return any(
        2 * len(first & second) >= len(first | second) > 0 and first & second - FIELD_STEMS != set()
        for verb in _verbs(one) & _verbs(other)
        for first, second in [[_before(verb, question) for question in (one, other)]]
    )


def _before(verb: str, question: Question) -> set[str]:
    tokens = question.direct.split()
    at = next(at for at, token in enumerate(tokens) if stem(bare(token)) == verb)
    return set(specific(" ".join(tokens[:at])))


def _verbs(question: Question) -> set[str]:
    tokens = [bare(token) for token in question.direct.split()]
    return {stem(word) for word in tokens if is_participle(word) or is_verb(word)} - _EMPTY_VERBS
