"""Rectangles on a page, and the words in them."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in points from the top left corner of its page."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Width in points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Height in points."""
        return self.y1 - self.y0

    @property
    def middle(self) -> float:
        """The height at which its middle lies, in points."""
        return (self.y0 + self.y1) / 2

    @property
    def area(self) -> float:
        """Area in square points."""
        return max(0.0, self.width) * max(0.0, self.height)

    def holds(self, x: float, y: float, slack: float = 1.0) -> bool:
        """Whether a point lies inside."""
        return self.x0 - slack <= x <= self.x1 + slack and self.y0 - slack <= y <= self.y1 + slack

    def shared(self, other: "Box") -> float:
        """The area that both cover."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        return max(0.0, width) * max(0.0, height)


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box around others, of which there is at least one."""
    return Box(
        min(box.x0 for box in boxes),
        min(box.y0 for box in boxes),
        max(box.x1 for box in boxes),
        max(box.y1 for box in boxes),
    )


@dataclass(frozen=True, slots=True)
class Word:
    """A printed word, turned ones included."""

    text: str
    box: Box
