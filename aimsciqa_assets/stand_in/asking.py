"""Turns a clause and a question word into a question, by inversion or "do" support."""

from dataclasses import dataclass

from aimsciqa_assets.stand_in.clauses import Clause
from aimsciqa_assets.stand_in.context import Names

Words = tuple[str, ...]


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


def inverted(clause: Clause, names: Names, wh: str, tail: Words = (), *, adverbs: bool = True) -> Words:
    """`wh` auxiliary subject middle adverbs verb `tail`, the usual order of a question."""
    auxiliary = clause.auxiliary or clause.tense
    return (
        *wh.split(),
        auxiliary,
        *plain(names.lower_first(clause.subject)),
        *clause.middle,
        *(clause.adverbs if adverbs else ()),
        *((clause.verb,) if clause.verb else ()),
        *plain(tail),
    )


def subject_question(clause: Clause, wh: str, subject: Words = ()) -> Words:
    """`wh` `subject` and the predicate as it stands."""
    return (*wh.split(), *plain(subject), *predicate(clause))


def predicate(clause: Clause) -> Words:
    """The verb group and the rest, as they stand in the statement."""
    if not clause.auxiliary:
        return (*clause.adverbs, clause.finite, *plain(clause.rest))
    verb = (clause.verb,) if clause.verb else ()
    return (clause.finite, *clause.middle, *clause.adverbs, *verb, *plain(clause.rest))


def plain(words: Words) -> Words:
    """Without parentheses, except abbreviations such as "(TPC)" and names."""
    return tuple(word for word in words if not word.startswith("(") or _is_abbreviation(word))


def _is_abbreviation(word: str) -> bool:
    inner = word[1:-1]
    return 1 < len(inner) <= 8 and " " not in inner and sum(map(str.isupper, inner)) >= 2 and "=" not in inner
