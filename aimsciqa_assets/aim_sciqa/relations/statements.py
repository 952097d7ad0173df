"""Whether a question-answer pair says something that two papers can be held against each other for.

A pair is no core pair where it tells a routine method, a permission, where a reagent came from, what a word
means, what an introduction says of others' work, or where its subject stands outside of it ("These methods
..."). Two pairs are ranked by what they share: an entity, weighted by its rarity in the corpus, a measured
attribute, the sort of their questions; and by where they stand: results before methods. The word lists are in
`statements.toml`; nothing here knows a field of science.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal

import Stemmer

from aimsciqa_assets.tables.vocabulary import SectionKind

Fault = Literal["ethics", "reagent", "deictic", "definition", "routine_method", "background"]
"""Why a pair is no core pair, whatever it is paired with."""
Mismatch = Literal["near_identical", "no_shared_entity", "little_in_common"]
"""Why two pairs that are sound alone make no core pair together."""
Sort = Literal["effect", "difference", "association", "value"]
"""What two questions may ask for alike: what one thing does to another, how two compare, or how much."""
Rarity = Callable[[str], float]
"""How rare a word (lower case) is in the corpus: 1 where one paper has it, 0 where all have."""

_LISTS: Final = tomllib.loads((Path(__file__).parent / "statements.toml").read_text())
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*%?$")
_OPENING: Final = re.compile(
    r"^(?:in|of|for|from|within) (?:this|the present|the current|our) (?:\w+ )?(?:study|work|paper|review)\W+"
)
_POINTS_BACK: Final = re.compile(
    r"^(?:[^\s,]+ly,? )?(?:it|they|he|she|its|their|both|such|this|these|the (?:former|latter|above|same|"
    r"aforementioned|following))\b"
)
_POINTING: Final = re.compile(
    r"\b(?:this|these|the (?:above|aforementioned|former|latter|following)|such) "
    r"(?!study|paper|work|review|trial|article|analysis|as\b)[a-z]+"
    r"|\b(?:mentioned|described|listed|reported) (?:above|below|previously|earlier)\b"
)
_WHAT_IT_IS: Final = re.compile(
    r"what (?:is|are) (?:an? |the )?(?:(?!(?:of|in|to|for|from|with|by|on|as|at|than)\b)[^\s?]+ ?){1,3}\?$"
)
_HOW_IT_WAS_DONE: Final = re.compile(
    r"\bhow (?:was|were|has|have|did we|will)\b"
    r"|\b(?:what|which [\w -]+) (?:was|were|is|are|has been|have been) "
    r"(?:used|done|performed|employed|applied|conducted|selected|collected|chosen)\b"
)
_PAST: Final = re.compile(r"\b(?:was|were|had|did|\w+ed|rose|fell|grew|led|found)\b")
_PRESENT: Final = re.compile(r"\b(?:is|are|has|have|can|could|may|might|will|would)\b")
_OF_OTHERS: Final = re.compile(r"\bet al\b|\breport(?:s|ed)? (?:of|by)\b|\bpreviously\b")
_MEASURED: Final = re.compile(r"(?<![\w.])\d+\.\d|\d ?%|±")
# Words of an answer that can be told in half a sentence.
_TOLD_AT_ONCE: Final = 30
_SORTS: Final[Mapping[Sort, re.Pattern[str]]] = {
    "difference": re.compile(r"\bhow (?:do|does|did) .+ (?:compare|differ)\b"),
    "association": re.compile(r"\bwhat (?:correlation|association) was found between "),
    "effect": re.compile(
        r"\bhow (?:do|does|did|is|are|was|were|has|have|can) .+ (?:affect(?:ed)?|change|vary|respond)\b"
        r"|\bby how much (?:do|does|did) |\bwhat (?:effect|impact|influence) (?:do|does|did) "
    ),
    "value": re.compile(
        r"\bhow (?!many|did|do|does)(?:\w+) (?:is|are|was|were) "
        r"|\b(?:what|which) (?:(?:is|was|are|were) the )?(?:\w+ ){0,3}"
        r"(?:range|mean|average|median|percentage|proportion|share|rate|ratio|prevalence|incidence|frequency"
        r"|content|concentration|level|amount|coefficient|heritability|yield|risk)s?\b"
    ),
}
# Statements with this share of their words in common say the same.
NEAR_IDENTICAL: Final = 0.8
# Without a measured attribute in common, the rarities of the shared entities must add up to this.
LEAST_IN_COMMON: Final = 1.0
# Below this, a word in common tells no subject: half of the papers have it, or more.
_TELLING: Final = 0.2

WEIGHT_OF: Final[Mapping[SectionKind, float]] = {
    "results": 1.0,
    "results_discussion": 1.0,
    "case": 0.9,
    "abstract": 0.8,
    "conclusion": 0.7,
    "discussion": 0.7,
    "other": 0.5,
    "introduction": 0.3,
    "methods": 0.1,
}
"""How much a statement is worth by the section that it stands in."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A question-answer pair, and the kind of the section that it stands in."""

    question: str
    answer: str
    kind: SectionKind


