"""What a rule finds in a document: does it answer a question as the item answers it?

A rule sees words, not meaning. A document supports an answer when two neighbouring sentences hold its
numbers and nearly all of its content words, and the sentences around them (with the title) enough of the
question's.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil

from aimsciqa_assets.judging.necessity.words import NOTHING, Terms, numbers, terms
from aimsciqa_assets.text.sentences import sentence_spans

_OF_ANSWER = 0.8
"""Share of the answer's content words that two sentences must hold: all of them up to four."""
_BESIDE = 2
"""Sentences on each side of the answer in which the question is looked for."""
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

        The sentences around the answer must hold all words of `needed`, and half of `own`: what tells this
        question from similar ones. An answer without content words is supported by nothing.
        """
        wanted, asked, named = terms(answer), terms(question), terms(needed)
        if not wanted:
            return False
        asked -= wanted
        own &= asked
        for paragraph, held in zip(self.paragraphs, self._terms, strict=True):
            if not _holds(held, wanted) or not named <= held | self._title:
                continue
            for window, beside in windows(paragraph):
                around = beside | self._title
                enough = len(asked & around) >= share * len(asked) - _ROUNDING
                if (
                    enough
                    and _holds(window, wanted)
                    and named <= around
                    and 2 * len(own & around) >= len(own)
                ):
                    return True
        return False


@lru_cache(maxsize=2**14)
def windows(paragraph: str) -> tuple[tuple[Terms, Terms], ...]:
    """The terms of every two neighbouring sentences, and of these with two more on each side."""
    sentences = [terms(paragraph[start:end]) for start, end in sentence_spans(paragraph)]
    return tuple(
        (
            NOTHING.union(*sentences[place : place + 2]),
            NOTHING.union(*sentences[max(0, place - _BESIDE) : place + 2 + _BESIDE]),
        )
        for place in range(max(1, len(sentences) - 1))
    )


def _holds(text: Terms, wanted: Terms) -> bool:
    """Whether a text holds all numbers and enough of the words."""
    found = text & wanted
    return numbers(wanted) <= found and len(found) >= ceil(_OF_ANSWER * len(wanted) - _ROUNDING)
