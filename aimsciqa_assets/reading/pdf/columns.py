"""The columns of a page: where they are, and the order of blocks in them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median, median_low

from aimsciqa_assets.reading.pdf.block import PROSE, Block
from aimsciqa_assets.reading.pdf.lines import Line, column_edges, gutter_of

_ACROSS = -1
_CENTRED = 0.02
"""Share of the lines that stand in the middle above the columns and reach a little over their edges."""
_CROSSING = 0.15
"""Share of the lines of a page that may run across the spaces between three columns: the head of a paper."""


def _prose(blocks: Sequence[Block]) -> list[Line]:
    return [line for block in blocks if block.kind in PROSE and not block.beside for line in block.lines]


def _gutters(lines: Sequence[Line]) -> tuple[float, ...]:
    """Where the spaces between columns are; none on a page with one column."""
    if not lines:
        return ()
    left, right = column_edges(list(lines))
    thirds = [
        [left + (right - left) * (third + 0.005 * step) for step in range(-12, 13)]
        for third in (1 / 3, 2 / 3)
    ]
    three: list[float] = []
    for candidates in thirds:
        crossing = [sum(line.x0 < x < line.x1 for line in lines) for x in candidates]
        few = min(crossing) + _CENTRED * len(lines)
        best = [x for x, count in zip(candidates, crossing, strict=True) if count <= few]
        if min(crossing) <= _CROSSING * len(lines):
            three.append(best[len(best) // 2])
    if len(three) == 2:
        first, second = three
        columns = (
            sum(line.x1 <= first for line in lines),
            sum(first <= line.x0 and line.x1 <= second for line in lines),
            sum(line.x0 >= second for line in lines),
        )
        if min(columns) >= max(3, _CROSSING * len(lines)):
            return first, second
    gutter = gutter_of(list(lines))
    return () if gutter is None else (gutter,)


def usual_gutters(of_pages: Sequence[Sequence[Block]]) -> tuple[float, ...]:
    """Where most pages have the spaces between columns: for pages with too little text to tell."""
    found = [gutters for blocks in of_pages if (gutters := _gutters(_prose(blocks)))]
    if 2 * len(found) < len(of_pages):
        return ()
    count = median_low(len(gutters) for gutters in found)
    alike = [gutters for gutters in found if len(gutters) == count]
    return tuple(median(some) for some in zip(*alike, strict=True))


def in_columns(blocks: Sequence[Block], usual: tuple[float, ...]) -> list[tuple[int, Block]]:
    """The blocks of a page in order, each with the number of its column on the page; edges are set.

    Between blocks across the page, a column comes before those to its right.
    """
    prose = _prose(blocks)
    gutters = _gutters(prose) or usual
    ordered: list[tuple[int, Block]] = []
    band: list[Block] = []
    column = 0

    def close() -> None:
        nonlocal column
        for side in range(len(gutters) + 1):
            members = [block for block in band if _side(block, gutters) == side]
            if members:
                ordered.extend((column, block) for block in sorted(members, key=lambda one: one.box.y0))
                column += 1
        band.clear()

    for block in sorted(blocks, key=lambda one: (one.box.y0, one.box.x0)):
        if _side(block, gutters) == _ACROSS:
            close()
            ordered.append((column, block))
        else:
            band.append(block)
    close()
    sides = {
        side: [line for line in prose if _line_side(line, gutters) == side]
        for side in range(_ACROSS, len(gutters) + 1)
    }
    for _, block in ordered:
        side = _side(block, gutters)
        edges = column_edges(sides[side] or block.lines) if sides[side] or block.lines else (0.0, 0.0)
        block.lines = [replace(line, column_left=edges[0], column_right=edges[1]) for line in block.lines]
    return ordered


def _side(block: Block, gutters: Sequence[float]) -> int:
    """The column of a block, from 0; one that reaches a little over it still belongs to it, others do not."""
    over = 0.1 * block.box.width
    clearly = any(block.box.x0 < x - over and block.box.x1 > x + over for x in gutters)
    too_wide = any(block.box.width > right - left for left, right in pairwise(gutters))
    if not gutters or clearly or too_wide:
        return _ACROSS
    return sum((block.box.x0 + block.box.x1) / 2 > x for x in gutters)


def _line_side(line: Line, gutters: Sequence[float]) -> int:
    if not gutters or any(line.x0 < x - 2 < x + 2 < line.x1 for x in gutters):
        return _ACROSS
    return sum((line.x0 + line.x1) / 2 > x for x in gutters)
