"""Chunks of a document by SciDQA's rules: Algorithm 1 (retrieval), Algorithm 2 (full text), the code's own.

Each rule exists as meant. `as_printed` follows the algorithm of the paper to the letter, and
`repository_pieces` and `repository_chunks` follow the authors' code, which loses text. Sentences are those of
NLTK's Punkt without training: it needs no data, and the authors' chunks can be made again with it. The caller
says what a token is.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

TokenCounter = Callable[[str], int]
Rules = Literal["meant", "printed", "released"]
"""Whose chunks: the algorithms as meant, as the paper prints them, or those of the authors' code."""

RESERVED: Final = 500
"""The tokens of a context that are kept for the prompt and the answer."""
WINDOW: Final = 10
STEP: Final = 9
_REPOSITORY_SEPARATORS: Final = ("\n", "\\\\")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document: `text` is what a model reads, `[start, end)` is where it stands.

    Sentences are joined by one space, so `text` and the document may differ in white space alone.
    """

    text: str
    start: int
    end: int


def window_chunks(
    text: str, *, window: int = WINDOW, step: int = STEP, as_printed: bool = False
) -> list[Chunk]:
    """Windows of sentences within each line (SciDQA, Algorithm 1).

    The last window of a line ends with its last sentence. `as_printed`: windows start at every `step`-th
    sentence, and so a last one may only repeat the end of the one before. Raises `ValueError` where
    sentences would be left out.
    """
    if not 1 <= step <= window:
        raise ValueError(f"a step of {step} sentences does not fit a window of {window}")
    chunks: list[Chunk] = []
    for start, line in _lines(text):
        spans = _sentence_spans(line, start)
        for first in range(0, len(spans), step):
            chunks.append(_joined(text, spans[first : first + window]))
            if not as_printed and first + window >= len(spans):
                break
    return chunks


def segment_chunks(
    text: str, context: int, count: TokenCounter, *, reserved: int = RESERVED, as_printed: bool = False
) -> list[Chunk]:
    """Lines, and of too long lines as many sentences as fit (SciDQA, Algorithm 2).

    A chunk has fewer than `context - reserved` tokens, unless a single sentence has more: it is a chunk of
    its own. `as_printed`: the last sentences of a long line are never written, empty lines are, and the
    first chunk of a long line is empty where its first sentence alone is too long.
    """
    limit = context - reserved
    chunks: list[Chunk] = []
    for start, line in _lines(text):
        if count(line) < limit:
            if as_printed or line.strip():
                chunks.append(Chunk(line, start, start + len(line)))
            continue
        groups = list(_greedy(text, _sentence_spans(line, start), limit, count))
        kept = groups[:-1] if as_printed else [group for group in groups if group]
        chunks += [_joined(text, group) if group else Chunk("", start, start) for group in kept]
    return chunks


def context_segments(
    text: str, context: int, count: TokenCounter, *, reserved: int = RESERVED
) -> list[Chunk]:
    """As many lines together as fit, and of too long lines as many sentences.

    This is what the authors' code means to do with the chunks of Algorithm 2, without its losses: the text of
    a segment stands in the document as it is, unless a line was divided within it.
    """
    segments: list[Chunk] = []
    for chunk in segment_chunks(text, context, count, reserved=reserved):
        together = text[segments[-1].start : chunk.end] if segments else ""
        if segments and count(together) < context - reserved:
            segments[-1] = Chunk(together, segments[-1].start, chunk.end)
        else:
            segments.append(chunk)
    return segments


def segments_by(rules: Rules, text: str, context: int, count: TokenCounter) -> list[str]:
    """The segments in which a model reads a text that is too long for it; none of them is blank.

    `printed` and `released` lose text, and may give none at all.
    """
    if rules == "released":
        found = repository_chunks(text, context, count)
    elif rules == "printed":
        found = [chunk.text for chunk in segment_chunks(text, context, count, as_printed=True)]
    else:
        found = [chunk.text for chunk in context_segments(text, context, count)]
    return [segment for segment in found if segment.strip()]


def repository_pieces(text: str, context: int, count: TokenCounter, *, reserved: int = RESERVED) -> list[str]:
    """The pieces that the authors' code splits a document into; it drops sentences that are too long.

    It splits at blank lines, and what is still too long at line ends, at row breaks of LaTeX, into sentences.
    """
    limit = context - reserved
    return [piece for paragraph in text.split("\n\n") for piece in _fitting(paragraph, 0, limit, count)]


def repository_chunks(text: str, context: int, count: TokenCounter, *, reserved: int = RESERVED) -> list[str]:
    """The chunks of the authors' code: pieces joined by spaces while they fit; the last chunk is lost."""
    limit = context - reserved
    chunks: list[str] = []
    chunk, tokens = "", 0
    for piece in repository_pieces(text, context, count, reserved=reserved):
        more = count(piece)
        if tokens + more < limit:
            chunk, tokens = f"{chunk} {piece}", tokens + more
        else:
            chunks.append(chunk)
            chunk, tokens = piece, more
    return chunks


def _fitting(text: str, depth: int, limit: int, count: TokenCounter) -> Iterator[str]:
    if count(text) < limit:
        yield text
    elif depth < len(_REPOSITORY_SEPARATORS):
        for part in text.split(_REPOSITORY_SEPARATORS[depth]):
            yield from _fitting(part, depth + 1, limit, count)
    else:
        sentences = (text[start:end] for start, end in _sentence_spans(text, 0))
        yield from (sentence for sentence in sentences if count(sentence) < limit)


def _greedy(
    text: str, spans: Iterable[tuple[int, int]], limit: int, count: TokenCounter
) -> Iterator[list[tuple[int, int]]]:
    """Groups of sentences under the limit; the first is empty where the first sentence is too long."""
    group: list[tuple[int, int]] = []
    for start, end in spans:
        held = count(_joined(text, group).text) if group else 0
        if held + count(text[start:end]) < limit:
            group.append((start, end))
        else:
            yield group
            group = [(start, end)]
    yield group


def _joined(text: str, spans: list[tuple[int, int]]) -> Chunk:
    return Chunk(" ".join(text[start:end] for start, end in spans), spans[0][0], spans[-1][1])


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line with its offset."""
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _sentence_spans(line: str, offset: int) -> list[tuple[int, int]]:
    return [(offset + start, offset + end) for start, end in _punkt().span_tokenize(line)]


@cache
def _punkt() -> "PunktSentenceTokenizer":
    # Imported here: few steps make chunks.
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    return PunktSentenceTokenizer()
