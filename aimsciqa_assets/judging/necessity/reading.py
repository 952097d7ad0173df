"""What a rule finds in a document: does it answer a question as the item answers it?

A rule sees words, not meaning. A document supports an answer when two neighbouring sentences hold its
numbers and nearly all of its content words, and the paragraph around them (with the title) enough of the
question's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import ceil

from aimsciqa_assets.judging.necessity.words import NOTHING, Terms, numbers, terms
from aimsciqa_assets.text.sentences import sentence_spans

_OF_ANSWER = 0.8
"""Share of the answer's content words that two sentences must hold: all of them up to four."""
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Text:
    """A document: its title and paragraphs."""

    paper_id: str
    title: str
    paragraphs: tuple[str, ...]

    @cached_property
    def passages(self) -> list[str]:
        """Title and paragraph, for a search; a document without any has its title or id."""
        return [f"{self.title}\n{text}" for text in self.paragraphs] or [self.title or self.paper_id]

    @cached_property
    def _terms(self) -> list[Terms]:
        return [terms(paragraph) for paragraph in self.paragraphs]

    @cached_property
    def _title(self) -> Terms:
        return terms(self.title)

    def supports(
        self, question: str, answer: str, share: float, needed: str = "", own: Terms = NOTHING
    ) -> bool:
        """Whether it gives this answer to this question; `share` is what it must hold of the question.

        The paragraph must hold all words of `needed`, and half of `own`: what tells this question from
        similar ones. An answer without content words is supported by nothing.
        """
        wanted, asked, named = terms(answer), terms(question), terms(needed)
        if not wanted:
            return False
        asked -= wanted
        own &= asked
        for paragraph, held in zip(self.paragraphs, self._terms, strict=True):
            around = held | self._title
            if not _holds(held, wanted) or not named <= around:
                continue
            if len(asked & around) < share * len(asked) - _ROUNDING or 2 * len(own & around) < len(own):
                continue
            if any(_holds(window, wanted) for window in windows(paragraph)):
                return True
        return False


@lru_cache(maxsize=2**14)
def windows(paragraph: str) -> tuple[Terms, ...]:
    """The terms of every two neighbouring sentences."""
    return tuple(_windows([terms(paragraph[start:end]) for start, end in sentence_spans(paragraph)]))


def _windows(sentences: Sequence[Terms]) -> Iterator[Terms]:
    if len(sentences) == 1:
        yield sentences[0]
    for first, second in pairwise(sentences):
        yield first | second


def _holds(text: Terms, wanted: Terms) -> bool:
    """Whether a text holds all numbers and enough of the words."""
    found = text & wanted
    return numbers(wanted) <= found and len(found) >= ceil(_OF_ANSWER * len(wanted) - _ROUNDING)
