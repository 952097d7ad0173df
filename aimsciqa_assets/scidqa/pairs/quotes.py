"""Where the quotes of a pair stand: the question's in the review, the answer's in a reply of the authors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from aimsciqa_assets.scidqa.pairs.discussions import Discussion, Turn
from aimsciqa_assets.scidqa.pairs.extraction import ExtractedPair
from aimsciqa_assets.scidqa.pairs.sentences import goes_on, note_sentences
from aimsciqa_assets.text.grounding import ground

QuoteReason = Literal[
    "empty_question",
    "empty_answer",
    "empty_question_quote",
    "empty_answer_quote",
    "question_quote_not_found",
    "answer_quote_not_found",
    "question_quote_of_another_writer",
    "answer_quote_of_another_writer",
]

_ANYBODYS_WORDS: Final = 4


@dataclass(frozen=True, slots=True)
class Place:
    """A quote: `turn.text[start:end]`."""

    turn: Turn
    start: int
    end: int

    @property
    def quote(self) -> str:
        """The quote itself."""
        return self.turn.text[self.start : self.end]

    def context(self, sentences: int) -> str:
        """The quote with the sentence or sentences that it stands in, and so many before and behind them."""
        spans, within = self._sentences()
        if not within:
            return self.quote
        return self._text(max(within[0] - sentences, 0), min(within[-1] + sentences, len(spans) - 1))

    @property
    def passage(self) -> str:
        """The same with one sentence before and behind, if it is about the same (`goes_on`)."""
        spans, within = self._sentences()
        if not within:
            return self.quote
        text, first, last = self.turn.text, within[0], within[-1]
        before = first > 0 and goes_on(text, spans[first - 1][1], spans[first][0])
        behind = last + 1 < len(spans) and goes_on(text, spans[last][1], spans[last + 1][0])
        return self._text(first - before, last + behind)

    def _sentences(self) -> tuple[Sequence[tuple[int, int]], list[int]]:
        """All sentences of the note, and the numbers of those that it stands in."""
        spans = note_sentences(self.turn.text)
        return spans, [
            number for number, (start, end) in enumerate(spans) if start < self.end and self.start < end
        ]

    def _text(self, first: int, last: int) -> str:
        """The note from a sentence to another, with the whole quote."""
        spans = note_sentences(self.turn.text)
        return self.turn.text[min(spans[first][0], self.start) : max(spans[last][1], self.end)]


@dataclass(frozen=True, slots=True)
class GroundedPair:
    """A pair whose quotes stand in the right notes, or the reason why not."""

    pair: ExtractedPair
    question: Place | None
    answer: Place | None
    reason: QuoteReason | None


def ground_pair(pair: ExtractedPair, discussion: Discussion) -> GroundedPair:
    """Look for the quotes of a pair, character by character; the first occurrence counts.

    An answer that only repeats the review is none of the authors, even where their reply quotes it; a few
    words, such as "on MNIST", are anybody's.
    """
    question = _place(pair.question_quote, (discussion.review,))
    answer = _place(pair.answer_quote, discussion.replies)
    return GroundedPair(pair, question, answer, _reason(pair, discussion, question, answer))


def _reason(
    pair: ExtractedPair, discussion: Discussion, question: Place | None, answer: Place | None
) -> QuoteReason | None:
    empty: dict[QuoteReason, str] = {
        "empty_question": pair.question,
        "empty_answer": pair.answer,
        "empty_question_quote": pair.question_quote,
        "empty_answer_quote": pair.answer_quote,
    }
    if blank := next((reason for reason, text in empty.items() if not text.strip()), None):
        return blank
    if question is None:
        elsewhere = _place(pair.question_quote, discussion.turns)
        return "question_quote_of_another_writer" if elsewhere else "question_quote_not_found"
    others = (discussion.review, *(turn for turn in discussion.turns if not turn.by_authors))
    if _place(pair.answer_quote, others) and (not answer or len(pair.answer_quote.split()) > _ANYBODYS_WORDS):
        return "answer_quote_of_another_writer"
    return None if answer else "answer_quote_not_found"


def _place(quote: str, turns: Sequence[Turn]) -> Place | None:
    for turn in turns:
        found = ground(quote, turn.text)
        if found.start is not None and found.end is not None:
            return Place(turn, found.start, found.end)
    return None
