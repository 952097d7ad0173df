"""A block: printed lines that belong together, of one kind."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from aimsciqa_assets.reading.pdf.boxes import Box
from aimsciqa_assets.reading.pdf.lines import Line
from aimsciqa_assets.reading.pdf.pages import Kind

FLOATS: Final[tuple[Kind, ...]] = ("table", "picture")
PROSE: Final[tuple[Kind, ...]] = ("text", "list-item")


@dataclass(slots=True)
class Block:
    """Lines that belong together. `beside` tells that it stands in the margin beside the columns of text."""

    kind: Kind
    page: int
    box: Box
    lines: list[Line] = field(default_factory=list)
    text: str = ""
    beside: bool = False

    @property
    def size(self) -> float:
        """The font size of most letters, in points."""
        sizes: Counter[float] = Counter()
        for line in self.lines:
            sizes[line.size] += len(line.text)
        return max(sizes, key=lambda size: sizes[size]) if sizes else 0.0

    @property
    def bold(self) -> bool:
        """Most of its lines are set in bold."""
        return 2 * sum(line.bold for line in self.lines) > len(self.lines)