@dataclass(frozen=True, slots=True)
class Shared:
    """What two statements share: the words that name an entity, and those that name a measured attribute.

    `asked` are the entities that both questions name.
    """

    entities: tuple[str, ...]
    attributes: tuple[str, ...]
    asked: frozenset[str] = frozenset()


def fault_of(statement: Statement) -> Fault | None:
    """Why a statement is no core pair; None for a sound one. The first reason of `Fault` counts."""
    question, answer = statement.question.lower(), statement.answer.lower()
    both = f"{question} {answer}"
    if _phrases("ethics").search(both):
        return "ethics"
    if _phrases("reagents").search(both):
        return "reagent"
    if _points_outside(question, answer):
        return "deictic"
    if _phrases("definitions").search(question) or _asks_what_it_is(question, answer):
        return "definition"
    if _phrases("routine_methods").search(both) or _asks_how_it_was_done(question):
        return "routine_method"
    # What a methods section tells is a finding only where it says so.
    if statement.kind == "methods" and not _stems(both) & _listed("findings"):
        return "routine_method"
    return "background" if statement.kind == "introduction" else None


def mismatch_of(source: Statement, target: Statement, shared: Shared, rarity: Rarity) -> Mismatch | None:
    """Why two statements make no core pair together; None where they do."""
    one, other = (_stems(statement.answer.lower()) for statement in (source, target))
    if len(one & other) >= NEAR_IDENTICAL * len(one | other):
        return "near_identical"
    # The same sort of question about the same thing or attribute is a comparison, however common the words.
    asks_alike = sort_of(source.question) == sort_of(target.question) is not None
    if asks_alike and (shared.asked or shared.attributes):
        return None
    if not shared.entities:
        return "no_shared_entity"
    if not shared.attributes and sum(map(rarity, shared.entities)) < LEAST_IN_COMMON:
        return "little_in_common"
    return None


def shared_by(source: Statement, target: Statement, rarity: Rarity) -> Shared:
    """What two statements share, entities from the rarest on."""
    one, other = (_words(f"{pair.question} {pair.answer}") for pair in (source, target))
    both = one.keys() & other.keys()
    naming = {stem for stem in both if not _NUMBER.match(stem)}
    naming -= _listed("common") | _listed("attributes") | _listed("findings")
    rare = {stem: max(rarity(one[stem]), rarity(other[stem])) for stem in naming}
    entities = [stem for stem in sorted(rare, key=lambda stem: (-rare[stem], stem)) if rare[stem] >= _TELLING]
    # What only the answers have in common may be an aside; what is asked is in the questions.
    asked = _stems(source.question) & _stems(target.question)
    attributes = sorted(both & _listed("attributes") & asked)
    return Shared(
        tuple(one[stem] for stem in entities),
        tuple(one[stem] for stem in attributes),
        frozenset(one[stem] for stem in entities if stem in asked),
    )


def score_of(source: Statement, target: Statement, shared: Shared, cosine: float, rarity: Rarity) -> float:
    """How well two statements go together: the higher the better, from 0 to about 6.

    The rarest shared entity counts its rarity, the others together at most 0.5 more, and half as much where
    not both questions name it; a shared attribute counts 1, two 1.25; questions of one sort count 1, two
    findings 0.5. The sections and the cosine count up to 1 each.
    """
    weighed = (rarity(word) * (1 if word in shared.asked else 0.5) for word in shared.entities)
    rare = sorted(weighed, reverse=True)
    entity = sum(rare[:1]) + min(0.5, 0.25 * sum(rare[1:]))
    attribute = min(1.25, 0.75 + 0.25 * len(shared.attributes)) if shared.attributes else 0.0
    finding = 0.5 * (tells_finding(source) and tells_finding(target))
    alike = 1.0 * (sort_of(source.question) == sort_of(target.question) is not None)
    place = WEIGHT_OF[source.kind] * WEIGHT_OF[target.kind]
    return entity + attribute + alike + finding + place + max(0.0, cosine)


