"""Finds the numbers that a manuscript prints in front of its lines, or behind them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median
from typing import Final

from aimsciqa_assets.reading.pdf.boxes import Box, Word

_NUMBER: Final = re.compile(r"\d{1,4}")
_STEPS: Final = (1, 2, 5, 10)
_FEWEST: Final = 5
_APART: Final = 3.0
"""The most points between the edges of numbers in a column, and between the middles of words in a row."""
_IN_ORDER: Final = 0.8
"""The least share of numbers that follow the number above by the usual step."""
_BESIDE: Final = 0.6
"""The least share of rows with a number, if the manuscript numbers every line."""
_INDENT: Final = 30.0
"""Rows of a column of text begin, or end, at most so many points farther from the numbers than usual."""
_CROSSING: Final = 0.1
"""The most rows, as a share, that have no number but other words in the column of the numbers."""


@dataclass(frozen=True, slots=True)
class _Number:
    """A printed number, and the place of its page in the paper."""

    place: int
    word: Word

    @property
    def value(self) -> int:
        """The number itself."""
        return int(self.word.text)


def line_numbers(pages: Sequence[Sequence[Word]]) -> list[list[Box]]:
    """Return for each page, given by its words, the boxes of the numbers that count its lines."""
    numbers = [
        _Number(place, word)
        for place, words in enumerate(pages)
        for word in words
        if _NUMBER.fullmatch(word.text)
    ]
    boxes: list[set[Box]] = [set() for _ in pages]
    for column in _columns(numbers):
        if 2 * len({number.place for number in column}) >= len(pages) and _count_lines(column, pages):
            for number in column:
                boxes[number.place].add(number.word.box)
    return [sorted(some, key=lambda box: box.y0) for some in boxes]


def _columns(numbers: Sequence[_Number]) -> Iterator[list[_Number]]:
    """Columns of numbers: those with one left edge, and those with one right edge."""
    for edge in ("x0", "x1"):
        column: list[_Number] = []
        for number in sorted(numbers, key=lambda number: float(getattr(number.word.box, edge))):
            if column and getattr(number.word.box, edge) - getattr(column[-1].word.box, edge) > _APART:
                yield column
                column = []
            column.append(number)
        yield column


def _count_lines(column: Sequence[_Number], pages: Sequence[Sequence[Word]]) -> bool:
    """Whether numbers count the rows of text, in a column that holds nothing else."""
    ordered = sorted(column, key=lambda number: (number.place, number.word.box.y0))
    steps = Counter(b.value - a.value for a, b in pairwise(ordered) if a.place == b.place)
    step = max(steps, key=lambda width: steps[width], default=0)
    if len(column) < _FEWEST or step not in _STEPS or steps[step] < _IN_ORDER * steps.total():
        return False
    left, right = min(n.word.box.x0 for n in column), max(n.word.box.x1 for n in column)
    rows: list[tuple[list[Word], bool]] = []
    for place in {number.place for number in column}:
        own = [number.word for number in column if number.place == place]
        rows += [
            (row, any(abs(row[0].box.middle - word.box.middle) <= _APART for word in own))
            for row in _rows([word for word in pages[place] if word not in own])
        ]
    crossing = sum(
        not is_numbered and any(word.box.x0 < right and word.box.x1 > left for word in row)
        for row, is_numbered in rows
    )
    behind = [(_nearest(word.box.x0 - right for word in row), is_numbered) for row, is_numbered in rows]
    before = [(_nearest(left - word.box.x1 for word in row), is_numbered) for row, is_numbered in rows]
    return crossing <= _CROSSING * len(rows) and any(_is_counted(side, step) for side in (behind, before))


def _nearest(distances: Iterable[float]) -> float:
    """The distance of the nearest word on one side of the numbers, in points; infinite without a word."""
    return min((distance for distance in distances if distance >= 0), default=inf)


def _is_counted(rows: Sequence[tuple[float, bool]], step: int) -> bool:
    """Whether enough rows of the text next to the numbers have one.

    A row is the distance of its nearest word, and whether it has a number. Rows farther away are those of
    another column.
    """
    usual = median([distance for distance, is_numbered in rows if is_numbered] or [inf])
    beside = [is_numbered for distance, is_numbered in rows if distance <= usual + _INDENT]
    return sum(beside) * step >= max(_FEWEST, _BESIDE * len(beside))


def _rows(words: Sequence[Word]) -> list[list[Word]]:
    """The rows of words, from top to bottom."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.box.middle):
        if rows and word.box.middle - rows[-1][0].box.middle <= _APART:
            rows[-1].append(word)
        else:
            rows.append([word])
    return rows
