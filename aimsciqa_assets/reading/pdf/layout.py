"""The printed lines of a PDF in reading order, without running heads, page numbers and turned text.

What the lines mean (heading, paragraph, reference) is decided in `reader.py`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import Any

import pymupdf

from aimsciqa_assets.text.combining import unstacked

_BOLD = 16
_MARGIN = 0.1
"""Share of the page height, at the top and at the bottom, where running heads and page numbers stand."""
_REPEATS = 2
_PAGE_NUMBER = re.compile(r"(?:page\s*)?[-–—]?\s*\d{1,5}\s*[-–—]?(?:\s*(?:of|/)\s*\d{1,5})?", re.I)
_INITIAL = re.compile(r"(?:\A|[\s(-])[A-Z]\s*\Z")
_CAPITALS = re.compile(r"\s*[A-Z]{2,}(?![a-z])")
WORD_GAP = 0.9
STRETCHED_GAP = 3.0
"""Gaps in font sizes: between words of any line, and of a line stretched to the width of its column."""
TEXT_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line. Coordinates are points from the page's top left corner.

    `column_left` and `column_right` are the edges of the text column it stands in, `column` counts the
    columns of the document in reading order. `lead` is the bold text that it begins with.
    """

    text: str
    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    column: int = 0
    column_left: float = 0.0
    column_right: float = 0.0
    lead: str = ""

    @property
    def is_indented(self) -> bool:
        """It starts clearly to the right of its column's edge."""
        return self.x0 > self.column_left + 0.6 * self.size

    @property
    def ends_early(self) -> bool:
        """It leaves room before the right edge of its column."""
        return self.x1 < self.column_right - 0.12 * (self.column_right - self.column_left)


def reading_order(document: Any) -> list[Line]:
    """All printed lines of a `pymupdf.Document`, as a person would read them."""
    pages: list[list[Line]] = []
    heights: list[float] = []
    for number in range(document.page_count):
        page = document.load_page(number)
        pages.append(list(_printed_lines(page, number)))
        heights.append(page.rect.height)
    running = running_lines(pages, heights)
    ordered: list[Line] = []
    for lines in pages:
        body = [line for line in lines if line not in running]
        first_column = ordered[-1].column + 1 if ordered else 0
        ordered.extend(_in_columns(body, first_column))
    return ordered


def _printed_lines(page: Any, number: int) -> Iterator[Line]:
    pieces = (
        printed_line(raw, number)
        for block in page.get_text("dict", flags=TEXT_FLAGS)["blocks"]
        for raw in block.get("lines", ())
    )
    yield from joined_rows((piece for piece in pieces if piece is not None), WORD_GAP)


def printed_line(raw: dict[str, Any], page: int) -> Line | None:
    """A line of pymupdf's "dict" output; None when it is empty or not horizontal."""
    spans = [span for span in raw["spans"] if span["text"].strip()]
    text = unstacked(" ".join(_joined_spans(raw["spans"]).split()))
    if not text.strip("\u00ad ") or abs(raw["dir"][1]) > 0.1 or raw["dir"][0] < 0:
        return None
    sizes: Counter[float] = Counter()
    bold = 0
    for span in spans:
        sizes[round(span["size"] * 2) / 2] += len(span["text"])
        if _is_bold(span):
            bold += len(span["text"].strip())
    x0, y0, x1, y1 = raw["bbox"]
    return Line(
        text=text,
        page=page,
        x0=x0,
        y0=y0,
        x1=x1,
        y1=y1,
        size=max(1.0, *(size for size in sizes if sizes[size] == max(sizes.values()))),
        bold=bold > 0.8 * sum(len(span["text"].strip()) for span in spans),
        lead=" ".join("".join(span["text"] for span in takewhile(_is_bold, spans)).split()),
    )


def _joined_spans(spans: Iterable[Mapping[str, Any]]) -> str:
    """The text of a line; small capitals stand right behind their first letter ("I NTRODUCTION")."""
    text, size = "", 0.0
    for span in spans:
        printed = span["text"]
        is_smaller = 0.6 * size < span["size"] < 0.9 * size
        if is_smaller and _INITIAL.search(text) and _CAPITALS.match(printed):
            text, printed = text.rstrip(), printed.lstrip()
        text += printed
        size = span["size"] if printed.strip() else size
    return text


def _is_bold(span: Mapping[str, Any]) -> bool:
    return bool(span["flags"] & _BOLD) or "bold" in span["font"].lower()


