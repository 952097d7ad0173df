"""Pages as the layout model and pymupdf give them, printed by hand: tests that read a layout in no time."""

from dataclasses import dataclass, field

from aimsciqa_assets.reading.contents import Contents
from aimsciqa_assets.reading.pdf.boxes import Box, Word
from aimsciqa_assets.reading.pdf.lines import Line
from aimsciqa_assets.reading.pdf.pages import Kind, Page, Pages, Region
from aimsciqa_assets.reading.pdf.reader import contents_of

PROSE = (
    "The seedlings on sandy soils needed less water than those of the first season in every year.",
    "Most varieties reached the same height as the plants that we had watered after the fourth week.",
    "Deep roots explained more of the yield than what earlier work had reported on both farms.",
)


@dataclass(slots=True)
class Sheet:
    """A page that is printed on from top to bottom.

    Letters are half as wide as they are high, spaces a quarter.
    """

    number: int = 1
    size: tuple[float, float] = (595, 842)
    page: Page = field(init=False)

    def __post_init__(self) -> None:
        self.page = Page(self.number, *self.size)

    def line(
        self, text: str, x: float, y: float, size: float = 10, *, bold: bool = False, lead: str = ""
    ) -> Box:
        """Print a line whose top left corner is (x, y)."""
        at = x
        words = []
        for word in text.split():
            words.append(Word(word, Box(at, y, at + size / 2 * len(word), y + size)))
            at = words[-1].box.x1 + size / 4
        box = Box(x, y, words[-1].box.x1, y + size)
        self.page.words += words
        lead = text if bold else lead
        self.page.lines.append(
            Line(text, self.number - 1, box.x0, box.y0, box.x1, box.y1, size, bold, lead=lead)
        )
        return box

    def region(self, kind: Kind, x0: float, y0: float, x1: float, y1: float) -> None:
        """What the layout model recognises there."""
        self.page.regions.append(Region(kind, Box(x0, y0, x1, y1)))

    def block(
        self, kind: Kind, lines: list[str], x: float, y: float, size: float = 10, *, bold: bool = False
    ) -> float:
        """Lines one below the other that the layout model takes for one thing; where they end."""
        boxes = [self.line(text, x, y + 1.2 * size * at, size, bold=bold) for at, text in enumerate(lines)]
        self.region(kind, x, y, max(box.x1 for box in boxes), boxes[-1].y1)
        return boxes[-1].y1

    def prose(self, x: float, y: float, lines: int = 3) -> float:
        """A paragraph of so many lines."""
        return self.block("text", [PROSE[at % len(PROSE)] for at in range(lines)], x, y)

    def rule(self, x0: float, x1: float, y: float) -> None:
        """A ruled line across."""
        self.page.rules.append(Box(x0, y, x1, y))

    def cells(
        self, rows: list[list[str]], columns: list[float], y: float, *, leading: float = 12, size: float = 8
    ) -> float:
        """Cells in columns that begin at these places, "" where there is none; where they end."""
        for at, row in enumerate(rows):
            for x, cell in zip(columns, row, strict=True):
                if cell:
                    self.line(cell, x, y + at * leading, size)
        return y + (len(rows) - 1) * leading + size


def read(*sheets: Sheet, metadata: dict[str, str] | None = None) -> Contents:
    """What the reader makes of these pages."""
    return contents_of(Pages([sheet.page for sheet in sheets], metadata=metadata or {}))


def begun(sheet: Sheet) -> float:
    """Print a title, an abstract and the first heading with a paragraph; where the next thing may begin."""
    sheet.block("title", ["Roots of Millet in Dry and Sandy Soils"], 60, 60, 18)
    sheet.block("section-header", ["Abstract"], 60, 100, 12, bold=True)
    sheet.prose(60, 120)
    sheet.block("section-header", ["Introduction"], 60, 170, 12, bold=True)
    return sheet.prose(60, 190) + 20
