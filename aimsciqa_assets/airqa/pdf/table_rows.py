"""Which printed lines of a table are one row, and which rows are its head.

A ruled line parts rows. Where the lines of a row stand closer together than rows do, that tells rows apart;
else a line goes on the row above when all that is in it goes on the cells above: it begins in small letters,
the cell above is unfinished, or had no room for its first word.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from aimsciqa_assets.airqa.pdf.pages import Box, Word

_FULL: Final = 0.85
"""Share of a table's width from which a ruled line is one across the whole of it."""
_MOST_HEAD_LINES: Final = 9
_CLOSER: Final = 1.15
"""So many times larger is the distance of rows than that of the lines in a row, where it tells them apart."""
_ALIKE: Final = 1.12
_CONFLICTS: Final = 0.15
_LOWER: Final = 0.75
_CENTRE: Final = 6.0
"""A heading over columns stands so near their middle, in points."""
_EXACT: Final = 2.5
_GOES_ON: Final = re.compile(r"[a-z(%&+/)\]=]")
_UNFINISHED: Final = re.compile(
    r"(?:[-‐–,;/(&+]|\b(?:of|and|the|for|with|in|to|or|by|per|vs\.?|on|at|from|a|an))\Z", re.I
)
_NUMBER: Final = re.compile(r"[\W\d_]*\d[\W\d_]*(?:[a-z*†‡]{1,3})?|[-–—−]|n/?a|NR|ND", re.I)

_ITEM: Final = re.compile(r"(?:\(?\d{0,2}[a-z]?\)|\d{1,2}\.|[•·▪])\s")
_FIGURE: Final = re.compile(r"[<>=≤≥~±+−–-]?\s?\(?\d")


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


def head_and_body(lines: Sequence[TableLine], ruling: Ruling) -> tuple[Row, list[Row]]:
    """The lines of the head, which may be none, and the rows of the body."""
    heads = _head_lines(lines, ruling)
    body = _rows(lines[heads:], ruling)
    if not heads and len(body) > 1 and _names_columns(body[0], body[1:]):
        return body[0], body[1:]
    return list(lines[:heads]), body