def joined_rows(pieces: Iterable[Line], widest: float) -> list[Line]:
    """Join neighbours that stand side by side, at most `widest` font sizes apart."""
    rows: list[Line] = []
    for piece in pieces:
        if rows and _same_row(rows[-1], piece, widest):
            rows[-1] = _beside(rows[-1], piece)
        else:
            rows.append(piece)
    return rows


def _same_row(left: Line, right: Line, widest: float) -> bool:
    overlap = min(left.y1, right.y1) - max(left.y0, right.y0)
    return (
        overlap > 0.5 * min(left.y1 - left.y0, right.y1 - right.y0)
        and -0.5 < (right.x0 - left.x1) / left.size < widest
    )


def _beside(left: Line, right: Line) -> Line:
    gap = " " if right.x0 - left.x1 > 0.1 * left.size else ""
    main = left if len(left.text) >= len(right.text) else right
    return Line(
        text=left.text + gap + right.text,
        page=left.page,
        x0=left.x0,
        y0=min(left.y0, right.y0),
        x1=max(left.x1, right.x1),
        y1=max(left.y1, right.y1),
        size=main.size,
        bold=left.bold and right.bold,
        lead=f"{left.lead} {right.lead}".strip() if left.lead == left.text else left.lead,
    )


def running_lines(pages: list[list[Line]], heights: list[float]) -> set[Line]:
    """Page numbers, and lines in the margins that repeat from page to page up to their digits."""
    margin: defaultdict[str, list[Line]] = defaultdict(list)
    running: set[Line] = set()
    for lines, height in zip(pages, heights, strict=True):
        for line in lines:
            if line.y1 > _MARGIN * height and line.y0 < (1 - _MARGIN) * height:
                continue
            if _PAGE_NUMBER.fullmatch(line.text):
                running.add(line)
            margin[re.sub(r"\d+", "#", line.text).casefold()].append(line)
    for same in margin.values():
        if len({line.page for line in same}) >= _REPEATS:
            running.update(same)
    return running


def _in_columns(lines: list[Line], first_column: int) -> list[Line]:
    """Order the lines of a page: between lines across the page, the left column and then the right one."""
    lines = sorted(lines, key=lambda line: (round(line.y0), line.x0))
    gutter = gutter_of(lines)
    sides: dict[str, list[Line]] = {"both": [], "left": [], "right": []}
    for line in lines:
        sides[_side(line, gutter)].append(line)
    edges = {side: column_edges(members) for side, members in sides.items() if members}

    ordered: list[Line] = []
    column = first_column
    for across, run in groupby(lines, key=lambda line: _side(line, gutter) == "both"):
        band = list(run)
        for side in ("both",) if across else ("left", "right"):
            members = [line for line in band if _side(line, gutter) == side]
            ordered.extend(
                replace(line, column=column, column_left=edges[side][0], column_right=edges[side][1])
                for line in joined_rows(members, STRETCHED_GAP)
            )
            column += bool(members)
    return ordered


def gutter_of(lines: list[Line]) -> float | None:
    """Where the space between two columns is; None on a page with one column."""
    if not lines:
        return None
    left, right = column_edges(lines)
    width = right - left
    candidates = [left + width * (0.4 + 0.005 * step) for step in range(41)]
    crossing = [sum(line.x0 < x < line.x1 for line in lines) for x in candidates]
    fewest = min(crossing)
    best = [x for x, count in zip(candidates, crossing, strict=True) if count == fewest]
    x = best[len(best) // 2]
    on_left = sum(line.x1 <= x for line in lines)
    on_right = sum(line.x0 >= x for line in lines)
    has_two = min(on_left, on_right) >= max(3, 0.15 * len(lines)) and fewest <= 0.5 * len(lines)
    return x if has_two else None


def _side(line: Line, gutter: float | None) -> str:
    if gutter is None or line.x0 < gutter < line.x1:
        return "both"
    return "left" if line.x1 <= gutter else "right"


def column_edges(lines: list[Line]) -> tuple[float, float]:
    """Left and right edge of a column, not moved by a few outdented or overlong lines."""
    starts = Counter(round(line.x0) for line in lines)
    enough = 0.1 * len(lines)
    left = min((x for x, count in starts.items() if count >= enough), default=min(starts))
    ends = sorted(line.x1 for line in lines)
    return float(left), ends[int(0.9 * (len(ends) - 1))]
