"""Which caption belongs to which table or picture.

A paper prints the captions of its tables on one side, above or below, and those of its figures on one side,
too. So the side is decided for all of a kind at once, by how many find something on it and how near that is;
then captions and floats of a page are paired one to one with the smallest sum of distances.
"""

from collections.abc import Sequence
from typing import Final, Literal

from scipy.optimize import linear_sum_assignment

from aimsciqa_assets.reading.pdf.boxes import Box

Side = Literal["above", "below"]
"""Where captions stand, seen from their tables or pictures."""
SIDES: Final[tuple[Side, ...]] = ("above", "below")
Candidates = tuple[Sequence[Box], Sequence[Box]]
"""The captions of a page, and what they may belong to."""

_FAR: Final = 160.0
"""A float that is further from a caption, in points, is not the caption's."""
_OTHER_SIDE: Final = 60.0
"""So much further a float seems that stands on the other side than those of the paper do."""
_OVERLAP: Final = 20.0
_BESIDE: Final = 40.0


def usual_side(pages: Sequence[Candidates]) -> Side:
    """The side on which the captions of a paper are nearer to their tables, all in all; else above."""
    sums = {side: sum(_sum(captions, floats, side) for captions, floats in pages) for side in SIDES}
    return min(SIDES, key=lambda side: sums[side])


def paired(captions: Sequence[Box], floats: Sequence[Box], side: Side) -> dict[int, int]:
    """For captions by position the position of their float: one to one, the nearest in sum."""
    if not captions or not floats:
        return {}
    costs = [[_cost(caption, one, side) for one in floats] for caption in captions]
    rows, columns = linear_sum_assignment([[min(cost, 4 * _FAR) for cost in row] for row in costs])
    return {
        int(row): int(column) for row, column in zip(rows, columns, strict=True) if costs[row][column] < _FAR
    }


def _sum(captions: Sequence[Box], floats: Sequence[Box], side: Side) -> float:
    """The sum of distances when captions stand on this side only; one without a float is far from it."""
    if not captions or not floats:
        return 0.0
    costs = [[min(_FAR, distance(caption, one, side)) for one in floats] for caption in captions]
    rows, columns = linear_sum_assignment(costs)
    return sum((costs[row][column] for row, column in zip(rows, columns, strict=True)), 0.0)


def _cost(caption: Box, one: Box, side: Side) -> float:
    other = min(distance(caption, one, another) for another in SIDES if another != side)
    return min(distance(caption, one, side), other + _OTHER_SIDE, _beside(caption, one))


def distance(caption: Box, one: Box, side: Side) -> float:
    """Points between a caption on this side and a float; infinite where it stands elsewhere."""
    over = min(one.x1, caption.x1) - max(one.x0, caption.x0)
    gap = one.y0 - caption.y1 if side == "above" else caption.y0 - one.y1
    return max(0.0, gap) if over > 0 and gap > -_OVERLAP else float("inf")


def _beside(caption: Box, one: Box) -> float:
    """The same for a caption in the margin beside its float."""
    gap = max(one.x0 - caption.x1, caption.x0 - one.x1)
    level = min(one.y1, caption.y1) - max(one.y0, caption.y0)
    return max(0.0, gap) + _BESIDE if level > 0 and -_OVERLAP < gap < 30 else float("inf")
