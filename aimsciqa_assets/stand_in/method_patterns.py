"""Questions about doings: how something was done, what was used, what for, and why it is so."""

from collections.abc import Iterator
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.asking import (
    Draft,
    Words,
    inverted,
    subject_question,
)
from aimsciqa_assets.stand_in.clauses import Clause
from aimsciqa_assets.stand_in.context import Names
from aimsciqa_assets.stand_in.noun_phrases import (
    is_adverb,
    is_participle,
)

_METHOD_PARTICIPLES: Final = frozenset(
    """
    measured determined extracted assessed calculated quantified estimated evaluated analyzed analysed
    isolated performed conducted constructed generated detected amplified prepared purified confirmed
    visualized visualised separated computed obtained recorded monitored validated verified tested
    examined investigated carried synthesized synthesised developed produced sequenced genotyped
    screened characterized characterised assembled aligned predicted inferred identified selected
    collected removed established sterilized sterilised inactivated diagnosed defined
    """.split()
)
_NOUNS_WITH_TO: Final = frozenset(
    "ability attempt need capacity potential right opportunity way effort order".split()
)
_RAISING: Final = frozenset(
    """
    found shown observed reported known considered expected predicted thought allowed believed assumed
    estimated likely seen demonstrated noted proven suggested said used required needed able made able
    set hypothesized hypothesised deemed supposed intended meant designed encouraged asked instructed
    told advised recommended randomized needed revealed structured inclined permitted enabled forced
    trained invited
    """.split()
)
_REASON_BREAKS: Final = frozenset("which who that and but to or where".split())


def method_drafts(clause: Clause, names: Names) -> Iterator[Draft]:
    """All questions about methods, purposes and reasons that the clause allows."""
    if clause.names_its_subject:
        yield from _method(clause, names)
        yield from _purpose(clause, names)
        yield from _reason(clause, names)


def _method(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Iron was measured in grain using ICP-MS": how was it measured?"""
    if (
        not clause.passive
        or clause.verb in _RAISING | {"followed", "affected", "caused", "accompanied", "improved", "enhanced"}
        or "using" in clause.subject
        or is_participle(clause.subject[-1])
    ):
        return
    for i, word in enumerate(clause.rest):
        following = clause.rest[i + 1] if i + 1 < len(clause.rest) else ""
        means = word in {"using", "via"} or (
            word == "by" and (following.endswith("ing") or clause.verb in _METHOD_PARTICIPLES)
        )
        means = means or (
            word == "with" and i + 2 < len(clause.rest) and clause.rest[i + 1 : i + 4] == ("the", "use", "of")
        )
        means = (
            means
            or (word == "according" and following == "to")
            or (word == "through" and following.endswith("ing"))
        )
        if not means:
            continue
        before = clause.rest[:i]
        if not _short(before) or (
            before and (before[0] not in lex.PREPOSITIONS | {"out"} or any(map(is_participle, before)))
        ):
            return
        if word == "by" and (
            following[:1].isupper()
            and clause.verb in {"developed", "established", "performed", "conducted", "produced"}
        ):
            return
        yield Draft("method", inverted(clause, names, "how", before), clause.fronted, clause.rest[i:], 7)
        return


def _purpose(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "A t test was used to compare means": what was used, and for what?"""
    if not clause.passive or "to" not in clause.rest or clause.auxiliary in lex.MODALS:
        return
    i = clause.rest.index("to")
    if i + 2 >= len(clause.rest) or not _is_base_verb(clause.rest[i + 1]):
        return
    before = clause.rest[:i]
    if clause.verb == "used" and not before:
        yield Draft("used_to", subject_question(clause, "what"), clause.fronted, clause.subject, 7)
        return
    if set(before) & _NOUNS_WITH_TO or "for" in before or (before and before[-1].endswith("ing")):
        return
    if (
        clause.verb in _RAISING
        or not _short(before)
        or (before and before[0] not in lex.PREPOSITIONS | {"out"})
    ):
        return
    yield Draft("purpose", inverted(clause, names, "why", before), clause.fronted, clause.rest[i:], 6)


def _is_base_verb(word: str) -> bool:
    known = word in lex.BASE_FORMS | lex.AIM_VERBS and word not in {"lower", "release", "content", "process"}
    return known or (word.islower() and word.endswith(("ize", "ise", "ify")))


def _short(words: Words) -> bool:
    return len(words) <= 8 and "and" not in words and "or" not in words


def _reason(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Yields were low because of drought": why were they low?"""
    joined = (*clause.rest, *clause.after)
    if clause.auxiliary not in lex.BE or len(clause.after) > 30:
        return
    for i, word in enumerate(joined):
        if word == "," and joined[i + 1 : i + 2] != ("because",):
            return
        marker = word == "because" or (word in {"due", "owing"} and joined[i + 1 : i + 2] == ("to",))
        if not marker:
            continue
        before = tuple(token for token in joined[:i] if token != ",")
        if (
            (not before and not clause.verb)
            or any(token in _REASON_BREAKS for token in before)
            or len(before) > 14
        ):
            return
        if before and (is_adverb(before[-1]) or before[-1] in {"not", "mainly"}):
            before = before[:-1]
        if (
            set(joined[i:]) & {"it", "this", "these", "they", "their", "its"}
            and "because" not in joined[i : i + 2]
        ):
            return
        yield Draft("reason", inverted(clause, names, "why", before), clause.fronted, joined[i:], 7)
        return
