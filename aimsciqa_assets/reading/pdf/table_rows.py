"""Which printed lines of a table are one row, and which rows are its head.

A ruled line parts rows. Where the lines of a row stand closer together than rows do, that tells rows apart;
else a line goes on the row above when all that is in it goes on the cells above: it begins in small letters,
the cell above is unfinished, or had no room for its first word.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from aimsciqa_assets.reading.pdf.table_lines import Piece, Row, Ruling, TableLine

_MOST_HEAD_LINES: Final = 9
_CLOSER: Final = 1.15
"""So many times larger is the distance of rows than that of the lines in a row, where it tells them apart."""
_ALIKE: Final = 1.12
_CONFLICTS: Final = 0.15
_GOES_ON: Final = re.compile(r"[a-z(%&+/)\]=]")
_UNFINISHED: Final = re.compile(
    r"(?:[-‐–,;/(&+]|\b(?:of|and|the|for|with|in|to|or|by|per|vs\.?|on|at|from|a|an))\Z", re.I
)
_NUMBER: Final = re.compile(r"[\W\d_]*\d[\W\d_]*(?:[a-z*†‡]{1,3})?|[-–—−]|n/?a|NR|ND", re.I)

_ITEM: Final = re.compile(r"(?:\(?\d{0,2}[a-z]?\)|\d{1,2}\.|[•·▪])\s")
_FIGURE: Final = re.compile(r"[<>=≤≥~±+−–-]?\s?\(?\d")


def head_and_body(lines: Sequence[TableLine], ruling: Ruling) -> tuple[Row, list[Row]]:
    """The lines of the head, which may be none, and the rows of the body."""
    heads = _head_lines(lines, ruling)
    body = _rows(lines[heads:], ruling)
    if not heads and len(body) > 1 and _names_columns(body[0], body[1:]):
        return body[0], body[1:]
    return list(lines[:heads]), body


def _head_lines(lines: Sequence[TableLine], ruling: Ruling) -> int:
    """How many lines stand above the first ruled line that has lines above and below it; 0 without one."""
    for at, (above, below) in enumerate(pairwise(lines), 1):
        if ruling.parts(above, below):
            has_figures = any(_is_figure(piece.text) for line in lines[:at] for piece in line.pieces)
            is_long = at > max(1, len(lines) // 2)
            return 0 if at > _MOST_HEAD_LINES or (is_long and has_figures) else at
    return 0


def _names_columns(first: Row, others: Sequence[Row]) -> bool:
    """Whether the first row has no figures, and most cells in some column below have."""
    if any(_NUMBER.fullmatch(piece.text) for line in first for piece in line.pieces):
        return False
    cells: dict[int, list[bool]] = {}
    for row in others:
        for piece in row[0].pieces:
            cells.setdefault(piece.first, []).append(bool(_NUMBER.fullmatch(piece.text)))
    return any(2 * sum(numbers) > len(others) for numbers in cells.values())


def _rows(lines: Sequence[TableLine], ruling: Ruling) -> list[Row]:
    if not lines:
        return []
    boxed = ruling.boxed and len(ruling.full) >= 4
    rights: dict[int, float] = {}
    for line in lines:
        for piece in line.pieces:
            if piece.first == piece.last:
                rights[piece.first] = max(rights.get(piece.first, 0.0), piece.x1)
    closest = None if boxed else _closest(lines, ruling)
    rows: list[Row] = [[lines[0]]]
    for above, line in pairwise(lines):
        if ruling.parts(above, line):
            goes_on = False
        elif boxed:
            goes_on = not _has_figures_below(above, line)
        elif closest is not None:
            goes_on = line.middle - above.middle <= closest
        else:
            goes_on = _goes_on(rows[-1], line, rights)
        if goes_on:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _closest(lines: Sequence[TableLine], ruling: Ruling) -> float | None:
    """Up to which distance lines are of one row, where distances tell; they do not where rows would have
    figures below figures.
    """
    pairs = [(above, line) for above, line in pairwise(lines) if not ruling.parts(above, line)]
    steps = sorted(line.middle - above.middle for above, line in pairs)
    ratios = [(b / a, a) for a, b in pairwise(steps) if a > 0]
    if not ratios:
        return None
    ratio, last = max(ratios)
    close = [step for step in steps if step <= last]
    usual = median(close)
    if ratio < _CLOSER or close[-1] > _ALIKE * usual or usual > 2 * median(line.height for line in lines):
        return None
    joined = [(above, line) for above, line in pairs if line.middle - above.middle <= last]
    conflicts = sum(_is_row_of_its_own(above, line) for above, line in joined)
    return last + 0.01 if conflicts <= _CONFLICTS * len(joined) else None


def _is_row_of_its_own(above: TableLine, line: TableLine) -> bool:
    """Whether a line has figures below figures, or begins anew in all columns of the line above."""
    if _has_figures_below(above, line):
        return True
    cells = {piece.first for piece in above.pieces}
    anew = {piece.first for piece in line.pieces if not _GOES_ON.match(piece.text)}
    return len(anew) > 1 and anew >= cells


def _has_figures_below(above: TableLine, line: TableLine) -> bool:
    cells = {piece.first: piece for piece in above.pieces}
    return any(_are_figures(cells[piece.first], piece) for piece in line.pieces if piece.first in cells)


def _are_figures(above: Piece, piece: Piece) -> bool:
    """Whether both are figures, so that the lower one goes not on the upper one."""
    if _UNFINISHED.search(above.text):
        return False
    return _is_figure(above.text) and _is_figure(piece.text)


def _is_figure(text: str) -> bool:
    """Whether a cell is a figure, as "2.31 ± 0.04" and "19.5 to 312.5" are."""
    digits, letters = sum(map(str.isdigit, text)), sum(map(str.isalpha, text))
    return bool(_NUMBER.fullmatch(text) or (_FIGURE.match(text) and digits >= letters))


def _goes_on(row: Row, line: TableLine, rights: Mapping[int, float]) -> bool:
    """Whether everything in a line goes on the cells of a row."""
    cells: dict[int, Piece] = {}
    for one in row:
        cells.update({piece.first: piece for piece in one.pieces})
    if any(
        piece.first not in cells
        or piece.first < piece.last
        or _ITEM.match(piece.text)
        or _are_figures(cells[piece.first], piece)
        for piece in line.pieces
    ):
        return False
    by_words = [
        bool(_GOES_ON.match(piece.text) or _UNFINISHED.search(cells[piece.first].text))
        for piece in line.pieces
    ]
    by_room = [_had_no_room(cells[piece.first], piece, rights) for piece in line.pieces]
    if line.pieces[0].first > 0:
        return 2 * sum(map(any, zip(by_words, by_room, strict=True))) >= len(by_words)
    if len(line.pieces) == 1:
        return by_words[0] and by_room[0]
    return (by_words[0] or by_room[0]) and all(by_words[1:]) and len(line.pieces) < len(cells)


def _had_no_room(above: Piece, piece: Piece, rights: Mapping[int, float]) -> bool:
    """Whether the first word of a piece did not fit behind the cell above."""
    right = rights.get(piece.first, above.x1)
    first = piece.words[0].box
    return len(above.words) > 1 and above.x1 + 0.25 * first.height + first.width > right + 0.5
