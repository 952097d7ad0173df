"""The words of a table -> HTML with its cells: along ruled lines where there are any, else along gutters.

Every word of the region stands in the HTML, whatever was recognised. Cells of the head are `<th>`; what is
printed across several columns has a `colspan`. Lines into which a cell was broken are one row
(`table_rows.py`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby, pairwise
from statistics import median

from aimsciqa_assets.reading.pdf.boxes import Box, Word
from aimsciqa_assets.reading.pdf.table_heads import head_rows
from aimsciqa_assets.reading.pdf.table_lines import Columns, Piece, Ruling, TableLine, in_one_line
from aimsciqa_assets.reading.pdf.table_rows import head_and_body
from aimsciqa_assets.text.combining import unstacked

_FEWEST_GUTTER = 4.0
_NARROWEST = 2.0
_SPACE = 0.45
"""A space of so many heights of a word parts cells; a smaller one parts words."""
_TIGHT_SPACE = 0.35
"""So small a space is one between words, even where a gutter runs through it."""
_BETWEEN_FIGURES = 0.2
"""Figures without a unit between them are cells of their own, however close they stand."""
_FIGURE = re.compile(r"[−–-]?\d+(?:[.,]\d+)*[*†‡∗%]{0,3}")
_REACH = 0.5
_MANY = 8
"""Where so many lines have no word, columns part, however narrow the space is."""
_NARROW = 0.3
"""A line of one cell that is wider, as a share of the table, may be a heading across columns."""
_OPEN = re.compile(r"[^\W\d_]/\Z|\d[–/]\Z")
"""The end of a line after which no space is missing: "mmol/", "20–"."""
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell over so many columns."""

    text: str
    span: int = 1


def table_html(words: Sequence[Word], rules: Sequence[Box], region: Box, notes: str = "") -> str:
    """The table in a region as HTML; `notes` printed below it become its foot."""
    inside = [word for word in words if region.holds(*_middle(word.box))]
    head, body = table_rows(inside, [rule for rule in rules if region.shared(_grown(rule)) > 0], region)
    rows = "".join(_row(row, "th") for row in head) + "".join(_row(row, "td") for row in body)
    foot = f"<tfoot><tr><td>{escape(notes)}</td></tr></tfoot>" if notes else ""
    return f"<table>{rows}{foot}</table>"


def _row(cells: Sequence[Cell], name: str) -> str:
    spans = (f' colspan="{cell.span}"' if cell.span > 1 else "" for cell in cells)
    inner = "".join(
        f"<{name}{span}>{escape(cell.text)}</{name}>" for cell, span in zip(cells, spans, strict=True)
    )
    return f"<tr>{inner}</tr>"


def table_rows(
    words: Sequence[Word], rules: Sequence[Box], region: Box
) -> tuple[list[list[Cell]], list[list[Cell]]]:
    """The rows of the head and those of the body; the spans of every row make the same number of columns."""
    if not words:
        return [], []
    lines = _lines(words)
    xs = _ruled([rule for rule in rules if rule.height > rule.width], region)
    edges = min(line[0].box.x0 for line in lines), max(line[-1].box.x1 for line in lines)
    ruling = Ruling.of([rule for rule in rules if rule.width >= rule.height], edges, boxed=len(xs) >= 3)
    below = [line for line in lines if _middle(line[0].box)[1] > _under_head(lines, ruling)]
    divided = [_columns(some, xs if len(xs) >= 3 else ()) for some in (below, lines) if some]
    columns = max(divided, key=lambda one: len({at for line in below or lines for at in _starts(line, one)}))
    filled = [one for one in columns if any(_is_between(word, one) for word in words)]
    columns = _without_crossed(filled, [_placed(line, filled) for line in lines])
    placed = in_one_line([TableLine(_placed(line, columns)) for line in lines])
    head, body = head_and_body(placed, ruling)
    heads = head_rows(head, columns, ruling) if head else []
    return [_cells(row, columns) for row in heads], [_cells(row, columns) for row in body]


