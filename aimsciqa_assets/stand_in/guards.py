"""What a pattern may ask of a match beside its shape; a guard may also set further slots.

Most guards are tables of what is refused: a part of the match, the pattern that it must not have, and why.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
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


def refuses(*rows: tuple[str, str, str]) -> Guard:
    """No row applies: parts of the match, a pattern for them with "|" between two, and what it shows."""

    def applies(match: Match, parts: str, shape: str) -> bool:
        first, *more = (match.part(name) for name in parts.split())
        return fits(shape, sum((("|", *words) for words in more), first))

    return lambda match: not any(applies(match, parts, shape) for parts, shape, _reason in rows)


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


_SUPERLATIVE: Final = (
    r"{word}(?:{word})?(?:(?:most|least|only|main|major|primary|first|best|predominant) "
    r"|(?!interest |harvest |forest |request )\S{3,}est ){rest}"
)
_LONG: Final = "(?:{word}){15}{rest}"
_NUMBERED: Final = "{rest}{number}{rest}"
_COUNTED: Final = "{quantity}{rest}"
_OF_CHANGE: Final = "(?:{word}){0,4}{change_nouns}{rest}"
_UNFINISHED: Final = ("rest", "{rest}{prepositions}", "the last word wants another")
_SECOND_CLAUSE: Final = "{rest}(?:showed|revealed|indicated|differed|increased|decreased|had) "

# Nothing goes on behind the clause; nothing behind it belongs to its last noun.
complete: Final[Guard] = attrgetter("clause.complete")
ends_here: Final[Guard] = attrgetter("clause.ends_here")
that_of_subject: Final = by_number("subject", "that", "those", "that")
numbered: Final = by_number("target", "be", "were", "was")
measurable: Final = refuses(
    ("head", "{people}", "people are no measure"),
    ("head asked", r"(?!{measures}){word}\| {rest}(?!{unit})[^\s%.]+ ", "neither a measure nor a unit"),
)
finished: Final = refuses(
    ("rest", "", "nothing is said"),
    _UNFINISHED,
    ("rest", rf"{{words}}and (?:{{quantity}}|{_SECOND_CLAUSE}){{rest}}", "a second count or clause"),
)
compares: Final = refuses(
    ("other", "{rest}(?i:(?!those |that ){pointers}){rest}", "it points to another sentence"),
    ("other", _NUMBERED, "it is a number"),
)
is_source: Final = refuses(("nature", f"(?=the ){_SUPERLATIVE}", "there is one such source only"))
concrete: Final = refuses(
    ("rest", _COUNTED, "a number has a pattern of its own"),
    ("rest", _OF_CHANGE, "so has a change"),
    ("rest", "{pronouns}{rest}", "the object says nothing by itself"),
    ("tense subject", r"did \| [A-Z][a-z]* {rest}and {rest}[A-Z]\S* ", "the subject is a pair of authors"),
)
falls_by: Final = refuses(("verb rest", r"fall \| {numberless}", "it falls under a category"))
no_change: Final = refuses(("verb rest", rf"{{causing_verbs}}\| {_OF_CHANGE}", "it leads to a reduction"))
_is_counted: Final = refuses(
    ("counted", "(?:of (?:{word})?)?", "nothing is counted"),
    ("counted", "(?!of ){prepositions}{rest}", "what is counted is not named"),
    ("rest", "(?:{word})?", "nothing is said of it"),
    ("finite", "(?:(?:is|was|has|does) |{third_forms})", "the verb is singular"),
)
_is_affected: Final = refuses(
    ("target", "", "nothing is left"),
    ("target", _LONG, "it is more than one thing"),
    ("target", _NUMBERED, "an amount is told"),
    ("target", r"{rest}(?:{prepositions}|similar |\S*[-‐] )", "the phrase is torn"),
    ("target", "{rest}not {rest}", "something is denied"),
)
_is_defined: Final = refuses(
    ("fronted", "{some}", "it holds under a condition only"),
    ("asked after", r"{word}(?:\| {rest}|{word}\| (?!(?:that|which) ){rest})", "too little is said"),
    ("asked", f"(?=the ){_SUPERLATIVE}", "it is valued"),
    ("subject", "(?i:an? ){word}{some}", "an example is no term"),
)
_is_neutral: Final = refuses(
    ("asked", "(?!one ){word}(?:{word}){0,4}{evaluative}{rest}", "it is valued"),
    ("subject", "{rest}of {rest}", "it is a part of something"),
)
_is_one_superlative: Final = refuses(
    ("rest", f"(?!{_SUPERLATIVE}){{rest}}", "there is no superlative"),
    _UNFINISHED,
)
_is_asked_for: Final = refuses(
    ("subject", "(?:{word}){7}{rest}", "it is no short name"),
    ("subject", "The [^A-Z ]+ ", "which one, only the paper says"),
    ("rest", "(?:{word}){0,2}", "too little is said of it"),
    _UNFINISHED,
)
_is_short_thing: Final = refuses(
    ("target", "(?:{word}){13}{rest}", "it is more than one thing"),
    ("target", "{rest}to {rest}", "a purpose is told"),
    ("target", "{rest}{participle}", "the phrase is torn"),
)
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
    if not _is_counted(match):
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
        return is_cut and _is_affected(match)

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
    is_the_one = said[0] not in {"a", "an"} and fits(f"(?=(?i:the )){_SUPERLATIVE}", subject)
    return _is_defined(match) and (is_the_one or _is_neutral(match))


def excels(match: Match) -> bool:
    """For "the most abundant mineral in grain": a superlative of one thing, or of things in the plural."""
    subject, rest = match.clause.subject, match.clause.rest
    agrees = match.clause.auxiliary not in {"are", "were"} or (is_plural(rest[1:]) and is_plural(subject))
    return bool(agrees) and not is_coordinated(subject) and _is_one_superlative(match)


def setting(match: Match) -> bool:
    """Sets `setting` to the one behind an object, if it certainly does not belong to it: "in dry regions"."""
    found = matched(_SETTING, match.clause.rest) if match.clause.ends_here else None
    match.slots["setting"] = found["setting"] if found else ()
    return True


def asks_subject(match: Match) -> bool:
    """The subject of "A encodes B" is one short name, and B is whole."""
    clause = match.clause
    return clause.complete and not is_coordinated(clause.subject) and _is_asked_for(match)


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
    return _is_short_thing(match) and is_clean_noun_phrase(target) and not is_quantified(target)


def because(match: Match) -> bool:
    """Sets `before` and `asked` to what stands before and behind a reason, wherever the clause was cut."""
    clause = match.clause
    found = matched(_BECAUSE, (*clause.rest, *clause.after)) if len(clause.after) <= 30 else None
    match.slots |= found or {}
    return found is not None and bool(found["before"] or clause.verb)
