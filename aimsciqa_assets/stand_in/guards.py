"""What a pattern may ask of a match beside its shape; a guard may also set further slots."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in import morphology
from aimsciqa_assets.stand_in.clauses import Clause
from aimsciqa_assets.stand_in.matching import Words, pattern, text_of, words_of
from aimsciqa_assets.stand_in.morphology import is_adverb, is_participle
from aimsciqa_assets.stand_in.noun_phrases import (
    head,
    is_clean_noun_phrase,
    is_coordinated,
    is_plural,
    is_quantified,
)
from aimsciqa_assets.stand_in.quantities import has_number, is_unit, is_year, quantity_end


@dataclass(slots=True)
class Match:
    """A clause that a pattern fits, with the slots found in it."""

    clause: Clause
    slots: dict[str, Words] = field(default_factory=dict)


Guard = Callable[[Match], bool]
_TABLES: Final = {
    name: lex.table(name)
    for name in ("verb_prepositions", "participle_prepositions", "adjective_prepositions")
}
_COMPARATIVES: Final = lex.table("comparatives")
_DEGREE_NOUNS: Final = lex.table("degree_nouns")
_MEASURES: Final = lex.words("measures")
_PEOPLE: Final = lex.words("people")
_CHANGE_NOUNS: Final = lex.words("change_nouns")
_CAUSING_VERBS: Final = lex.words("causing_verbs")
_EVALUATIVE: Final = lex.words("evaluative")
_TYPES: Final = lex.words("types")
_NOUNS_WITH_IN: Final = lex.words("nouns_with_in")
_VERB_FORMS: Final = morphology.PAST_FORMS.keys() | morphology.THIRD_FORMS.keys() | lex.EFFECT_VERBS


# Nothing goes on behind the clause; nothing behind it belongs to its last noun.
complete: Final[Guard] = attrgetter("clause.complete")
ends_here: Final[Guard] = attrgetter("clause.ends_here")


def aux(words: Collection[str]) -> Guard:
    """The first auxiliary is one of the words; where there is none, it is empty."""
    return lambda match: match.clause.auxiliary in words


def plural(slot: str) -> Guard:
    """The slot is a plural noun phrase."""
    return lambda match: is_plural(match.slots[slot]) is True


def clean(slot: str) -> Guard:
    """The slot is a noun phrase without a verb in it."""
    return lambda match: is_clean_noun_phrase(match.slots[slot])


def takes(table: str, word: str) -> Guard:
    """The slot `preposition` belongs to the verb, or to the word of a slot."""
    prepositions = _TABLES[table]

    def taken(match: Match) -> bool:
        key = match.clause.verb if word == "verb" else match.slots[word][0]
        return match.slots["preposition"][0] in prepositions.get(key, ())

    return taken


def measurable(match: Match) -> bool:
    """The subject is a measure, or what is said of it has a unit; years and people are no measures."""
    last, noun = match.slots["asked"][-1], head(match.clause.subject).lower()
    measured = is_unit(last) or "%" in last or "." in last
    return noun not in _PEOPLE and (noun in _MEASURES or measured) and not is_year(last)


def finished(match: Match) -> bool:
    """Not "... to cells and ~29% to": no second count or clause, and no last word that wants another."""
    rest = match.clause.rest
    if not rest or rest[-1] in lex.PREPOSITIONS:
        return False
    return not pattern(
        r"{words}and (?:{quantity}|{rest}(?:showed|revealed|indicated|differed|increased|decreased|had) ).*"
    ).fullmatch(text_of(rest))


def countable(match: Match) -> bool:
    """The counted things are a plural of their own, and something is said of them."""
    clause = match.clause
    counted = match.slots["counted"] = tuple(
        word for word in match.slots["counted"] if not word.startswith("(")
    )
    if not counted or len(clause.rest) < 2 or (not clause.verb and clause.auxiliary not in lex.BE):
        return False
    if clause.finite in lex.SINGULAR_AUXILIARIES or clause.finite in morphology.THIRD_FORMS:
        return False
    if counted[0] == "of":
        return len(counted) >= 3
    if counted[0] in lex.PREPOSITIONS or (clause.subject[0].lower() == "two" and clause.rest[0] == "of"):
        return False
    known = head(counted).lower() in {"qtl", "qtls", "snps", "degs", "species"}
    return is_plural(counted) is not False and (is_plural(counted) is True or known)


def affected(*ends: str) -> Guard:
    """The slot `target` up to one of the words `ends`, if that leaves a phrase of its own."""

    def cut(match: Match) -> bool:
        whole = match.slots["target"]
        target = match.slots["target"] = _thing(whole, frozenset(ends))
        if not target or len(target) > 14 or has_number(target):
            return False
        if len(target) == len(whole) and not (match.clause.ends_here or "compared" in whole):
            return False
        torn = target[-1] in lex.PREPOSITIONS | {"similar"} or target[-1].endswith(("-", "‐"))
        return not torn and "not" not in target

    return cut


def _thing(words: Words, ends: frozenset[str]) -> Words:
    """The affected thing: up to `ends`, and up to an "and" where a second predicate follows it."""
    end = next((i for i, word in enumerate(words) if word in ends), len(words))
    for i in range(end):
        if words[i] in {"and", "or"}:
            following = words[i + 1] if i + 1 < end else ""
            joined = is_clean_noun_phrase(words[:end]) and not is_participle(following)
            return words[:end] if joined and following not in _VERB_FORMS else words[:i]
    return words[:end]


def in_terms(match: Match) -> bool:
    """Sets `terms` to what a comparative is about: "in length", "in abundance"."""
    first, *more = match.slots["asked"]
    match.slots["terms"] = ("in", *_DEGREE_NOUNS[more[0]]) if more else _COMPARATIVES[first]
    return True


def that_of_subject(match: Match) -> bool:
    """Sets `that` to the pronoun for the subject, if its number is known."""
    number = is_plural(match.clause.subject)
    match.slots["that"] = ("those",) if number else ("that",)
    return number is not None


def compares(match: Match) -> bool:
    """What it is compared with is named, and not by a number."""
    other = match.slots["other"]
    only = other[0] in {"expected", "previously", "usual", "average", "the"} and len(other) < 2
    pointing = {word.lower() for word in other} & (lex.POINTERS - {"those", "that"})
    return not (only or pointing or len(other) > 14 or has_number(other))


def defines(match: Match) -> bool:
    """The slot says what the subject is, and neither values it nor counts it."""
    clause, said = match.clause, match.slots["asked"]
    article = said[0] in {"a", "an"}
    if len(said) < (2 if clause.after[:1] in {("that",), ("which",)} else 3) or clause.fronted:
        return False
    if (said[0] == "the" and _is_superlative(said)) or quantity_end(clause.subject):
        return False
    first = clause.subject[0].lower()
    the_one = first == "the" and not article and _is_superlative(clause.subject)
    evaluated = said[0] != "one" and bool(_EVALUATIVE & set(said[1:6]))
    indefinite = first in {"a", "an"} and len(clause.subject) > 2
    return not indefinite and (the_one or not (evaluated or "of" in clause.subject))


def is_source(match: Match) -> bool:
    """For "a source of": the subject is neither counted nor the only one."""
    nature = match.slots["nature"]
    return not (quantity_end(match.clause.subject) or (nature[0] == "the" and _is_superlative(nature)))


def excels(match: Match) -> bool:
    """For "the most abundant mineral in grain": a superlative of one thing, or of things in the plural."""
    clause, rest = match.clause, match.clause.rest
    plural_verb = clause.auxiliary in {"are", "were"}
    if not _is_superlative(rest) or quantity_end(clause.subject) or quantity_end(rest, 1) > 1:
        return False
    if plural_verb and (is_plural(rest[1:]) is not True or is_plural(clause.subject) is not True):
        return False
    return rest[-1] not in lex.PREPOSITIONS and not is_coordinated(clause.subject)


def _is_superlative(rest: Words) -> bool:
    return any(
        word in {"most", "least", "only", "main", "major", "primary", "first", "best", "predominant"}
        or (
            word.endswith("est")
            and len(word) > 5
            and word not in {"interest", "harvest", "forest", "request"}
        )
        for word in rest[1:3]
    )


def concrete(match: Match) -> bool:
    """The object says something by itself, and the subject is not a pair of authors."""
    clause, rest = match.clause, match.clause.rest
    authors = "and" in clause.subject and clause.subject[0].istitle() and clause.subject[-1][:1].isupper()
    if quantity_end(rest) or _CHANGE_NOUNS & set(rest[:5]) or rest[0] in lex.PRONOUNS:
        return False
    return not (authors and clause.tense == "did")


def setting(match: Match) -> bool:
    """Sets `setting` to the one behind an object, if it certainly does not belong to it: "in dry regions"."""
    found = pattern(
        r"(?P<object>(?:(?!and |or |by |for |to |from |with |{setting_starts}|(?:compared|relative) (?:to"
        r"|with) )\S+ )+)"
        r"(?P<setting>(?:{setting_starts}|compared (?:to |with )|relative to )"
        r"\S+ (?:(?!and |or |to |by |{number})\S+ ){0,7})"
    ).fullmatch(text_of(match.clause.rest))
    after_noun = found is not None and found["object"].split()[-1] in _NOUNS_WITH_IN
    numbered = found is not None and has_number(found["setting"].split())
    given = found is not None and match.clause.ends_here and not (after_noun or numbered)
    match.slots["setting"] = tuple(found["setting"].split()) if found is not None and given else ()
    return True


def asks_subject(match: Match) -> bool:
    """The subject of "A encodes B" is one short name, and B is whole."""
    clause, subject = match.clause, match.clause.subject
    if len(subject) > 6 or len(clause.rest) < 3 or is_coordinated(subject):
        return False
    if clause.rest[-1] in lex.PREPOSITIONS or not clause.complete:
        return False
    return not (subject[0] == "The" and len(subject) == 2 and subject[1].islower())


def of_type(match: Match) -> bool:
    """Sets `type` to the noun that says what the subject is: "which gene"."""
    match.slots["type"] = (head(match.clause.subject).lower(),)
    return match.slots["type"][0] in _TYPES


def without_type(match: Match) -> bool:
    """The subject is of no known type, and "what" agrees with the verb."""
    clause = match.clause
    agrees = clause.finite in morphology.PAST_FORMS or is_plural(clause.subject) is False
    return agrees and not of_type(match)


def thing(match: Match) -> bool:
    """The slot `target` is a noun phrase that authors can have measured or used."""
    target = match.slots["target"]
    if len(target) > 12 or "to" in target or not is_clean_noun_phrase(target):
        return False
    return not (is_quantified(target) or is_participle(target[-1]))


def numbered(match: Match) -> bool:
    """Sets `be` to the form for the slot `target`, if its number is known."""
    number = is_plural(match.slots["target"])
    match.slots["be"] = ("were",) if number else ("was",)
    return number is not None


def falls_by(match: Match) -> bool:
    """Not "fell under the category": what falls without a number may be no amount."""
    return match.clause.verb != "fall" or has_number(match.clause.rest)


def no_change(match: Match) -> bool:
    """Not "leads to a reduction": that is an effect."""
    causing = match.clause.verb in _CAUSING_VERBS
    return not (causing and _CHANGE_NOUNS & set(match.clause.rest[:5]))


def because(match: Match) -> bool:
    """Sets `before` and `asked` to what stands before and behind a reason, wherever the clause was cut."""
    clause = match.clause
    found = pattern(
        r"(?P<before>(?:(?!(?:which|who|that|and|but|to|or|where) )\S+ ){0,14}?)(?:(?:, )?(?=because )|(?="
        r"(?:due|owing) to ))"
        r"(?P<asked>(?:because |due to |owing to ){rest})"
    ).fullmatch(text_of((*clause.rest, *clause.after)))
    if found is None or len(clause.after) > 30:
        return False
    before = words_of(found["before"])
    match.slots["asked"] = asked = words_of(found["asked"])
    if "," in before or not (before or clause.verb):
        return False
    pointing = {"it", "this", "these", "they", "their", "its"} & set(asked)
    last = before[-1:] and (is_adverb(before[-1]) or before[-1] in {"not", "mainly"})
    match.slots["before"] = before[:-1] if last else before
    return asked[0] == "because" or not pointing