def _head_lines(lines: Sequence[TableLine], ruling: Ruling) -> int:
    """How many lines stand above the first ruled line that has lines above and below it; 0 without one."""
    for at, (above, below) in enumerate(pairwise(lines), 1):
        if ruling.parts(above, below):
            has_figures = any(_is_figure(piece.text) for line in lines[:at] for piece in line.pieces)
            is_long = at > max(1, len(lines) // 2)
            return 0 if at > _MOST_HEAD_LINES or (is_long and has_figures) else at
    return 0


def _names_columns(first: Row, others: Sequence[Row]) -> bool:
    """Whether the first row has no figures, and most cells in some column below have."""
    if any(_NUMBER.fullmatch(piece.text) for line in first for piece in line.pieces):
        return False
    cells: dict[int, list[bool]] = {}
    for row in others:
        for piece in row[0].pieces:
            cells.setdefault(piece.first, []).append(bool(_NUMBER.fullmatch(piece.text)))
    return any(2 * sum(numbers) > len(others) for numbers in cells.values())


def head_rows(lines: Row, columns: Columns, ruling: Ruling) -> list[Row]:
    """A head is one row, unless headings stand over several columns that have headings of their own.

    A heading is over the columns above which it is printed, those of a ruled line under it, or those in
    whose middle it stands.
    """
    over: list[tuple[int, Piece, Piece]] = []
    for at, line in enumerate(lines[:-1]):
        named = _extents([piece for later in lines[at + 1 :] for piece in later.pieces])
        upper = [piece for one in lines[: at + 1] for piece in one.pieces]
        for piece in line.pieces:
            others = [one for one in upper if one is not piece]
            spread = _spread(piece, others, columns, ruling.segments(line, lines[at + 1]), named)
            if sum(spread.first <= column <= spread.last for column in named) > 1:
                over.append((at, piece, spread))
    if not over:
        return [lines]
    spreads = {id(piece): spread for _, piece, spread in over}
    first: Row = []
    rest: Row = []
    for at, line in enumerate(lines):
        below = [piece for piece in line.pieces if any(_is_under(piece, one) for n, _, one in over if n < at)]
        above = [spreads.get(id(piece), piece) for piece in line.pieces if piece not in below]
        first += [TableLine(above)] if above else []
        rest += [TableLine(below)] if below else []
    return [first, *head_rows(rest, columns, ruling)]


def _extents(pieces: Sequence[Piece]) -> dict[int, tuple[float, float]]:
    """For each column that has pieces, the left and right end of their words."""
    extents: dict[int, tuple[float, float]] = {}
    for piece in pieces:
        left, right = extents.get(piece.first, (piece.x0, piece.x1))
        extents[piece.first] = (min(left, piece.x0), max(right, piece.x1))
    return extents


def _is_under(piece: Piece, over: Piece) -> bool:
    return over.first <= piece.first <= over.last


def _spread(
    piece: Piece,
    others: Sequence[Piece],
    columns: Columns,
    segments: Sequence[Box],
    named: Mapping[int, tuple[float, float]],
) -> Piece:
    """A heading with all columns that it names; `named` have headings below, with these ends."""
    middle = (piece.x0 + piece.x1) / 2
    for rule in segments:
        if rule.x0 <= middle <= rule.x1:
            under = [at for at, one in enumerate(columns) if rule.x0 - 1 <= sum(one) / 2 <= rule.x1 + 1]
            if under and not any(one.first <= under[-1] and one.last >= under[0] for one in others):
                return Piece(min(under[0], piece.first), max(under[-1], piece.last), piece.words)
    if segments:
        return piece
    low = max((one.last + 1 for one in others if one.last < piece.first), default=0)
    high = min((one.first - 1 for one in others if one.first > piece.last), default=len(columns) - 1)
    choices = []
    for first in range(low, piece.first + 1):
        for last in range(piece.last, high + 1):
            if all(at in named for at in range(first, last + 1)):
                ends = ((one[first][0], one[last][1]) for one in (columns, named))
                off = min(abs((left + right) / 2 - middle) for left, right in ends)
                if off < _CENTRE:
                    choices.append((round(off / _EXACT), first - last, first, last))
    return Piece(*min(choices)[2:], piece.words) if choices else piece


def _rows(lines: Sequence[TableLine], ruling: Ruling) -> list[Row]:
    if not lines:
        return []
    boxed = ruling.boxed and len(ruling.full) >= 4
    rights: dict[int, float] = {}
    for line in lines:
        for piece in line.pieces:
            if piece.first == piece.last:
                rights[piece.first] = max(rights.get(piece.first, 0.0), piece.x1)
    closest = None if boxed else _closest(lines, ruling)
    rows: list[Row] = [[lines[0]]]
    for above, line in pairwise(lines):
        if ruling.parts(above, line):
            goes_on = False
        elif boxed:
            goes_on = not _has_figures_below(above, line)
        elif closest is not None:
            goes_on = line.middle - above.middle <= closest
        else:
            goes_on = _goes_on(rows[-1], line, rights)
        if goes_on:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _closest(lines: Sequence[TableLine], ruling: Ruling) -> float | None:
    """Up to which distance lines are of one row, where distances tell; they do not where rows would have
    figures below figures.
    """
    pairs = [(above, line) for above, line in pairwise(lines) if not ruling.parts(above, line)]
    steps = sorted(line.middle - above.middle for above, line in pairs)
    ratios = [(b / a, a) for a, b in pairwise(steps) if a > 0]
    if not ratios:
        return None
    ratio, last = max(ratios)
    close = [step for step in steps if step <= last]
    usual = median(close)
    if ratio < _CLOSER or close[-1] > _ALIKE * usual or usual > 2 * median(line.height for line in lines):
        return None
    joined = [(above, line) for above, line in pairs if line.middle - above.middle <= last]
    conflicts = sum(_is_row_of_its_own(above, line) for above, line in joined)
    return last + 0.01 if conflicts <= _CONFLICTS * len(joined) else None


def _is_row_of_its_own(above: TableLine, line: TableLine) -> bool:
    """Whether a line has figures below figures, or begins anew in all columns of the line above."""
    if _has_figures_below(above, line):
        return True
    cells = {piece.first for piece in above.pieces}
    anew = {piece.first for piece in line.pieces if not _GOES_ON.match(piece.text)}
    return len(anew) > 1 and anew >= cells


def _has_figures_below(above: TableLine, line: TableLine) -> bool:
    cells = {piece.first: piece for piece in above.pieces}
    return any(_are_figures(cells[piece.first], piece) for piece in line.pieces if piece.first in cells)


def _are_figures(above: Piece, piece: Piece) -> bool:
    """Whether both are figures, so that the lower one goes not on the upper one."""
    if _UNFINISHED.search(above.text):
        return False
    return _is_figure(above.text) and _is_figure(piece.text)


def _is_figure(text: str) -> bool:
    """Whether a cell is a figure, as "2.31 ± 0.04" and "19.5 to 312.5" are."""
    digits, letters = sum(map(str.isdigit, text)), sum(map(str.isalpha, text))
    return bool(_NUMBER.fullmatch(text) or (_FIGURE.match(text) and digits >= letters))


def _goes_on(row: Row, line: TableLine, rights: Mapping[int, float]) -> bool:
    """Whether everything in a line goes on the cells of a row."""
    cells: dict[int, Piece] = {}
    for one in row:
        cells.update({piece.first: piece for piece in one.pieces})
    if any(
        piece.first not in cells
        or piece.first < piece.last
        or _ITEM.match(piece.text)
        or _are_figures(cells[piece.first], piece)
        for piece in line.pieces
    ):
        return False
    by_words = [
        bool(_GOES_ON.match(piece.text) or _UNFINISHED.search(cells[piece.first].text))
        for piece in line.pieces
    ]
    by_room = [_had_no_room(cells[piece.first], piece, rights) for piece in line.pieces]
    if line.pieces[0].first > 0:
        return 2 * sum(map(any, zip(by_words, by_room, strict=True))) >= len(by_words)
    if len(line.pieces) == 1:
        return by_words[0] and by_room[0]
    return (by_words[0] or by_room[0]) and all(by_words[1:]) and len(line.pieces) < len(cells)


def _had_no_room(above: Piece, piece: Piece, rights: Mapping[int, float]) -> bool:
    """Whether the first word of a piece did not fit behind the cell above."""
    right = rights.get(piece.first, above.x1)
    first = piece.words[0].box
    return len(above.words) > 1 and above.x1 + 0.25 * first.height + first.width > right + 0.5
