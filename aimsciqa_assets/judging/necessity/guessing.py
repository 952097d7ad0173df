"""Can the answer be guessed from the question: does it stand there, or do the names give it away?

The names are those of a comparison: titles of documents that the question names, or what stands around "or"
and "and". A guess is made by what a name shares with what is asked ("Which is in Norway, the Norwegian Ice
School or the Danish one?"), by numbers in the names ("Which is older?"), or by words of size and age.
"""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from aimsciqa_assets.judging.necessity.items import Item
from aimsciqa_assets.judging.necessity.words import numbers, terms, words_of

_SMALLEST_PRIOR: Final = 20
"""A habit of the answers is told from so many items of a sort at least."""
_SAME_BEGINNING: Final = 4
_OTHER_ENDING: Final = 2

_WORD: Final = r"[^\W\d_a-z][\w'’.-]*"
_NAME: Final = rf"(?:\d+\s+)?{_WORD}(?:\s+(?:(?:of|the|de|del|la|von|for)\s+){{0,2}}(?:{_WORD}|\d+))*"
_PAIR: Final = re.compile(rf"(?:the\s+)?({_NAME})(?:,)?\s+(?:or|and)\s+(?:the\s+)?({_NAME})")
_QUOTED: Final = re.compile(r'["“]([^"“”]+)["”],?\s+(?:or|and)\s+["“]([^"“”]+)["”]')
"""Long names, such as the titles of papers, stand in quotation marks."""
_WHICH: Final = re.compile(r"\b(?:which|who|whose)\b", re.IGNORECASE)

_OF_WHAT_SORT: Final = re.compile(
    r"\b(?:which|what)\b.{0,60}?(?=\b(?:is|was|are|were|has|have|had|did|does|do|lies|stands|began|opened)\b)",
    re.IGNORECASE,
)
"""`Which lake is`: every name may say of what sort it is."""

_MORE: Final = frozenset(
    "more larger bigger greater longer higher taller wider later newer younger most largest biggest greatest "
    "longest highest tallest latest newest youngest last second".split()
)
_LESS: Final = frozenset(
    "less fewer smaller lesser shorter lower earlier older sooner least fewest smallest shortest lowest "
    "earliest oldest first before".split()
)
_LARGE: Final = frozenset(
    "great grand greater big large giant major upper high long tall mega new young".split()
)
_SMALL: Final = frozenset("little small lesser mini minor lower low short dwarf tiny old ancient".split())


@dataclass(frozen=True, slots=True)
class Guess:
    """What is guessed and why."""

    answer: str
    why: str


def names_in(item: Item) -> tuple[str, ...]:
    """The two names or more among which the question chooses; none where it does not."""
    titles = _titles_in(item)
    if len(titles) > 1:
        return titles
    found = _QUOTED.search(item.question) or _PAIR.search(_without_first_word(item.question))
    return (found[1].strip(), found[2].strip()) if found else ()


def _titles_in(item: Item) -> tuple[str, ...]:
    """The titles of documents that the question names, in its order."""
    places: dict[int, str] = {}
    for source in item.sources:
        # Of an encyclopaedia: Mercury (planet).
        for title in (source.title, source.title.partition(" (")[0]):
            found = re.search(rf"(?<!\w){re.escape(title)}(?!\w)", item.question, re.IGNORECASE)
            if title and found:
                places[found.start()] = title
                break
    return tuple(places[place] for place in sorted(places))


def chosen(item: Item, names: tuple[str, ...]) -> str | None:
    """The name that the answer names, if it is one of them."""
    answer = terms(item.answer)
    of_names = [name for name in names if answer and (answer <= terms(name) or terms(name) <= answer)]
    return of_names[0] if len(of_names) == 1 else None


def guess(item: Item) -> Guess | None:
    """What can be guessed from the question alone; None where nothing can."""
    names = names_in(item) or (_titles_in(item) if item.is_yes_no else ())
    asked = words_of(_OF_WHAT_SORT.sub(" ", _without(item.question, names)))
    if item.is_yes_no:
        return _guessed_yes(names, asked)
    if chosen(item, names) is None:
        answer = terms(item.answer)
        held = bool(answer) and answer <= terms(item.question) and not _is_offered(answer, item.question)
        return Guess(item.answer, "the question holds the answer") if held else None
    return _by_what_is_asked(names, asked) or _by_numbers(names, asked) or _by_size(names, asked)


