"""Questions about effects, changes and comparisons; the direction is always what is asked for."""

from collections.abc import Iterator
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.asking import (
    Draft,
    Words,
    inverted,
    plain,
)
from aimsciqa_assets.stand_in.clauses import Clause
from aimsciqa_assets.stand_in.context import Names
from aimsciqa_assets.stand_in.noun_phrases import (
    is_adverb,
    is_clean_noun_phrase,
    is_participle,
    is_plural,
)
from aimsciqa_assets.stand_in.quantities import has_number, quantity_end

_COMPARATIVES: Final[dict[str, str]] = {
    "higher": "", "lower": "", "greater": "", "better": "", "worse": "", "faster": "", "slower": "",
    "stronger": "", "weaker": "", "larger": "in size", "smaller": "in size", "longer": "in length",
    "shorter": "in length", "taller": "in height", "older": "in age", "younger": "in age",
    "heavier": "in weight", "thicker": "in thickness", "thinner": "in thickness", "earlier": "in timing",
    "later": "in timing",
}  # fmt: skip
_DEGREE_NOUNS: Final[dict[str, str]] = {
    "abundant": "abundance", "common": "frequency", "frequent": "frequency", "effective": "effectiveness",
    "sensitive": "sensitivity", "susceptible": "susceptibility", "tolerant": "tolerance",
    "resistant": "resistance", "efficient": "efficiency", "diverse": "diversity", "stable": "stability",
    "expensive": "cost", "costly": "cost", "prevalent": "prevalence", "accurate": "accuracy",
    "variable": "variability", "severe": "severity", "specific": "specificity", "active": "activity",
}  # fmt: skip
_QUANTIFIERS: Final = frozenset("more less higher lower additional significant greater no only some".split())


_TARGET_ENDS: Final = frozenset("by from to compared through via due leading thereby".split())
_VERB_FORMS: Final = lex.PAST_FORMS.keys() | lex.THIRD_FORMS.keys() | lex.EFFECT_VERBS
_CHANGE_CONTEXT: Final = frozenset(
    """
    in during after with at under from by to over between among throughout following
    """.split()
)
_RAISED: Final = frozenset(
    """
    found shown observed reported known considered expected predicted thought believed demonstrated
    suggested
    """.split()
)


def effect_drafts(clause: Clause, names: Names) -> Iterator[Draft]:
    """All questions about effects, changes and comparisons that the clause allows."""
    if clause.names_its_subject:
        yield from _change_noun(clause, names)
        yield from _difference_effect(clause, names)
        yield from _comparison(clause, names)
        yield from _effect(clause, names)
        yield from _change(clause, names)
        yield from _agent(clause, names)
        yield from _raising(clause, names)


