"""What a pattern may ask of a match beside its shape; a guard may also set further slots.

Most are tables of what is refused, under `refusals` in `patterns.toml`.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in import morphology
from aimsciqa_assets.stand_in.clauses import Clause
from aimsciqa_assets.stand_in.matching import Words, fits, matched
from aimsciqa_assets.stand_in.morphology import is_participle
from aimsciqa_assets.stand_in.noun_phrases import (
    head,
    is_clean_noun_phrase,
    is_coordinated,
    is_plural,
    is_quantified,
)


@dataclass(slots=True)
class Match:
    """A clause that a pattern fits, with the slots found in it."""

    clause: Clause
    slots: dict[str, Words] = field(default_factory=dict)

    def part(self, name: str) -> Words:
        """A slot, a part of the clause, or the head of its subject."""
        if name == "head":
            return (head(self.clause.subject).lower(),)
        found = self.slots[name] if name in self.slots else getattr(self.clause, name)
        return found if isinstance(found, tuple) else tuple(found.split())


Guard = Callable[[Match], bool]


@cache
def refuses(name: str) -> Guard:
    """No row of `refusals` in `patterns.toml` applies."""
    rows = [(parts.split(), shape) for parts, shape, _reason in lex.PATTERNS["refusals"][name]]

    def applies(match: Match, parts: list[str], shape: str) -> bool:
        first, *more = map(match.part, parts)
        return fits(shape, sum((("|", *words) for words in more), first))

    return lambda match: not any(applies(match, *row) for row in rows)


def plural(slot: str) -> Guard:
    """The slot is a plural noun phrase."""
    return lambda match: is_plural(match.slots[slot]) is True


def clean(slot: str) -> Guard:
    """The slot is a noun phrase without a verb in it."""
    return lambda match: is_clean_noun_phrase(match.slots[slot])


def takes(table: str, word: str) -> Guard:
    """The slot `preposition` belongs to the verb, or to the word of a slot."""
    prepositions = lex.table(table)
    return lambda match: match.slots["preposition"][0] in prepositions.get(match.part(word)[0], ())


def by_number(part: str, slot: str, of_many: str, of_one: str) -> Guard:
    """Sets `slot` to the word for the number of the part, if its number is known."""

    def sets(match: Match) -> bool:
        number = is_plural(match.part(part))
        match.slots[slot] = (of_many if number else of_one,)
        return number is not None

    return sets


# Nothing goes on behind the clause; nothing behind it belongs to its last noun.
complete: Final[Guard] = attrgetter("clause.complete")
ends_here: Final[Guard] = attrgetter("clause.ends_here")
that_of_subject: Final = by_number("subject", "that", "those", "that")
numbered: Final = by_number("target", "be", "were", "was")
_COMPARATIVES: Final = lex.table("comparatives")
_DEGREE_NOUNS: Final = lex.table("degree_nouns")
_TYPES: Final = lex.words("types")
_VERB_FORMS: Final = morphology.PAST_FORMS.keys() | morphology.THIRD_FORMS.keys() | lex.EFFECT_VERBS
_BEHIND: Final = "(?:{setting_starts}|compared (?:to |with )|relative to )"
_SETTING: Final = (
    rf"(?:(?!(?:and|or|by|for|to|from|with) |(?:{{nouns_with_in}})?{_BEHIND})\S+ )+"
    rf"(?P<setting>{_BEHIND}(?:(?!(?:and|or|to|by) |{{number}})\S+ ){{1,8}})"
)
_BECAUSE: Final = (
    r"(?P<before>(?:(?!(?:,|which|who|that|and|but|to|or|where) )\S+ ){0,14}?)(?:{adverb}|not )?"
    r"(?:, (?=because ))?(?P<asked>because {rest}"
    r"|(?:due|owing) to (?!{rest}(?:it|this|these|they|their|its) ){rest})"
)


def countable(match: Match) -> bool:
    """The counted things are a plural of their own, and something is said of them."""
    counted = tuple(word for word in match.slots["counted"] if not word.startswith("("))
    match.slots["counted"] = counted
    if not refuses("is_counted")(match):
        return False
    number, noun = is_plural(counted), head(counted).lower()
    is_known = number is None and noun in {"qtl", "qtls", "snps", "degs", "species"}
    return counted[0] == "of" or number is True or is_known


def affected(*ends: str) -> Guard:
    """The slot `target` up to one of the words `ends`, if that leaves a phrase of its own."""

    def cut(match: Match) -> bool:
        whole = match.slots["target"]
        match.slots["target"] = target = _thing(whole, ends)
        is_cut = len(target) < len(whole) or match.clause.ends_here or "compared" in whole
        return is_cut and refuses("is_affected")(match)

    return cut


def _thing(words: Words, ends: Collection[str]) -> Words:
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


def defines(match: Match) -> bool:
    """The slot says what the subject is, and neither values it nor counts it."""
    subject, said = match.clause.subject, match.slots["asked"]
    is_the_one = said[0] not in {"a", "an"} and fits("(?=(?i:the )){superlative}", subject)
    return refuses("is_defined")(match) and (is_the_one or refuses("is_neutral")(match))


def excels(match: Match) -> bool:
    """For "the most abundant mineral in grain": a superlative of one thing, or of things in the plural."""
    subject, rest = match.clause.subject, match.clause.rest
    agrees = match.clause.auxiliary not in {"are", "were"} or (is_plural(rest[1:]) and is_plural(subject))
    return bool(agrees) and not is_coordinated(subject) and refuses("is_one_superlative")(match)


def setting(match: Match) -> bool:
    """Sets `setting` to the one behind an object, if it certainly does not belong to it: "in dry regions"."""
    found = matched(_SETTING, match.clause.rest) if match.clause.ends_here else None
    match.slots["setting"] = found["setting"] if found else ()
    return True


def asks_subject(match: Match) -> bool:
    """The subject of "A encodes B" is one short name, and B is whole."""
    clause = match.clause
    return clause.complete and not is_coordinated(clause.subject) and refuses("is_asked_for")(match)


def of_type(match: Match) -> bool:
    """Sets `type` to the noun that says what the subject is: "which gene"."""
    match.slots["type"] = match.part("head")
    return match.slots["type"][0] in _TYPES


def without_type(match: Match) -> bool:
    """The subject is of no known type, and "what" agrees with the verb."""
    clause = match.clause
    agrees = clause.finite in morphology.PAST_FORMS or is_plural(clause.subject) is False
    return agrees and not of_type(match)


def thing(match: Match) -> bool:
    """The slot `target` is a noun phrase that authors can have measured or used."""
    target = match.slots["target"]
    return refuses("is_short_thing")(match) and is_clean_noun_phrase(target) and not is_quantified(target)


def related(match: Match) -> bool:
    """Sets `relation` to the noun of the verb: "correlation" for "correlated"."""
    match.slots["relation"] = (match.clause.verb.removesuffix("ed") + "ion",)
    return True


def nominal(match: Match) -> bool:
    """Turns the slot `relation` from a participle into its noun."""
    match.slots["relation"] = (match.slots["relation"][0].removesuffix("ed") + "ion",)
    return True


def with_past(match: Match) -> bool:
    """The clause is told in the simple past."""
    return match.clause.tense == "did"


def because(match: Match) -> bool:
    """Sets `before` and `asked` to what stands before and behind a reason, wherever the clause was cut."""
    clause = match.clause
    found = matched(_BECAUSE, (*clause.rest, *clause.after)) if len(clause.after) <= 30 else None
    match.slots |= found or {}
    return found is not None and bool(found["before"] or clause.verb)