def sort_of(question: str) -> Sort | None:
    """What sort of thing a question asks for; None for all others."""
    plain = question.lower()
    return next((sort for sort, asking in _SORTS.items() if asking.search(plain)), None)


def specificity(text: str, rarity: Rarity) -> float:
    """How much a question pins down, from 0 to 1: the mean rarity of its four rarest names and values."""
    words = {word for word in map(str.lower, _WORD.findall(text)) if len(word) > 1 or word.isdigit()}
    told = (word for word in words if _NUMBER.match(word) or stem(word) not in _listed("common"))
    return sum(sorted(map(rarity, told), reverse=True)[:_TELLS]) / _TELLS


_TELLS: Final = 4


def words_of(text: str) -> set[str]:
    """The words of a text as rarity counts them, in lower case."""
    return {word.lower() for word in _WORD.findall(text)}


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """The English stem of a word in lower case."""
    return str(_stemmer().stemWord(word))


def _asks_what_it_is(question: str, answer: str) -> bool:
    """Whether it asks what a thing is, and no value answers."""
    return bool(_WHAT_IT_IS.match(question.rpartition(", ")[2])) and not any(map(str.isdigit, answer))


def _asks_how_it_was_done(question: str) -> bool:
    """Whether it asks for a procedure: "How was it measured?", but not "How was it affected?"."""
    return bool(_HOW_IT_WAS_DONE.search(question)) and not _stems(question) & _listed("effects")


def _points_outside(question: str, answer: str) -> bool:
    told = _OPENING.sub("", answer)
    return bool(_POINTING.search(_OPENING.sub("", question)) or _POINTS_BACK.match(told))


def is_result(statement: Statement) -> bool:
    """Whether it tells shortly what this paper found, and no other: a past event or a value, no method."""
    answer = statement.answer.lower()
    elsewhere = statement.kind in {"methods", "introduction"} or _OF_OTHERS.search(answer)
    told = _MEASURED.search(answer) or (_PAST.search(answer) and not _PRESENT.search(answer))
    is_short = len(answer.split()) <= _TOLD_AT_ONCE
    return bool(told and is_short and not elsewhere and not fault_of(statement) and tells_finding(statement))


def tells_finding(statement: Statement) -> bool:
    """Whether an answer holds a verb of findings or a number."""
    words = _words(statement.answer)
    return bool(words.keys() & _listed("findings")) or any(map(_NUMBER.match, words.values()))


@lru_cache(maxsize=1 << 15)
def _stems(text: str) -> frozenset[str]:
    return frozenset(_words(text))


def _words(text: str) -> dict[str, str]:
    """The content words of a text by their stem, each as it stands first, in lower case; numbers too."""
    found: dict[str, str] = {}
    for word in map(str.lower, _WORD.findall(text)):
        if word not in _FUNCTION_WORDS and (len(word) > 1 or word.isdigit()):
            found.setdefault(stem(word), word)
    return found


@cache
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(map(stem, _LISTS[name].split()))


@cache
def _phrases(name: str) -> re.Pattern[str]:
    entries = (" ".join(entry.split()) for entry in _LISTS[name].split(";"))
    written = (re.escape(entry).replace(r"\*", r"\w*").replace(r"\ ", r"[\s-]+") for entry in entries)
    return re.compile(rf"\b(?:{'|'.join(written)})\b")


_FUNCTION_WORDS: Final = frozenset(
    "a about after all among an and any are as at be because been before being between both but by can "
    "could did do does during each for from had has have having how if in into is it its may might more "
    "most no nor not of on only or other our out over own same should since so some such than that the "
    "their them then there these they this those through to too under until up very was we were what "
    "when where whereas which while who whom whose why will with within without would you your "
    "respectively also however thus".split()
)
