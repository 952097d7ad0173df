"""The words of a table -> HTML with its cells: along ruled lines where there are any, else along gutters.

Every word of the region stands in the HTML, whatever was recognised. Two cells that a ruled frame joins are
not told apart here: each cell is one row and one column.
"""

import re
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from statistics import median

from aimsciqa_assets.airqa.pdf.pages import Box, Word
from aimsciqa_assets.text.combining import unstacked

_FEWEST_GUTTER = 4.0
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


def table_html(words: Sequence[Word], rules: Sequence[Box], region: Box, notes: str = "") -> str:
    """The table in a region as HTML; `notes` printed below it become its foot."""
    inside = [word for word in words if region.holds(*_middle(word.box))]
    rows = table_rows(inside, [rule for rule in rules if region.shared(_grown(rule)) > 0], region)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    foot = f"<tfoot><tr><td>{escape(notes)}</td></tr></tfoot>" if notes else ""
    return f"<table>{body}{foot}</table>"


def table_rows(words: Sequence[Word], rules: Sequence[Box], region: Box) -> list[list[str]]:
    """The cells of a table, row by row; all rows have the same number of cells."""
    if not words:
        return []
    lines = _lines(words)
    xs = _ruled([rule for rule in rules if rule.height > rule.width], region, upright=True)
    ys = _ruled([rule for rule in rules if rule.width >= rule.height], region, upright=False)
    columns = list(pairwise(xs)) if len(xs) >= 3 else _columns(lines)
    frames = list(pairwise(ys)) if len(ys) >= 4 and len(xs) >= 3 else []
    rows = _rows_in_frames(lines, frames) if frames else [[line] for line in lines]
    return [[_text(cell) for cell in _cells(row, columns)] for row in rows]


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


def _ruled(rules: Sequence[Box], region: Box, *, upright: bool) -> list[float]:
    """Positions of ruled lines across the table, with its own edges."""
    length = region.height if upright else region.width
    positions: list[tuple[float, float]] = []
    for rule in rules:
        at = (rule.x0 + rule.x1) / 2 if upright else (rule.y0 + rule.y1) / 2
        positions.append((at, rule.height if upright else rule.width))
    merged: list[list[float]] = []
    for at, long in sorted(positions):
        if merged and at - merged[-1][0] < 3:
            merged[-1][1] += long
        else:
            merged.append([at, long])
    found = [at for at, long in merged if long >= 0.5 * length]
    if not found:
        return []
    first, last = (region.x0, region.x1) if upright else (region.y0, region.y1)
    if found[0] - first > 5:
        found.insert(0, first - 2)
    if last - found[-1] > 5:
        found.append(last + 2)
    return found


def _columns(lines: Sequence[Sequence[Word]]) -> list[tuple[float, float]]:
    """Columns between the gutters, where hardly a line has a word: headings may stand across columns."""
    full = [line for line in lines if len(_pieces(line)) > 1] or list(lines)
    left, right = min(line[0].box.x0 for line in full), max(line[-1].box.x1 for line in full)
    crossing = [0] * (int(right - left) + 2)
    for line in full:
        for x0, x1 in _pieces(line):
            for x in range(int(x0 - left), min(len(crossing), int(x1 - left) + 1)):
                crossing[x] += 1
    allowed = len(full) // 8
    gutters: list[tuple[int, int]] = []
    start = None
    for x, count in enumerate(crossing):
        if count <= allowed:
            start = x if start is None else start
        elif start is not None:
            gutters.append((start, x))
            start = None
    middles = [left + (a + b) / 2 for a, b in gutters if a > 0 and b - a >= _FEWEST_GUTTER]
    return list(pairwise([left - 1, *middles, right + 1]))


def _pieces(line: Sequence[Word]) -> list[tuple[float, float]]:
    """Runs of words with normal spaces between them: (left, right)."""
    pieces = [(line[0].box.x0, line[0].box.x1)]
    for word in line[1:]:
        if word.box.x0 - pieces[-1][1] < 0.45 * word.box.height:
            pieces[-1] = (pieces[-1][0], max(pieces[-1][1], word.box.x1))
        else:
            pieces.append((word.box.x0, word.box.x1))
    return pieces


def _rows_in_frames(
    lines: Sequence[list[Word]], frames: Sequence[tuple[float, float]]
) -> list[list[list[Word]]]:
    """Lines of one ruled row together."""
    rows: list[list[list[Word]]] = []
    last = None
    for line in lines:
        middle = _middle(line[0].box)[1]
        at = next((n for n, (top, bottom) in enumerate(frames) if top <= middle <= bottom), None)
        if rows and at is not None and at == last:
            rows[-1].append(line)
        else:
            rows.append([line])
        last = at
    return rows


def _cells(row: Sequence[Sequence[Word]], columns: Sequence[tuple[float, float]]) -> list[list[Word]]:
    cells: list[list[Word]] = [[] for _ in columns]
    for line in row:
        for word in line:
            x = _middle(word.box)[0]
            at = next((n for n, (_, right) in enumerate(columns) if x <= right), len(columns) - 1)
            cells[at].append(word)
    return cells


def _text(cell: Sequence[Word]) -> str:
    return unstacked(_UNWANTED.sub("", " ".join(word.text for word in cell)))


def _middle(box: Box) -> tuple[float, float]:
    return (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2


def _grown(rule: Box) -> Box:
    return Box(rule.x0 - 1, rule.y0 - 1, rule.x1 + 1, rule.y1 + 1)
