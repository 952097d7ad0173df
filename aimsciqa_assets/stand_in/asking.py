"""Asks of a clause what the table of patterns says: a question by inversion or "do" support."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from aimsciqa_assets.stand_in.clauses import Clause
from aimsciqa_assets.stand_in.context import Names
from aimsciqa_assets.stand_in.guards import Match
from aimsciqa_assets.stand_in.matching import Words, filled, fits, matched
from aimsciqa_assets.stand_in.patterns import ANY, PATTERNS, Pattern

_VOICES: Final = ("be", "been", "passive", "active", "modal", "perfect", "we", "we_listing", "purpose", "")
_AUTHORS: Final = frozenset({"we", "we_listing", "purpose"})
_OF_VOICE: Final = {
    voice: tuple(
        one
        for one in PATTERNS
        if voice in one.voices.split() or (one.voices == "any" and voice not in _AUTHORS)
    )
    for voice in _VOICES
}
_DO: Final = {"is": "does", "are": "do", "was": "did", "were": "did"}


@dataclass(frozen=True, slots=True)
class Draft:
    """A question without context yet: `fronted` and `body` are put together later.

    `slot` is what the question asks for and must not give away; `score` orders the drafts of a paragraph.
    """

    kind: str
    body: Words
    fronted: Words
    slot: Words
    score: int


def drafts(clause: Clause, names: Names) -> Iterator[Draft]:
    """The question of every pattern that the clause fits."""
    for pattern in _patterns(clause.voice, clause.verb):
        match = _match(pattern, clause)
        if match is not None:
            parts = _Parts(match, names)
            slot = parts.raw(pattern.asks)
            body = filled(pattern.question, {}, parts.spoken)
            yield Draft(pattern.kind, body, clause.fronted, slot, pattern.score)


@lru_cache(maxsize=4096)
def _patterns(voice: str, verb: str) -> tuple[Pattern, ...]:
    """The patterns for a verb; few verbs have many."""
    verbs = (verb,) if verb else ()
    return tuple(one for one in _OF_VOICE[voice] if one.verb == ANY or fits(one.verb, verbs))


def _match(pattern: Pattern, clause: Clause) -> Match | None:
    if pattern.named and not clause.names_its_subject:
        return None
    match = Match(clause)
    for template, words in (
        (pattern.auxiliary, (clause.auxiliary,)),
        (pattern.subject, clause.subject),
        (pattern.rest, clause.rest),
    ):
        if template != ANY:
            slots = matched(template, words)
            if slots is None:
                return None
            match.slots |= slots
    return match if all(guard(match) for guard in pattern.where) else None


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of a matched clause by the names that templates use."""

    match: Match
    names: Names

    def raw(self, name: str) -> Words:
        """A slot as it stands in the statement."""
        clause = self.match.clause
        if name == "verb":
            return (clause.finite, clause.verb)
        if name == "adverbs":
            return clause.adverbs
        return {"subject": clause.subject, "rest": clause.rest}.get(name) or self.match.slots[name]

    def spoken(self, name: str) -> Words:
        """A part as a question says it: without asides, and without a capital that is not its own."""
        clause = self.match.clause
        auxiliary = clause.auxiliary or clause.tense
        verb = (clause.verb,) if clause.verb else ()
        match name:
            case "subject":
                return _plain(self.names.lower_first(clause.subject))
            case "aux":
                return (auxiliary,)
            case "do":
                return (_DO.get(auxiliary, auxiliary),)
            case "be" if "be" not in self.match.slots:
                return ("was" if clause.tense == "did" else "is",)
            case "verb":
                return verb
            case "middle":
                return clause.middle
            case "adverbs":
                return clause.adverbs
            case "inverted":
                subject = self.spoken("subject")
                return (auxiliary, *subject, *clause.middle, *clause.adverbs, *verb)
            case "predicate" if not clause.auxiliary:
                return (*clause.adverbs, clause.finite, *_plain(clause.rest))
            case "predicate":
                return (clause.finite, *clause.middle, *clause.adverbs, *verb, *_plain(clause.rest))
            case "rest":
                return _plain(clause.rest)
        return _plain(self.match.slots[name])


def _plain(words: Words) -> Words:
    """Without parentheses, except abbreviations such as "(TPC)" and names."""
    return tuple(word for word in words if not word.startswith("(") or _is_abbreviation(word))


def _is_abbreviation(word: str) -> bool:
    inner = word[1:-1]
    return 1 < len(inner) <= 8 and " " not in inner and sum(map(str.isupper, inner)) >= 2 and "=" not in inner