def _lines(words: Sequence[Word]) -> list[list[Word]]:
    """Words that stand on one line, from top to bottom, each line from left to right."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda one: (_middle(one.box)[1], one.box.x0)):
        middle = _middle(word.box)[1]
        if lines and _on_line(lines[-1], middle, word):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda one: one.box.x0) for line in lines]


def _on_line(line: Sequence[Word], middle: float, word: Word) -> bool:
    low, high = min(one.box.y0 for one in line), max(one.box.y1 for one in line)
    usual = median(_middle(one.box)[1] for one in line)
    return low <= middle <= high and abs(middle - usual) < 0.6 * min(word.box.height, high - low)


def _ruled(rules: Sequence[Box], region: Box) -> list[float]:
    """Positions of ruled lines down the table, with its own edges."""
    merged: list[list[float]] = []
    for at, long in sorted(((rule.x0 + rule.x1) / 2, rule.height) for rule in rules):
        if merged and at - merged[-1][0] < 3:
            merged[-1][1] += long
        else:
            merged.append([at, long])
    found = [at for at, long in merged if long >= 0.5 * region.height]
    if not found:
        return []
    if found[0] - region.x0 > 5:
        found.insert(0, region.x0 - 2)
    if region.x1 - found[-1] > 5:
        found.append(region.x1 + 2)
    return found


def _starts(line: Sequence[Word], columns: Columns) -> set[int]:
    return {piece.first for piece in _placed(line, columns)}


def _is_between(word: Word, column: tuple[float, float]) -> bool:
    return column[0] <= _middle(word.box)[0] <= column[1]


def _without_crossed(columns: Columns, placed: Sequence[Sequence[Piece]]) -> list[tuple[float, float]]:
    """The columns without the gutters that more lines cross than have cells on both sides."""
    kept = [columns[0]]
    for at, column in enumerate(columns[1:]):
        across = sum(any(piece.first <= at < piece.last for piece in line) for line in placed)
        apart = sum(
            any(piece.last == at for piece in line) and any(piece.first == at + 1 for piece in line)
            for line in placed
        )
        if across > apart:
            kept[-1] = (kept[-1][0], column[1])
        else:
            kept.append(column)
    return kept


def _under_head(lines: Sequence[Sequence[Word]], ruling: Ruling) -> float:
    """The height of the first ruled line that has words above it."""
    top = _middle(lines[0][0].box)[1]
    return next((y for y in ruling.full if y > top), top)


def _columns(lines: Sequence[Sequence[Word]], xs: Sequence[float]) -> list[tuple[float, float]]:
    """Columns between ruled lines, if there are any, and between gutters, where hardly a line has a word.

    Between ruled lines, a gutter counts where most lines have words on both of its sides.
    """
    left = min([line[0].box.x0 for line in lines] + list(xs[:1]))
    right = max([line[-1].box.x1 for line in lines] + list(xs[-1:]))
    gutters = _gutters(lines, left, right)
    if not xs:
        return list(pairwise([left - 1, *gutters, right + 1]))
    inner = [
        x
        for first, last in pairwise(xs)
        for x in gutters
        if first + 3 < x < last - 3 and _has_both_sides(lines, first, x, last)
    ]
    return list(pairwise(sorted((*xs, *inner))))


def _has_both_sides(lines: Sequence[Sequence[Word]], first: float, x: float, last: float) -> bool:
    within = [[word for word in line if first <= _middle(word.box)[0] <= last] for line in lines]
    filled = [line for line in within if line]
    both = sum(line[0].box.x1 <= x <= line[-1].box.x0 for line in filled)
    return 2 * both > len(filled)


def _gutters(lines: Sequence[Sequence[Word]], left: float, right: float) -> list[float]:
    full = [
        line
        for line in lines
        if len(_pieces(line)) > 1 or line[-1].box.x1 - line[0].box.x0 < _NARROW * (right - left)
    ] or list(lines)
    by_pieces, by_words = [0] * (int(right - left) + 2), [0] * (int(right - left) + 2)
    for line in full:
        for piece in _pieces(line):
            _count(by_pieces, piece[0].box.x0 - left, max(word.box.x1 for word in piece) - left)
            for word in piece:
                _count(by_words, word.box.x0 - left, word.box.x1 - left)
    allowed = len(full) // 8
    free = [
        pieces <= allowed or (not words and len(full) >= _MANY)
        for pieces, words in zip(by_pieces, by_words, strict=True)
    ]
    gutters: list[float] = []
    start = 0
    for is_free, run in groupby(range(len(free)), key=lambda x: free[x]):
        count = len(list(run))
        end = start + count
        is_empty = not any(by_pieces[start:end]) or (not any(by_words[start:end]) and len(full) >= _MANY)
        if (
            is_free
            and start > 0
            and end < len(free)
            and count >= (_NARROWEST if is_empty else _FEWEST_GUTTER)
        ):
            gutters.append(left + (start + end) / 2)
        start = end
    return gutters


def _count(crossing: list[int], x0: float, x1: float) -> None:
    for x in range(int(x0), min(len(crossing), int(x1) + 1)):
        crossing[x] += 1


def _pieces(line: Sequence[Word], columns: Columns = ()) -> list[list[Word]]:
    """Runs of words with normal spaces between them; where a gutter runs, a space must be a small one."""
    pieces = [[line[0]]]
    for word in line[1:]:
        end = max(one.box.x1 for one in pieces[-1])
        in_gutter = any(end - 1 <= right <= word.box.x0 + 1 for _, right in columns[:-1])
        two_figures = _FIGURE.fullmatch(pieces[-1][-1].text) and _FIGURE.fullmatch(word.text)
        widest = _BETWEEN_FIGURES if two_figures else _TIGHT_SPACE if in_gutter else _SPACE
        if word.box.x0 - end < widest * word.box.height:
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return pieces


def _placed(line: Sequence[Word], columns: Columns) -> list[Piece]:
    """The pieces of a line in their columns; those of the same column are one."""
    placed: list[Piece] = []
    for words in _pieces(line, columns):
        x0, x1 = words[0].box.x0, max(word.box.x1 for word in words)
        reached = [
            at
            for at, (left, right) in enumerate(columns)
            if min(x1, right) - max(x0, left) > _REACH * min(x1 - x0, right - left)
        ]
        if not reached:
            middle = (x0 + x1) / 2
            reached = [
                next((at for at, (_, right) in enumerate(columns) if middle <= right), len(columns) - 1)
            ]
        piece = Piece(reached[0], reached[-1], words)
        if placed and placed[-1].last >= piece.first:
            before = placed.pop()
            piece = Piece(before.first, max(before.last, piece.last), [*before.words, *words])
        placed.append(piece)
    return placed


def _cells(row: Sequence[TableLine], columns: Columns) -> list[Cell]:
    """The cells of a row, empty ones included."""
    starts = {piece.first for line in row for piece in line.pieces}
    by_start: dict[int, tuple[int, list[Sequence[Word]]]] = {}
    for line in row:
        for piece in line.pieces:
            last = min([piece.last, *(start - 1 for start in starts if start > piece.first)])
            before, words = by_start.get(piece.first, (piece.first, []))
            by_start[piece.first] = (max(before, last), [*words, piece.words])
    cells: list[Cell] = []
    at = 0
    while at < len(columns):
        last, words = by_start.get(at, (at, []))
        cells.append(Cell(_text(words), last - at + 1))
        at = last + 1
    return cells


def _text(lines: Sequence[Sequence[Word]]) -> str:
    """The lines of a cell as one; a word that was cut at the end of a line is made whole."""
    text = ""
    for words in lines:
        line = " ".join(word.text for word in words)
        cut = re.search(r"[^\W\d_]{2}[-\u00ad\u2010]\Z", text) and re.match(r"[a-z]{2}", line)
        if cut:
            text = text[:-1] + line
        else:
            text += line if _OPEN.search(text) else f" {line}"
    return unstacked(_UNWANTED.sub("", text.strip()))


def _middle(box: Box) -> tuple[float, float]:
    return (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2


def _grown(rule: Box) -> Box:
    return Box(rule.x0 - 1, rule.y0 - 1, rule.x1 + 1, rule.y1 + 1)
