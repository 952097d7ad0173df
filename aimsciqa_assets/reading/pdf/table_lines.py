"""The printed lines of a table: the pieces that stand in its columns, and the ruled lines between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from aimsciqa_assets.reading.pdf.boxes import Box, Word

_FULL: Final = 0.85
"""Share of a table's width from which a ruled line is one across the whole of it."""
_LOWER: Final = 0.75


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of a line in the columns from `first` to `last`."""

    first: int
    last: int
    words: Sequence[Word]

    @property
    def text(self) -> str:
        """The words with spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def x0(self) -> float:
        """The left edge."""
        return self.words[0].box.x0

    @property
    def x1(self) -> float:
        """The right edge."""
        return max(word.box.x1 for word in self.words)


@dataclass(frozen=True, slots=True)
class TableLine:
    """A printed line of a table: its pieces from left to right, at least one."""

    pieces: Sequence[Piece]

    @property
    def middle(self) -> float:
        """Its height on the page."""
        return median((word.box.y0 + word.box.y1) / 2 for piece in self.pieces for word in piece.words)

    @property
    def height(self) -> float:
        """The height of its words."""
        return median(word.box.height for piece in self.pieces for word in piece.words)


Row = list[TableLine]
Columns = Sequence[tuple[float, float]]
"""The left and right end of each column."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The ruled lines across a table: `full` by height, `partial` as boxes; `boxed`: lines run down, too."""

    full: Sequence[float]
    partial: Sequence[Box]
    boxed: bool

    @classmethod
    def of(cls, rules: Sequence[Box], edges: tuple[float, float], *, boxed: bool) -> "Ruling":
        """The ruling of a table whose words stand between these edges."""
        left, right = edges
        heights: list[list[Box]] = []
        for rule in sorted(rules, key=lambda one: one.y0):
            if heights and rule.y0 - heights[-1][0].y0 < 2:
                heights[-1].append(rule)
            else:
                heights.append([rule])
        full: list[float] = []
        partial: list[Box] = []
        for segments in heights:
            if _covered(segments, left, right) >= _FULL * (right - left):
                full.append(segments[0].y0)
            else:
                partial += segments
        return cls(full, partial, boxed)

    def parts(self, above: TableLine, below: TableLine) -> bool:
        """Whether a line across the whole table stands between two lines."""
        return any(above.middle < y < below.middle for y in self.full)

    def segments(self, above: TableLine, below: TableLine | None) -> list[Box]:
        """The shorter ruled lines under a line and above the next."""
        low = above.middle + 3 * above.height if below is None else below.middle
        return [rule for rule in self.partial if above.middle < rule.y0 < low]


def _covered(segments: Sequence[Box], left: float, right: float) -> float:
    """How much of a width ruled lines cover that may lie over each other."""
    covered, end = 0.0, left
    for rule in sorted(segments, key=lambda one: one.x0):
        covered += max(0.0, min(rule.x1, right) - max(rule.x0, end))
        end = max(end, rule.x1)
    return covered


def in_one_line(lines: Sequence[TableLine]) -> list[TableLine]:
    """The lines; cells that stand a little lower than the others of their row, centred, are in it."""
    joined: list[TableLine] = []
    for line in lines:
        if joined and line.middle - joined[-1].middle < _LOWER * min(line.height, joined[-1].height):
            above = joined[-1]
            apart = all(
                piece.last < other.first or piece.first > other.last
                for piece in line.pieces
                for other in above.pieces
            )
            if apart:
                pieces = sorted((*above.pieces, *line.pieces), key=lambda one: one.first)
                joined[-1] = TableLine(pieces)
                continue
        joined.append(line)
    return joined
