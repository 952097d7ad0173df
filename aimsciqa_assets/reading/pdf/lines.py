"""The printed lines of a page: their text and print, which belong to one row, and which are running heads."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
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
STRETCHED_GAP = 3.0
"""The widest gap between words of a line that is stretched to the width of its column, in font sizes."""
_RAISED = 0.12
"""Superscripts are higher than their line by this share of its font size, and smaller than `_RAISED_SIZE`."""
_RAISED_SIZE = 0.9
_SIGNED = re.compile(r"[-−–+]\s?\w+(?:[./]\w+)?|\d*[-−–+]")
_NUMBERS = re.compile(
    r"(?:\(?refs?\.?\s?)?\[?\d{1,3}[a-z]?(?:\s?(?:[,;–−·&-]|and|to)\s?(?:\d{1,3}[a-z]?|[*†‡§¶]))*\]?\)?[,.;]?"
)
_POWER = re.compile(
    r"(?:(?<![\d.,])10\^\d+(?:\.\d+)?"
    r"|(?<![^\W_])(?:[^\W\d_]|[kcdmµμn]m|ft|yd|kg|mg|min|sec|hr|hours?|mol|ha)\^\d(?:\.\d+)?)\Z"
)
"""A number whose raised part is an exponent: of ten, or one digit behind a variable or a unit."""
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


def printed_line(raw: dict[str, Any], page: int) -> Line | None:
    """A line of pymupdf's "dict" output; None when it is empty or not horizontal."""
    spans = [span for span in raw["spans"] if span["text"].strip()]
    text = unstacked(_joined_spans(raw["spans"]))
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
        lead=_joined_spans([*takewhile(_is_bold, spans)]),
    )


def _joined_spans(spans: Sequence[Mapping[str, Any]]) -> str:
    """The text of a line; small capitals stand right behind their first letter ("I NTRODUCTION")."""
    text, raised, size = "", "", 0.0
    base = max(spans, key=lambda span: (sum(map(str.isalpha, span["text"])), span["size"]), default=None)
    for span in spans:
        printed = span["text"]
        if base is not None and _is_raised(span, base):
            raised += printed
            continue
        if raised:
            text, raised = with_raised(text, raised, printed), ""
        is_smaller = 0.6 * size < span["size"] < 0.9 * size
        if is_smaller and _INITIAL.search(text) and _CAPITALS.match(printed):
            text, printed = text.rstrip(), printed.lstrip()
        text += printed
        size = span["size"] if printed.strip() else size
    return " ".join(with_raised(text, raised).split())


def _is_raised(span: Mapping[str, Any], base: Mapping[str, Any]) -> bool:
    """Whether a span is a superscript of the line whose span with the most letters is `base`."""
    if span["size"] >= _RAISED_SIZE * base["size"] or not span["text"].strip():
        return False
    return bool(span["origin"][1] < base["origin"][1] - _RAISED * base["size"])


def with_raised(text: str, raised: str, following: str = "") -> str:
    """Return a text with the superscript behind it: exponents as "10^6", marks of references after a space.

    Letters and signs ("1st", "®") and numbers before a word ("13C") stay as they are.
    """
    mark = raised.strip()
    if not mark or not text or text[-1].isspace():
        return text + raised
    power = f"{text}^{mark}"
    if (_SIGNED.fullmatch(mark) and text[-1].isalnum()) or _POWER.search(power):
        return power
    if _NUMBERS.fullmatch(mark):
        return f"{text} {mark}" + (" " if following[:1].isalnum() else "")
    return text + raised


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
    gap = right.x0 - left.x1
    is_raised = right.size < _RAISED_SIZE * left.size and right.y1 < left.y1 - _RAISED * left.size
    main = left if len(left.text) >= len(right.text) else right
    return Line(
        text=with_raised(left.text, right.text)
        if is_raised and gap < 0.3 * left.size
        else left.text + (" " if gap > 0.1 * left.size else "") + right.text,
        page=left.page,
        x0=left.x0,
        y0=min(left.y0, right.y0),
        x1=max(left.x1, right.x1),
        y1=max(left.y1, right.y1),
        size=main.size,
        bold=left.bold and right.bold,
        lead=f"{left.lead} {right.lead}".strip() if left.lead == left.text else left.lead,
    )


def is_in_margin(line: Line, height: float) -> bool:
    """Return whether a line stands at the top or at the bottom of a page so high."""
    return line.y1 <= _MARGIN * height or line.y0 >= (1 - _MARGIN) * height


def running_lines(pages: list[list[Line]], heights: list[float]) -> set[Line]:
    """Page numbers, and lines in the margins that repeat from page to page up to their digits."""
    margin: defaultdict[str, list[Line]] = defaultdict(list)
    running: set[Line] = set()
    for lines, height in zip(pages, heights, strict=True):
        for line in lines:
            if not is_in_margin(line, height):
                continue
            if _PAGE_NUMBER.fullmatch(line.text):
                running.add(line)
            margin[re.sub(r"\d+", "#", line.text).casefold()].append(line)
    for same in margin.values():
        if len({line.page for line in same}) >= _REPEATS:
            running.update(same)
    return running


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


def column_edges(lines: list[Line]) -> tuple[float, float]:
    """Left and right edge of a column, not moved by a few outdented or overlong lines."""
    starts = Counter(round(line.x0) for line in lines)
    enough = 0.1 * len(lines)
    left = min((x for x, count in starts.items() if count >= enough), default=min(starts))
    ends = sorted(line.x1 for line in lines)
    return float(left), ends[int(0.9 * (len(ends) - 1))]
