"""Documents: rows of `corpus.papers` with their paragraphs. Their text, their length, and places in them."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.reading.documents import EVALUATION
from aimsciqa_assets.reading.paper import MANUSCRIPT
from aimsciqa_assets.text.combining import unstacked

Row = Mapping[str, Any]
Status = Literal["source", "candidate", "excluded"]

TOO_SHORT: Final = "too_short"
TOO_MANY_WORDS: Final = "too_many_words"
TOO_MANY_TOKENS: Final = "too_many_tokens"
NO_TEXT: Final = "no_text"
EVALUATION_ONLY: Final = "evaluation_only"

JOINING: Final = frozenset({"the", "and", "for", "from", "von", "van", "der", "des"})
_SMALL: Final = frozenset({"at", "in", "of", "the"})
_ANY_SMALL: Final = "(?: (?:at|in|of|the))*"
_CAPITALS: Final = re.compile(r"\b[A-Z]{2,5}\b")
_CODE: Final = re.compile(r"([a-z]{2,5})(\d+)")


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a document: `text` is that of its paragraph from `start` to `end`, exactly."""

    paragraph_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document: its paragraphs, in their order, with their ids.

    No question is made of one that is there `for_evaluation`.
    """

    document_id: str
    title: str
    paragraphs: tuple[tuple[str, str], ...]
    for_evaluation: bool = False

    @property
    def text(self) -> str:
        """Title and paragraphs, with a blank line between them, as a model is shown them."""
        return "\n\n".join([self.title, *(text for _, text in self.paragraphs)])

    @property
    def body(self) -> str:
        """The paragraphs alone; prompts have the title in a place of its own."""
        return "\n\n".join(text for _, text in self.paragraphs)

    def find(self, quote: str) -> Place | None:
        """Where the words of a quote stand first, in one paragraph; None where they do not.

        Case, signs and order must be those of the paragraph. Stretches of white space are alike, and so are
        the two Unicode forms of an accent; the place has them as the paragraph has them.
        """
        words = quote.split()
        if not words:
            return None
        pattern = re.compile(r"\s+".join(map(_in_either_form, words)))
        for paragraph_id, text in self.paragraphs:
            if found := pattern.search(text):
                return Place(paragraph_id, found.start(), found.end(), found[0])
        return None


def _in_either_form(word: str) -> str:
    """A pattern for a word whose accented letters are one character or two."""
    forms = ((character, unicodedata.normalize("NFD", character)) for character in composed(word))
    return "".join(
        re.escape(one) if one == other else f"(?:{re.escape(one)}|{re.escape(other)})" for one, other in forms
    )


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a document may be. `most_words` and `most_tokens` of 0 are no limit."""

    fewest_characters: int
    most_words: int
    most_tokens: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether a document may be a source, only a candidate, or neither, and why not."""

    status: Status
    reason: str | None = None


def documents_of(papers: Iterable[Row], paragraphs: Iterable[Row]) -> Iterator[Document]:
    """The documents of rows `paper_id, title` and `paper_id, paragraph_id, text`, both in reading order."""
    texts: dict[str, list[tuple[str, str]]] = {}
    for row in paragraphs:
        texts.setdefault(row["paper_id"], []).append((row["paragraph_id"], row["text"]))
    for paper in papers:
        yield Document(
            paper["paper_id"],
            paper["title"],
            tuple(texts.get(paper["paper_id"], ())),
            paper.get("article_type") in (EVALUATION, MANUSCRIPT),
        )


def standing(document: Document, tokens: int, limits: Limits) -> Standing:
    """What a document may be. One that is too short for a source may still be found as a candidate."""
    text = document.text
    if document.for_evaluation:
        return Standing("excluded", EVALUATION_ONLY)
    if not document.paragraphs:
        return Standing("excluded", NO_TEXT)
    if 0 < limits.most_words < len(text.split()):
        return Standing("excluded", TOO_MANY_WORDS)
    if 0 < limits.most_tokens < tokens:
        return Standing("excluded", TOO_MANY_TOKENS)
    if len(text) < limits.fewest_characters:
        return Standing("candidate", TOO_SHORT)
    return Standing("source")


def drawn_sources(
    ids: Iterable[str], kind: str, most: int, seed: int, likely: Mapping[str, int] | None = None
) -> list[str]:
    """The sources that questions of a kind are made of: `most` of them in the order of a hash; 0: all.

    Those that are likelier to give one come before others: `likely` has a number of them, or 0.
    """
    ordered = sorted(ids, key=lambda one: (-(likely or {}).get(one, 0), row_id(seed, kind, one), one))
    return ordered[:most] if most else ordered


def words_in(text: str) -> int:
    """How many words a text has."""
    return len(text.split())


def names(text: str, name: str) -> bool:
    """Whether a text holds a name as whole words.

    Case, white space, the form of accents, dots within capitals ("U.S.") and the blank of a code ("HD 78788")
    do not matter, and small words within the name may be others: "Institute in Dakar", "Institute of Dakar".
    """
    return times_named(plain(text), name) > 0


def times_named(said: str, name: str) -> int:
    """How often a text in its plain form holds a name, as `names` compares them."""
    pattern = _pattern(name)
    return len(pattern.findall(said)) if pattern else 0


@lru_cache(maxsize=4096)
def _pattern(name: str) -> re.Pattern[str] | None:
    """What a name looks like in a text in its plain form; None for a name without words."""
    words = plain(name).split()
    capitals = {word.casefold() for word in _CAPITALS.findall(name)}
    parts: list[str] = []
    for place, word in enumerate(words):
        if word in _SMALL and 0 < place < len(words) - 1:
            parts[-1] = parts[-1].removesuffix(_ANY_SMALL) + _ANY_SMALL
        elif place and _may_be_joined(words[place - 1], word, capitals):
            parts[-1] += f" ?{word}"
        elif code := _CODE.fullmatch(word):
            parts.append(" ?".join(code.groups()))
        else:
            parts.append(" ?".join(word) if word in capitals else re.escape(word))
    return re.compile(rf"(?<!\S){' '.join(parts)}(?!\S)") if parts else None


def _may_be_joined(word: str, following: str, capitals: set[str]) -> bool:
    """Whether two words are also written without a blank: initials, or the letters and number of a code."""
    initials = len(word) == len(following) == 1 and word.isalpha() and following.isalpha()
    return initials or (word in capitals and following.isdigit())


def distinctive_words(name: str) -> list[str]:
    """The words of a name that every text with it has; small words and dotted capitals may differ."""
    capitals = {word.casefold() for word in _CAPITALS.findall(name)}
    words = plain(name).split()
    return [one for one in words if len(one) > 1 and one not in capitals | _SMALL] or words


def mentions(text: str, name: str) -> bool:
    """Whether a text holds at least half of the telling words of a name: it may be written shorter there."""
    telling = {word for word in plain(name).split() if len(word) > 2 and word not in JOINING}
    held = telling & set(plain(text).split())
    return not telling or 2 * len(held) >= len(telling)


def composed(text: str) -> str:
    """The text with each accented letter as one character."""
    return unicodedata.normalize("NFC", unstacked(text))


def plain(text: str) -> str:
    """The words of a text in lower case, without punctuation; an accent belongs to its letter."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", unstacked(text)).casefold()))
