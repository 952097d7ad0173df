"""Whether two core questions ask for the same attribute of comparable things, and what stands against it.

Words in common are no relation. Both questions must ask for a value, an effect or a change of the same
attribute, for what one cause does to one material, for a difference between the same groups, or the same of
the same thing ("what was it associated with"), as a result of their papers: then one conclusion needs both.
"""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.composition.questions import Question
from aimsciqa_assets.stand_in.composition.words import FIELD_STEMS, content, is_term, specific, stem, stems
from aimsciqa_assets.stand_in.inversion import DETERMINERS, PREPOSITIONS, RELATIVES, bare
from aimsciqa_assets.stand_in.morphology import is_participle, is_verb

_PROCEDURES: Final = lex.words("procedures")
_EMPTY_VERBS: Final = stems(lex.words("empty_verbs"))
_FAMILIES: Final = {
    stem(noun): family for family, nouns in lex.table("measure_families").items() for noun in nouns
}
_ADJECTIVES: Final = lex.table("adjective_prepositions").keys()
_EFFECTS: Final = frozenset({"effect", "change"})
_COMPARED: Final = frozenset({"value", "difference"})
_IDENTIFIED: Final = frozenset({"statement", "thing"})
_EFFECT: Final = re.compile(
    r"(?:the )?\w+ (?:of|that) (?P<factor>.+?) (?:(?:can|could|may|might|will|would) have )?"
    r"on (?P<target>.+)"
)
_CHANGE: Final = re.compile(r"the \w+ (?:in|of) (?P<target>.+)")
_DIFFERENCE: Final = re.compile(
    r"how (?:do|does|did) (?P<one>.+?) (?:compare with|compare to|differ from) (?P<other>.+?)"
    r"(?: in terms of (?P<respect>.+))?"
)
# What nobody has seen yet.
_OPEN: Final = lex.MODALS - {"can"}
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
    if not phrase or question.kind not in _EFFECTS | {"value"}:
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
    # "Expression level": the amount of a measure is that measure.
    families = [_FAMILIES[noun] for noun in reversed(nouns) if noun in _FAMILIES]
    family = next((one for one in families if one != "amount"), "amount" if families else "")
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


def objection(source: Question, target: Question, sections: Iterable[str], topic: Iterable[str] = ()) -> str:
    """Why two questions give no comparison; empty where they do.

    `sections` are those of their facts, `topic` the stems that the titles of both papers share.
    """
    if lex.words("background_sections") & {word for section in sections for word in section.lower().split()}:
        return "a fact is no result of its paper: it stands in its methods or introduction"
    kinds = {source.kind, target.kind}
    if not (kinds <= _EFFECTS or (len(kinds) == 1 and source.kind in _COMPARED | _IDENTIFIED)):
        return "the two questions do not ask for values, effects, changes or identities of the same sort"
    if not kinds <= _EFFECTS and mentions_procedure(f"{source.direct} {target.direct}"):
        return "a routine procedure is asked for"
    if _OPEN & {*source.direct.split(), *target.direct.split()}:
        return "no finding is asked for, but what may be"
    if source.kind in _IDENTIFIED:
        return "" if _is_same_asked(source, target) else "the two questions do not ask the same of one thing"
    if source.kind == "difference":
        is_same = _is_same_difference(source, target)
        return "" if is_same else "different groups are compared in different things"
    one, other = attribute(source), attribute(target)
    if one is None or other is None:
        return "what is asked for cannot be told apart"
    if "count" in {one.family, other.family}:
        return "counts of different material cannot be compared"
    if not _same(one, other):
        return "" if _is_one_cause(one, other) else "the two questions ask for different attributes"
    if source.kind == "value" and not (one.setting and other.setting) and not topic:
        return "it is not said in whom or in what it was measured"
    named = {*one.named} & {*other.named} - FIELD_STEMS
    tied = named or one.setting & other.setting or topic
    return "" if tied else "the same is asked of things that have nothing in common"


def _is_one_cause(one: Attribute, other: Attribute) -> bool:
    """Whether both ask for effects of one cause on one material."""
    causes = one.factor & other.factor - FIELD_STEMS
    material = ({*one.named} | one.setting - one.factor) & ({*other.named} | other.setting - other.factor)
    return bool(causes and material) and 2 * len(causes) >= min(len(one.factor), len(other.factor))


def mentions_procedure(text: str) -> bool:
    """Whether a text is about what is done in any study."""
    return not _PROCEDURES.isdisjoint(map(bare, text.split()))


def _same(one: Attribute, other: Attribute) -> bool:
    """Whether two attributes are one: the same thing is measured, at most more narrowly in one paper."""
    names = frozenset(one.named), frozenset(other.named)
    sorts_agree = one.family == other.family or not (one.family and other.family)
    is_narrower = names[0] <= names[1] or names[1] <= names[0]
    begins_alike = one.named[:1] == other.named[:1] and not FIELD_STEMS.issuperset(one.named[:1])
    is_sure = one.named[-1:] == other.named[-1:] or begins_alike or one.family == other.family != ""
    return all(names) and is_sure and sorts_agree and is_narrower


def _is_same_difference(one: Question, other: Question) -> bool:
    """Whether the same two groups are compared, or groups in the same respect."""
    found = _DIFFERENCE.fullmatch(one.direct), _DIFFERENCE.fullmatch(other.direct)
    if not (found[0] and found[1]):
        return False
    groups, respects = (
        [set(specific(match.expand(part))) for match in found if match]
        for part in (r"\g<one> \g<other>", r"\g<respect>")
    )
    return _is_half(*groups) or (_is_half(*respects) and bool(respects[0] & respects[1] - FIELD_STEMS))


def _is_half(one: Set[str], other: Set[str]) -> bool:
    return 2 * len(one & other) >= len(one | other) > 0


def _is_same_asked(one: Question, other: Question) -> bool:
    """Whether the same verb asks of one subject, at most more narrowly in one paper, or of the same term."""
    (verb, subject), (second, others) = map(_asked_of, (one, other))
    shared = subject.keys() & others.keys() - FIELD_STEMS
    is_narrower = subject.keys() <= others.keys() or others.keys() <= subject.keys()
    is_one = is_narrower or any(is_term(subject[s]) for s in shared)
    return bool(shared) and is_one and verb == second and verb not in _EMPTY_VERBS


def _asked_of(question: Question) -> tuple[str, dict[str, str]]:
    """The verb that asks, the last one ("malted grain" has another), and what is named before it."""
    words = [*map(bare, question.direct.split())]
    verbs = [at for at, one in enumerate(words) if one in _ADJECTIVES or is_verb(one) or is_participle(one)]
    return (stem(words[verbs[-1]]), specific(" ".join(words[: verbs[-1]]))) if verbs else ("", {})
