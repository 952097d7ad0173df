"""Documents: rows of `corpus.papers` with their paragraphs. Their text, their length, and places in them."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.reading.documents import EVALUATION
from aimsciqa_assets.text.combining import unstacked

Row = Mapping[str, Any]
Status = Literal["source", "candidate", "excluded"]

TOO_SHORT: Final = "too_short"
TOO_MANY_WORDS: Final = "too_many_words"
TOO_MANY_TOKENS: Final = "too_many_tokens"
NO_TEXT: Final = "no_text"
EVALUATION_ONLY: Final = "evaluation_only"

JOINING: Final = frozenset({"the", "and", "for", "from", "von", "van", "der", "des"})


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
    composed = unicodedata.normalize("NFC", unstacked(word))
    forms = ((character, unicodedata.normalize("NFD", character)) for character in composed)
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
            paper.get("article_type") == EVALUATION,
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


def drawn_sources(ids: Iterable[str], kind: str, most: int, seed: int) -> list[str]:
    """The sources that questions of a kind are made of: `most` of them in the order of a hash; 0: all."""
    ordered = sorted(ids, key=lambda document_id: (row_id(seed, kind, document_id), document_id))
    return ordered[:most] if most else ordered


def words_in(text: str) -> int:
    """How many words a text has."""
    return len(text.split())


def names(text: str, name: str) -> bool:
    """Whether a text holds a name as whole words; case and white space do not matter."""
    wanted = plain(name)
    return bool(wanted) and f" {wanted} " in f" {plain(text)} "


def mentions(text: str, name: str) -> bool:
    """Whether a text holds at least half of the telling words of a name: it may be written shorter there."""
    telling = {word for word in plain(name).split() if len(word) > 2 and word not in JOINING}
    held = telling & set(plain(text).split())
    return not telling or 2 * len(held) >= len(telling)


def plain(text: str) -> str:
    """The words of a text in lower case, without punctuation; an accent belongs to its letter."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", unstacked(text)).casefold()))