def _comparison(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Zinc was higher in A than in B": how did it compare?"""
    rest = clause.rest
    do = {"is": "does", "are": "do", "was": "did", "were": "did"}.get(clause.auxiliary, clause.tense)
    marker = next(
        (
            i
            for i, word in enumerate(rest)
            if word == "than" or (word == "compared" and rest[i + 1 : i + 2] in {("to",), ("with",)})
        ),
        None,
    )
    if marker is None or not do:
        return
    skip = 1 if rest[marker] == "than" else 2
    other = rest[marker + skip :]
    if (
        not other
        or (clause.verb and other[0] in lex.PREPOSITIONS)
        or len(other) > 14
        or has_number(other)
        or {word.lower() for word in other} & (lex.POINTERS - {"those", "that"})
    ):
        return
    if other[0] in {"expected", "previously", "usual", "average", "the"} and len(other) < 2:
        return
    subject = plain(names.lower_first(clause.subject))
    start = 0
    while start < len(rest) and (
        is_adverb(rest[start]) or rest[start] in {"much", "far", "even", "slightly", "a"}
    ):
        start += 1
    if start >= marker:
        return
    if not clause.verb and clause.auxiliary in lex.BE and not clause.middle:
        yield from _adjectival(clause, rest[start:marker], other, (do, *subject))
    elif clause.verb in lex.SHOW_VERBS and clause.tense:
        compared = rest[start:marker]
        if compared and compared[-1] in {"when", "as"}:
            compared = compared[:-1]
        if (
            len(compared) > 1
            and compared[0] in _COMPARATIVES
            and not has_number(compared)
            and len(compared) < 12
            and not ({"and", "with"} & set(compared) or has_number(other))
        ):
            body = (
                "how",
                do,
                *subject,
                "compare",
                "with",
                *plain(other),
                "in",
                "terms",
                "of",
                *plain(compared[1:]),
            )
            yield Draft("comparison_have", body, clause.fronted, compared[:1], 9)


def _adjectival(clause: Clause, compared: Words, other: Words, opening: Words) -> Iterator[Draft]:
    adjective = compared[0]
    rest = compared[1:]
    if adjective in _COMPARATIVES:
        terms: Words = tuple(_COMPARATIVES[adjective].split())
    elif adjective in {"more", "less"} and rest and rest[0] in _DEGREE_NOUNS:
        terms, rest = ("in", _DEGREE_NOUNS[rest[0]]), rest[1:]
        if rest and rest[0] in {"to"}:
            terms, rest = (*terms, *rest), ()
    else:
        return
    if has_number(rest) or "and" in rest:
        return
    if (
        rest
        and rest[0] in {"in", "for", "among", "at", "on", "under", "with"}
        and other[0] == rest[0]
        and "and" not in other
    ):
        body = (
            "how",
            *opening,
            "compare",
            *terms,
            *plain(rest),
            "with",
            "that" if is_plural(clause.subject) is False else "those",
            *plain(other),
        )
        if is_plural(clause.subject) is None:
            return
    elif not rest or rest[0] in {"in", "for", "among", "at", "on", "under", "during"}:
        if other[0] in lex.PREPOSITIONS:
            if rest or is_plural(clause.subject) is None:
                return
            other = ("that" if is_plural(clause.subject) is False else "those", *other)
        body = ("how", *opening, *plain(rest), "compare", "with", *plain(other), *terms)
    else:
        return
    yield Draft("comparison", body, clause.fronted, (adjective,), 9)


def _effect(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Malting increased iron in flour": how did it affect iron in flour?"""
    if clause.verb in lex.EFFECT_VERBS and (clause.tense or clause.auxiliary in lex.MODALS):
        target = clause.rest
        auxiliary = clause.auxiliary or clause.tense
        verb: Words = ("affect",)
    elif (
        clause.auxiliary in lex.HAVE
        and not clause.middle
        and clause.verb in {lex.past(v) for v in lex.EFFECT_VERBS}
    ):
        target, auxiliary, verb = clause.rest, clause.auxiliary, ("affected",)
    else:
        return
    target = _target(target, _TARGET_ENDS)
    if len(target) == len(clause.rest) and not clause.ends_here:
        return
    if not _is_whole(target):
        return
    if (
        not target
        or target[0] in lex.PREPOSITIONS | _QUANTIFIERS
        or target[0].endswith("ly")
        or has_number(target)
        or len(target) > 14
        or {"effect", "effects", "impact"} & set(target[:3])
    ):
        return
    body = ("how", auxiliary, *plain(names.lower_first(clause.subject)), *verb, *plain(target))
    yield Draft("effect", body, clause.fronted, (clause.finite, clause.verb), 9)


def _is_whole(target: Words) -> bool:
    """Whether the affected thing is a phrase of its own, not the torn half of one."""
    if not target or target[0] in {"as", "when"} or "not" in target:
        return False
    return target[-1] not in lex.PREPOSITIONS | {"similar"} and not target[-1].endswith(("-", "‐"))


def _target(words: Words, ends: frozenset[str]) -> Words:
    """The affected thing: up to `ends`, and up to an "and" where a second predicate follows it."""
    end = next((i for i, word in enumerate(words) if word in ends), len(words))
    for i in range(end):
        if words[i] in {"and", "or"}:
            following = words[i + 1] if i + 1 < end else ""
            joined = is_clean_noun_phrase(words[:end]) and not is_participle(following)
            return words[:end] if joined and following not in _VERB_FORMS else words[:i]
    return words[:end]


def _change(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Iron decreased after malting in both": how did it change?"""
    if clause.verb not in lex.CHANGE_VERBS or not clause.tense:
        return
    rest = clause.rest
    if clause.verb == "fall" and not has_number(rest):
        return  # "fell under the category"
    while rest and is_adverb(rest[0]):
        rest = rest[1:]
    if rest and rest[0] not in _CHANGE_CONTEXT:
        return
    kept: list[str] = []
    i = 0
    while i < len(rest):
        if rest[i] in {"from", "by", "to"}:
            end = quantity_end(rest, i + 1)
            if end == i + 1:
                return
            i = end
            continue
        kept.append(rest[i])
        i += 1
    if not clause.complete or "and" in kept or has_number(kept) or (kept and kept[0] not in lex.PREPOSITIONS):
        return
    body = ("how", clause.tense, *plain(names.lower_first(clause.subject)), "change", *plain(tuple(kept)))
    yield Draft("change", body, clause.fronted, (clause.finite, clause.verb), 8)


def _change_noun(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Drought caused a reduction in yield": how did drought affect yield?"""
    change = next((i for i, word in enumerate(clause.rest[:5]) if word in lex.CHANGE_NOUNS), None)
    if change is None or not (clause.tense or clause.auxiliary in lex.MODALS):
        return
    rest = clause.rest[change + 1 :]
    if rest[:1] not in {("in",), ("of",)} or not (clause.ends_here or "compared" in rest):
        return
    target = _target(rest[1:], _TARGET_ENDS | {"with", "than"})
    if not target or has_number(target) or target[0] in _QUANTIFIERS:
        return
    auxiliary = clause.auxiliary or clause.tense
    if clause.verb in lex.CAUSING_VERBS:
        body = ("how", auxiliary, *plain(names.lower_first(clause.subject)), "affect", *plain(target))
    elif clause.verb in lex.SHOW_VERBS | {"experience", "undergo", "report", "reveal"}:
        body = (*inverted(clause, names, "what change"), "in", *plain(target))
    else:
        return
    yield Draft("change_noun", body, clause.fronted, clause.rest[: change + 1], 8)


def _difference_effect(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Age had no effect on uptake": what effect did it have on uptake?"""
    rest = clause.rest
    if clause.verb != "have" or not clause.tense:
        return
    noun = next(
        (i for i, word in enumerate(rest[:6]) if word in {"effect", "effects", "impact", "influence"}), None
    )
    if not noun or rest[noun + 1 : noun + 2] != ("on",) or "and" in rest[:noun]:
        return
    target = _target(rest[noun + 2 :], frozenset({"compared", "with", "than", "as"}))
    if not target or target[-1] in lex.PREPOSITIONS or not clause.ends_here or target[0] in lex.PRONOUNS:
        return
    word = rest[noun].removesuffix("s") if rest[noun] == "effects" else rest[noun]
    body = (*inverted(clause, names, f"what {word}"), "on", *plain(target))
    yield Draft("effect_on", body, clause.fronted, rest[:noun], 9)


def _agent(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Yield was reduced by drought": how was it affected by drought?"""
    if not clause.passive or clause.verb not in {lex.past(verb) for verb in lex.EFFECT_VERBS}:
        return
    if (
        clause.rest[:1] not in {("by",), ("in",), ("after",), ("under",), ("during",)}
        or quantity_end(clause.rest, 1) > 1
    ):
        return
    if (
        not clause.complete
        or is_participle(clause.rest[-1])
        or has_number(clause.rest)
        or clause.rest[1].endswith("ing")
    ):
        return
    body = inverted(clause, names, "how", clause.rest, adverbs=False)
    body = tuple("affected" if word == clause.verb else word for word in body)
    yield Draft("affected", body, clause.fronted, (clause.verb,), 8)


def _raising(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Millet has been reported to contain oxalate": what has it been reported to contain?"""
    if not clause.passive or clause.rest[:1] != ("to",) or len(clause.rest) < 3:
        return
    if clause.verb not in _RAISED:
        return
    verb = clause.rest[1]
    following = clause.rest[2]
    if verb in lex.EFFECT_VERBS:
        target = _target(clause.rest[2:], _TARGET_ENDS)
        if (
            not target
            or target[0] in lex.PREPOSITIONS | _QUANTIFIERS
            or has_number(target)
            or {"effect", "effects"} & set(target[:3])
        ):
            return
        yield Draft(
            "raising_effect",
            (*inverted(clause, names, "how"), "to", "affect", *plain(target)),
            clause.fronted,
            (verb,),
            8,
        )
    elif verb in lex.OBJECT_VERBS and following not in lex.PREPOSITIONS and quantity_end(clause.rest, 2) == 2:
        yield Draft(
            "raising_object",
            (*inverted(clause, names, "what"), "to", verb),
            clause.fronted,
            clause.rest[2:],
            6,
        )
    elif clause.rest[1:3] == ("be", "associated") and clause.rest[3:4] == ("with",) and len(clause.rest) > 4:
        yield Draft(
            "raising_object",
            (*inverted(clause, names, "what"), "to", "be", "associated", "with"),
            clause.fronted,
            clause.rest[4:],
            7,
        )
