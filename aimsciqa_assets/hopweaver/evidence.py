"""Evidence that is understood by itself: a quote names what it speaks of, alone or with a sentence beside it.

The rules compare words; whether "she" is the one whom the sentence before names is left to the polisher.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.hopweaver.documents import JOINING, Document, Place, composed, names, plain
from aimsciqa_assets.hopweaver.species import names_species
from aimsciqa_assets.text.sentences import sentence_spans

_WORD: Final = re.compile(r"\w+(?:[-'’]\w+)*")
_DIGIT: Final = re.compile(r"\d")
_PART: Final = re.compile(r"\w+")
_BEGINS_SENTENCE: Final = re.compile(r"(?:^|[.:?!–—])[\s\"'“‘«(]*\Z")

_POINTS_BACK: Final = re.compile(
    r"\b(?:s?he|it|they|his|hers?|its|their|him|them|this|these|the (?:film|song|album|book|novel|band|"
    r"series|game|company|school|club|museum|building|church|ship|species|village|town|city|award|team))\b",
    re.IGNORECASE,
)

_EMPTY: Final = frozenset(
    """
    about after against also among another been before being between both cannot could does doing during
    each either from have having here however into itself less like many might more most much must neither
    only other others over same should since some such than that their them then there these they this
    those through together toward towards under until upon very were what when where whether which while
    whom whose will with within without would your
    """.split()
)


def speaks_of(text: str, name: str) -> bool:
    """Whether a text names something, if only by its initials or by one telling word: "Reed" for Ada Reed.

    Telling are the capitalized words and the numbers of a name; where it has none, its longer words. A title
    in sentence case is named by a proper name within it, or by two of its content words, or half of them.
    """
    if names_species(text, name):
        return True
    text, name = composed(text), composed(name)
    written = _WORD.findall(name)
    said = set(plain(text).split())
    if len(written) > 2 and (title := _title_in_sentence_case(name)):
        held = title.content & set(map(_singular, said))
        named = bool(title.proper & said) or len(held) >= min(2, len(title.content) / 2)
    else:
        proper = [word for word in written if word[0].isupper() or _DIGIT.search(word)]
        telling = {part for word in proper or written for part in plain(word).split() if _tells(part)}
        named = bool(telling & said)
    initials = "".join(word[0] for word in written).upper()
    return named or (len(initials) > 1 and initials in _WORD.findall(text.replace("-", " ")))


@dataclass(frozen=True, slots=True)
class _Title:
    """The proper names and abbreviations of a title, and its content words in the singular."""

    proper: frozenset[str]
    content: frozenset[str]


def _title_in_sentence_case(name: str) -> _Title | None:
    """The name as a title in sentence case; None where capitalized words are not outnumbered in it.

    A capital letter tells nothing of a word that begins the title, or a sentence of it.
    """
    parts = list(_PART.finditer(name))
    capitalized = [
        part
        for part in parts
        if any(map(str.isupper, part[0][1:]))
        or (part[0][0].isupper() and not _BEGINS_SENTENCE.search(name[: part.start()]))
    ]
    content = {word for part in parts for word in plain(part[0]).split() if len(word) > 3} - _EMPTY
    proper = {word for part in capitalized for word in plain(part[0]).split()}
    lower = {part[0] for part in parts if part[0].islower()} & content
    if len(lower) <= len(proper):
        return None
    return _Title(frozenset(filter(_tells, proper)), frozenset(map(_singular, content)))


def holds_answer(text: str, answer: str) -> bool:
    """Whether a text holds an answer: all its numbers, and half of its other telling words."""
    said = set(plain(text).split())
    telling = {word for word in plain(answer).split() if _tells(word)}
    numbers = {word for word in telling if _DIGIT.search(word)}
    words = telling - numbers
    return names(text, answer) or (bool(telling) and numbers <= said and 2 * len(words & said) >= len(words))


def naming(
    document: Document, place: Place, name: str, answer: str = "", *, reach: int = 1, subject: str = ""
) -> Place | None:
    """The quote, with the sentences before it, behind it, or both if it must; None where that does not do.

    It has to name what it speaks of, and to hold the answer if there is one. It may begin `reach` sentences
    earlier, and end one later. One that says "she" or "the film" is extended until it names the `subject`,
    too, where that is within reach.
    """
    text = paragraph_of(document, place)
    fit = [
        Place(place.paragraph_id, start, end, text[start:end])
        for start, end in _stretches(text, place, reach)
        if speaks_of(text[start:end], name) and (not answer or holds_answer(text[start:end], answer))
    ]
    if not fit:
        return None
    unclear = subject and _POINTS_BACK.search(fit[0].text)
    return next((one for one in fit if speaks_of(one.text, subject)), fit[0]) if unclear else fit[0]


def _stretches(text: str, place: Place, reach: int) -> list[tuple[int, int]]:
    """A place, and where it starts and ends with sentences beside it: one, then more before it."""
    spans = sentence_spans(text)
    within = [number for number, (start, end) in enumerate(spans) if start < place.end and place.start < end]
    if not within:
        return [(place.start, place.end)]
    starts = [min(spans[max(within[0] - back, 0)][0], place.start) for back in range(1, reach + 1)]
    behind = max(spans[min(within[-1] + 1, len(spans) - 1)][1], place.end)
    near, *far = starts
    beside = [(place.start, place.end), (near, place.end), (place.start, behind), (near, behind)]
    return beside + [(start, end) for start in far for end in (place.end, behind)]


def beyond(question: str, told: Iterable[str]) -> list[str]:
    """The proper names and numbers of a question that stand in nothing of what is told.

    The first word has a capital letter anyhow; a plural counts as its singular.
    """
    held = {_singular(word) for text in told for word in plain(text).split()}
    return [
        word[0]
        for word in _WORD.finditer(composed(question))
        if (_DIGIT.search(word[0]) or (word.start() > 0 and word[0][0].isupper()))
        and any(_singular(part) not in held for part in plain(word[0]).split() if _tells(part))
    ]


def paragraph_of(document: Document, place: Place) -> str:
    """The paragraph that a place lies in."""
    return next(text for paragraph_id, text in document.paragraphs if paragraph_id == place.paragraph_id)


def _tells(word: str) -> bool:
    return word not in JOINING and (len(word) > 2 or _DIGIT.search(word) is not None)


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word