def _is_offered(answer: Set[str], question: str) -> bool:
    """Whether the answer stands on one side of an "or" only: an offered name tells nothing."""
    sides = question.split(" or ") if _WHICH.search(question) else []
    return len(sides) > 1 and sum(answer <= terms(side) for side in sides) == 1


def is_right(item: Item, guessed: Guess) -> bool:
    """Whether a guess is the answer."""
    if item.is_yes_no:
        return item.answer.strip().casefold().startswith(guessed.answer.casefold())
    named = chosen(item, names_in(item))
    return guessed.answer == (named or item.answer)


def habits(items: Iterable[Item], share: float) -> Mapping[str, Guess]:
    """What can be guessed by habit, by item: yes or no, or the first name, where nearly all answers are that.

    An item has a guess when at least `share` of the items of its kind and sort have the same answer.
    """
    sorts: dict[tuple[str, str], dict[str, str]] = {}
    for item in items:
        names = names_in(item)
        if item.is_yes_no:
            said = "yes" if item.answer.strip().casefold().startswith("yes") else "no"
            sorts.setdefault((item.variant, "yes or no"), {})[item.item_id] = said
        elif (named := chosen(item, names)) is not None:
            place = "the first name" if named == names[0] else "a later name"
            sorts.setdefault((item.variant, "which name"), {})[item.item_id] = place
    found: dict[str, Guess] = {}
    for (_, sort), answers in sorts.items():
        for said in sorted(set(answers.values())):
            of_these = [item for item, answer in answers.items() if answer == said]
            if len(answers) >= _SMALLEST_PRIOR and len(of_these) >= share * len(answers):
                why = (
                    f"{len(of_these)} of {len(answers)} questions of the sort “{sort}” have the answer {said}"
                )
                found |= {item: Guess(said, why) for item in of_these}
    return found


def _guessed_yes(names: tuple[str, ...], asked: list[str]) -> Guess | None:
    """Yes, where every name says what is asked: the last word, as in "museums in Oslo"."""
    if not names or not asked or not all(_says(name, asked[-1]) for name in names):
        return None
    return Guess("yes", f"every name says “{asked[-1]}”")


def _by_what_is_asked(names: tuple[str, ...], asked: list[str]) -> Guess | None:
    for word in asked:
        sharing = [name for name in names if _says(name, word)]
        if len(sharing) == 1:
            return Guess(sharing[0], f"one name alone says “{word}”")
    return None


def _by_numbers(names: tuple[str, ...], asked: list[str]) -> Guess | None:
    values = {name: min(map(float, found)) for name in names if (found := numbers(terms(name)))}
    way = _way(asked)
    if not way or len(values) < len(names) or len(set(values.values())) < len(names):
        return None
    best = (max if way > 0 else min)(values, key=values.__getitem__)
    return Guess(best, "the names hold numbers that tell")


def _by_size(names: tuple[str, ...], asked: list[str]) -> Guess | None:
    way = _way(asked)
    sizes = {name: bool(_LARGE & {*words_of(name)}) - bool(_SMALL & {*words_of(name)}) for name in names}
    best = max(sizes.values(), default=0) if way > 0 else min(sizes.values(), default=0)
    of_best = [name for name, size in sizes.items() if size == best]
    if not way or not best or len(of_best) != 1:
        return None
    return Guess(of_best[0], "one name alone says how large or old it is")


def _way(asked: list[str]) -> int:
    """1: more, later, larger is asked for; -1: less, earlier, smaller; 0: neither, or both."""
    words = {*asked}
    return bool(_MORE & words) - bool(_LESS & words)


def _says(name: str, word: str) -> bool:
    """Whether a name has the word or one that begins alike: Norwegian says Norway."""
    return any(word == part or _begin_alike(word, part) for part in words_of(name))


def _begin_alike(one: str, other: str) -> bool:
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return common >= max(_SAME_BEGINNING, min(len(one), len(other)) - _OTHER_ENDING)


def _without(question: str, names: Iterable[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        question = re.sub(re.escape(name), " ", question, flags=re.IGNORECASE)
    return question


def _without_first_word(question: str) -> str:
    """The question with a small first letter: its capital begins no name."""
    return question[:1].lower() + question[1:]
