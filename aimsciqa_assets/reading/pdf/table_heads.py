"""The rows of a table's head: headings that stand over several columns, and those under them."""

from collections.abc import Mapping, Sequence
from typing import Final

from aimsciqa_assets.reading.pdf.boxes import Box
from aimsciqa_assets.reading.pdf.table_lines import Columns, Piece, Row, Ruling, TableLine

_CENTRE: Final = 6.0
"""A heading over columns stands so near their middle, in points."""
_EXACT: Final = 2.5


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
