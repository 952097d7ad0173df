"""Paragraphs with their evidence marked in place."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

MOST_CHARACTERS = 2400
"""The most that is shown of a piece of a paragraph; a longer piece is shortened in its middle."""


@dataclass(frozen=True, slots=True)
class Span:
    """Evidence in a paragraph: offsets in characters, and whose evidence it is (core or retrieval)."""

    start: int
    end: int
    role: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a paragraph, and the roles of the evidence that covers it; it may be none."""

    text: str
    roles: tuple[str, ...]


def pieces_of(text: str, spans: Sequence[Span]) -> list[Piece]:
    """The paragraph cut where evidence begins and ends; spans may overlap or reach beyond the text."""
    edges = {0, len(text)}
    for span in spans:
        edges |= {min(max(span.start, 0), len(text)), min(max(span.end, 0), len(text))}
    places = sorted(edges)
    pieces = []
    for start, end in pairwise(places):
        roles = sorted({span.role for span in spans if span.start <= start and end <= span.end})
        pieces.append(Piece(shortened(text[start:end], MOST_CHARACTERS), tuple(roles)))
    return pieces


def shortened(text: str, most: int) -> str:
    """A text of at most about `most` characters: its beginning and its end."""
    if len(text) <= most:
        return text
    return f"{text[: most // 2]} […] {text[-(most // 2) :]}"
