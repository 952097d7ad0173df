"""Whether two core answers are compared: two values of one measure, or two effects on one outcome.

Words in common are no relation. Nothing else is accepted: two statements side by side need no second paper.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.composition import codes
from aimsciqa_assets.stand_in.composition.answers import Answer
from aimsciqa_assets.stand_in.composition.measures import (
    EFFECTS,
    STATISTICS,
    Measure,
    as_mean,
    ends,
    measure,
    plainly_asked,
)
from aimsciqa_assets.stand_in.composition.questions import Question
from aimsciqa_assets.stand_in.composition.standings import (
    Amount,
    Standing,
    agreement,
    reported,
    sign,
    standing,
)
from aimsciqa_assets.stand_in.composition.words import FIELD_STEMS, is_event, specific, stem, words
from aimsciqa_assets.stand_in.inversion import bare

_PROCEDURES: Final = lex.words("procedures")
_RESULTS: Final = lex.words("result_sections")
_REVIEWS: Final = lex.words("review_words")
_SEVERAL: Final = frozenset({"and", "or", "respectively"})


@dataclass(frozen=True, slots=True)
class CorePair:
    """One paper's core pair, read, with the titles of its paper and of its section.

    `is_own` says that the sentences around its evidence report no other papers, as far as they are known.
    """

    question: Question
    answer: Answer
    asked: str
    section: str
    title: str
    is_own: bool = False

    def named(self, paper: str) -> str:
        """The paper with the subject that its question names."""
        return f"{paper} on {self.question.about}" if self.question.about else paper


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two core pairs as they are asked together, and how the first fact stands to the second.

    `objection` says why they are not compared; `noun` is what stands higher or lower.
    """

    source: CorePair
    target: CorePair
    standing: Standing | None = None
    noun: str = "value"
    objection: str = ""


def compared(source: CorePair, target: CorePair) -> Comparison:
    """Compare two core pairs."""
    source, target = (replace(one, question=plainly_asked(one.question)) for one in (source, target))
    pairs = source, target
    kinds = {source.question.kind, target.question.kind}
    if not all(_is_result(one) for one in pairs):
        objection = (
            "a fact is no result of its paper: it does not stand in its results, abstract or conclusion"
        )
    elif any(_codes(one) for one in pairs):
        objection = "a question names a code that only its paper explains"
    elif any(lex.MODALS & {*one.question.direct.split()} for one in pairs):
        objection = "no finding is asked for, but what may be"
    elif kinds == {"value"}:
        return _of_values(source, target)
    elif kinds <= EFFECTS:
        return _of_effects(source, target)
    elif kinds == {"association"}:
        return _of_associations(source, target)
    else:
        objection = "the two questions do not ask for two values or two effects"
    return Comparison(source, target, objection=objection)


def _is_result(pair: CorePair) -> bool:
    """Whether the fact stands where a paper of research tells what it found."""
    title = {bare(word) for word in pair.title.lower().split()}
    section = {bare(word) for word in pair.section.lower().split()}
    is_discussed = "discussion" in section and pair.is_own and is_event(pair.answer.sentence)
    return bool(section & _RESULTS or is_discussed) and not title & _REVIEWS


def _codes(pair: CorePair) -> set[str]:
    """Abbreviations in the question that are no common knowledge."""
    return set(codes.CODE.findall(pair.question.phrase or "")) - codes.KNOWN


def _of_values(source: CorePair, target: CorePair) -> Comparison:
    if mentions_procedure(f"{source.asked} {target.asked}"):
        return Comparison(source, target, objection="a routine procedure is asked for")
    means = _with_mean(source), _with_mean(target)
    if means[0] and means[1]:
        source, target = means[0], means[1]
    here, there = measure(source.question), measure(target.question)
    if here is None or there is None or here.statistic is None or there.statistic is None:
        return Comparison(source, target, objection="what is asked for cannot be told apart")
    objection = ""
    if "count" in {here.family, there.family} and here.statistic != "mean":
        objection = "counts of different material cannot be compared"
    elif here.statistic != there.statistic:
        objection = "a mean, a median, a range, a share and a single value are not compared with each other"
    elif not _is_same(here, there):
        objection = "the two questions ask for different measures"
    elif not _is_tied(here, there, source, target):
        objection = "the same is measured of things that have nothing in common"
    elif not all(one.setting or pair.question.about for one, pair in ((here, source), (there, target))):
        objection = "a question does not say of what the value is"
    if objection:
        return Comparison(source, target, objection=objection)
    one, other = (reported(pair.answer.sentence, here.statistic) for pair in (source, target))
    if one is None or other is None:
        return Comparison(source, target, objection="an answer does not give one value with its unit")
    if _unit(one[0], here) != _unit(other[0], there):
        return Comparison(source, target, objection="the two values have different units")
    source, target = (
        replace(pair, answer=pair.answer.up_to(told)) for pair, (_, told) in ((source, one), (target, other))
    )
    noun = "percentage" if here.statistic == "share" else here.statistic
    return Comparison(source, target, standing(one[0], other[0]), noun)


