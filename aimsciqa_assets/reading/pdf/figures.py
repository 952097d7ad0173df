"""Where the figures of a page are: the pictures on one side of their captions, else the free space there."""

from collections.abc import Sequence
from dataclasses import dataclass

from aimsciqa_assets.reading.pdf.boxes import Box, around
from aimsciqa_assets.reading.pdf.pages import Page
from aimsciqa_assets.reading.pdf.pairing import SIDES, Side

_FAR = 200.0
"""So far from its picture, in points, counts a caption that has none on a side."""
_MARGIN = 0.06
_SMALLEST_SPACE = 20.0


@dataclass(frozen=True, slots=True)
class FigurePage:
    """A page as its figures see it. `walls` end figures: running text, headings, captions, tables.

    `labels` are the boxes of all blocks: words printed inside drawings.
    """

    page: Page
    captions: Sequence[Box]
    pictures: Sequence[Box]
    walls: Sequence[Box]
    labels: Sequence[Box]

    def limits(self, caption: Box) -> tuple[float, float]:
        """The ends of the walls next above and next below a caption."""
        walls = [wall for wall in self.walls if wall is not caption and _in_line(wall, caption)]
        top = max(
            (wall.y1 for wall in walls if wall.y1 <= caption.y0 + 2), default=_MARGIN * self.page.height
        )
        foot = (1 - _MARGIN) * self.page.height
        return top, min((wall.y0 for wall in walls if wall.y0 >= caption.y1 - 2), default=foot)

    def beyond(self, caption: Box, side: Side) -> list[Box]:
        """The pictures of a caption that stands on this side of them, up to the next wall."""
        top, bottom = self.limits(caption)
        pictures = [one for one in self.pictures if _in_line(one, caption)]
        if side == "above":
            return [one for one in pictures if _middle(one) > caption.y1 and one.y0 < bottom - 5]
        return [
            one
            for one in pictures
            if _middle(one) < caption.y0 and one.y1 > top + 5 and one.y1 < caption.y1 + 2
        ]

    def beside(self, caption: Box) -> list[Box]:
        """The pictures beside a caption."""
        return [one for one in self.pictures if min(one.y1, caption.y1) > max(one.y0, caption.y0)]

    def free(self, caption: Box, side: Side) -> Box:
        """The space between a caption on this side and the next wall, or the caption's own."""
        top, bottom = self.limits(caption)
        low, high = (caption.y1, bottom) if side == "above" else (top, caption.y0)
        inside = [
            one
            for one in self.labels
            if one is not caption and low - 1 <= one.y0 and one.y1 <= high + 2 and _in_line(one, caption)
        ]
        if high - low <= _SMALLEST_SPACE or (side == "above" and not inside):
            return caption
        return around([*inside, *(() if side == "above" else (Box(caption.x0, low, caption.x1, high),))])

    def without(self, boxes: Sequence[Box]) -> "FigurePage":
        """The page without the pictures that others have."""
        left = [one for one in self.pictures if not any(box.shared(one) > 0.5 * one.area for box in boxes)]
        return FigurePage(self.page, self.captions, left, self.walls, self.labels)


def figure_side(pages: Sequence[FigurePage]) -> Side:
    """The side of its pictures on which a paper prints captions."""
    below, above = (
        sum(_gap(page, one, side) for page in pages for one in page.captions) for side in SIDES[::-1]
    )
    return "above" if above < below else "below"


def figure_boxes(page: FigurePage, side: Side) -> list[Box]:
    """For each caption its figure; those with pictures on the paper's side choose first, each but once."""
    boxes: dict[int, Box] = {}
    for at, caption in enumerate(page.captions):
        pictures = page.without(list(boxes.values())).beyond(caption, side)
        if pictures:
            boxes[at] = around(pictures)
    other: Side = "below" if side == "above" else "above"
    for at, caption in enumerate(page.captions):
        if at not in boxes:
            left = page.without(list(boxes.values()))
            pictures = left.beyond(caption, other) or left.beside(caption)
            boxes[at] = around(pictures) if pictures else page.free(caption, side)
    return [boxes[at] for at in range(len(page.captions))]


def _gap(page: FigurePage, caption: Box, side: Side) -> float:
    pictures = page.beyond(caption, side)
    if side == "above":
        return min((max(0.0, one.y0 - caption.y1) for one in pictures), default=_FAR)
    return min((max(0.0, caption.y0 - one.y1) for one in pictures), default=_FAR)


def _in_line(one: Box, caption: Box) -> bool:
    return min(one.x1, caption.x1) > max(one.x0, caption.x0)


def _middle(box: Box) -> float:
    return (box.y0 + box.y1) / 2