def _unit(amount: Amount, asked: Measure) -> str:
    """The unit; empty where it repeats what is asked for: "6 alleles per locus"."""
    words = specific(amount.unit)
    return "" if words and words.keys() <= {*asked.named} else amount.unit


def _with_mean(pair: CorePair) -> CorePair | None:
    """The pair asking for a mean, where its answer gives one; None elsewhere."""
    here = measure(pair.question)
    if here is None or reported(pair.answer.sentence, "mean") is None:
        return None
    if here.statistic == "mean":
        return pair
    question = as_mean(pair.question)
    return replace(pair, question=question) if question else None


def _of_effects(source: CorePair, target: CorePair) -> Comparison:
    here, there = measure(source.question), measure(target.question)
    way = agreement(source.answer.sentence, target.answer.sentence)
    objection = ""
    if here is None or there is None:
        objection = "what is asked for cannot be told apart"
    elif not all(is_event(one.answer.sentence) for one in (source, target)):
        objection = "an effect is told as what always holds, not as what was found"
    elif any(_is_several(one) for one in (here, there)):
        objection = "effects on several outcomes are asked for at once"
    elif not _is_same(here, there):
        objection = "the two questions ask for different outcomes"
    elif not _is_tied(here, there, source, target):
        objection = "the same is changed in things that have nothing in common"
    elif way is None:
        objection = "the direction of an effect is not clear"
    return Comparison(source, target, way, "effect", objection)


def _of_associations(source: CorePair, target: CorePair) -> Comparison:
    here, there = ends(source.question), ends(target.question)
    ways = [sign(pair.answer.sentence) for pair in (source, target)]
    objection = ""
    if here is None or there is None:
        objection = "what is asked for cannot be told apart"
    elif not any(
        all(_goes_with(*pair) for pair in zip(here, other, strict=True)) for other in (there, there[::-1])
    ):
        objection = "the two questions ask for correlations of different things"
    elif None in ways:
        objection = "the direction of a correlation is not clear"
    way: Standing = "same" if ways[0] == ways[1] else "opposite"
    return Comparison(source, target, None if objection else way, "correlation", objection)


def _goes_with(one: Measure, other: Measure) -> bool:
    """Whether they are one thing, named with its measure ("iron content") or without."""
    bare_names = (replace(each, family="") if each.family == "amount" else each for each in (one, other))
    return _is_same(*bare_names)


def _is_several(one: Measure) -> bool:
    return not _SEVERAL.isdisjoint(one.measured.split()) or "," in one.measured


def is_one_of_several(pair: CorePair, others: Iterable[CorePair], abstract: str) -> bool:
    """Whether its paper reports another value of the same measure, and the question does not say which.

    `others` are further pairs of the paper. An abstract that names the measure twice has two values of it.
    """
    here = measure(replace(pair.question, about=""))
    if here and here.named and not here.setting and [*map(stem, words(abstract))].count(here.named[-1]) > 1:
        return True
    for other in others:
        there = measure(replace(other.question, about=""))
        if here is None or there is None or pair.question.kind != other.question.kind:
            continue
        says_which = here.setting - there.setting
        if _is_same(here, there) and not says_which and not _amounts(pair) & _amounts(other):
            return True
    return False


def _amounts(pair: CorePair) -> set[Amount | str]:
    """The values that the answer may be read to give, or the answer itself where it gives none."""
    read = {reported(pair.answer.sentence, name) for name in STATISTICS} - {None}
    return {one[0] for one in read if one} or {pair.answer.sentence}


def mentions_procedure(text: str) -> bool:
    """Whether a text is about what is done in any study."""
    return not _PROCEDURES.isdisjoint(map(bare, text.split()))


def _is_same(one: Measure, other: Measure) -> bool:
    """Whether two measures are one: the same thing is measured, at most more narrowly in one paper."""
    names = frozenset(one.named), frozenset(other.named)
    is_narrower = names[0] <= names[1] or names[1] <= names[0]
    has_one_head = one.named[-1:] == other.named[-1:]
    return all(names) and one.family == other.family and is_narrower and has_one_head


def _is_tied(one: Measure, other: Measure, source: CorePair, target: CorePair) -> bool:
    """Whether it makes sense to compare: a setting, a cause or a subject of both titles in common."""
    topic = specific(source.title).keys() & specific(target.title).keys()
    shared = (one.setting & other.setting) | topic | ({*one.named} & {*other.named})
    return bool(shared - FIELD_STEMS)
