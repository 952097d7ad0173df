"""The printed characters of a formula in the order in which one reads them.

Fractions are written on one line, numerator first, each in brackets where it has several parts; the limits
of sums follow their sign; the number of an equation stands at the end.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from aimsciqa_assets.reading.pdf.boxes import Box, Word, around

_NUMBER: Final = re.compile(r"\((?:[A-Z]?\.?\d{1,3}(?:[.–-]\d{1,3})?[a-z]?)\)")
_OPERATOR: Final = re.compile(r"[∑∏∫⋃⋂⨁]|(?:arg)?(?:max|min)|lim|sup|inf")
_UNWANTED: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_NEAR: Final = 0.8
"""So many heights of a word lie at most between the bar of a fraction and what stands above or below it."""
_SHORTEST_BAR: Final = 3.0


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of a formula, as text."""

    text: str
    box: Box

    @property
    def middle(self) -> tuple[float, float]:
        """The point in its middle."""
        return (self.box.x0 + self.box.x1) / 2, (self.box.y0 + self.box.y1) / 2


def formula_text(words: Sequence[Word], rules: Sequence[Box], region: Box) -> str:
    """The formula in a region, of the words and ruled lines of its page; empty without words."""
    parts = [
        _Part(_UNWANTED.sub("", word.text), word.box)
        for word in words
        if region.holds((word.box.x0 + word.box.x1) / 2, (word.box.y0 + word.box.y1) / 2)
    ]
    if not parts:
        return ""
    height = median(part.box.height for part in parts)
    numbers = _numbers(parts)
    parts = [part for part in parts if part not in numbers]
    bars = [
        rule
        for rule in rules
        if rule.width > max(_SHORTEST_BAR, rule.height) and region.holds(*_Part("", rule).middle)
    ]
    for bar in sorted(bars, key=lambda one: one.width):
        parts = _with_fraction(parts, bar, height)
    parts = _with_limits(parts, height)
    rows = [" ".join(part.text for part in sorted(row, key=lambda one: one.box.x0)) for row in _rows(parts)]
    return " ".join([*rows, *(number.text for number in numbers)])


def _numbers(parts: Sequence[_Part]) -> list[_Part]:
    """The numbers of the equation, at its right edge."""
    found = [part for part in parts if _NUMBER.fullmatch(part.text)]
    others = [part.box.x1 for part in parts if part not in found]
    return [part for part in found if others and part.box.x0 > max(others)]


def _with_fraction(parts: list[_Part], bar: Box, height: float) -> list[_Part]:
    """The parts, with those above and below a bar as one; a bar that has no two sides is none."""
    over = [part for part in parts if bar.x0 - 2 <= part.middle[0] <= bar.x1 + 2]
    above = [p for p in over if p.middle[1] < bar.y0 and bar.y0 - p.box.y1 < _NEAR * height]
    below = [p for p in over if p.middle[1] > bar.y1 and p.box.y0 - bar.y1 < _NEAR * height]
    if not above or not below:
        return parts
    sides = [" ".join(part.text for row in _rows(side) for part in row) for side in (above, below)]
    text = " / ".join(f"({side})" if re.search(r"[\s/+−-]", side) else side for side in sides)
    rest = [part for part in parts if part not in above and part not in below]
    return [*rest, _Part(text, around([bar, *(part.box for part in (*above, *below))]))]


def _with_limits(parts: list[_Part], height: float) -> list[_Part]:
    """The parts, with small print above and below a sign of sum behind that sign."""
    for sign in [part for part in parts if _OPERATOR.fullmatch(part.text)]:
        limits = [
            part
            for part in parts
            if part is not sign
            and part.box.height < 0.9 * height
            and sign.box.x0 - height <= part.middle[0] <= sign.box.x1 + height
            and not sign.box.y0 + 0.35 * sign.box.height
            < part.middle[1]
            < sign.box.y1 - 0.35 * sign.box.height
        ]
        limits.sort(key=lambda one: (-round(one.middle[1]), one.box.x0))
        text = " ".join(part.text for part in (sign, *limits))
        parts = [part for part in parts if part not in limits and part is not sign]
        parts.append(_Part(text, sign.box))
    return parts


def _rows(parts: Sequence[_Part]) -> list[list[_Part]]:
    """Parts that stand on one line, from top to bottom, each from left to right."""
    rows: list[list[_Part]] = []
    for part in sorted(parts, key=lambda one: -one.box.height):
        at = next((row for row in rows if row[0].box.y0 <= part.middle[1] <= row[0].box.y1), None)
        if at is None:
            rows.append([part])
        else:
            at.append(part)
    rows.sort(key=lambda row: row[0].middle[1])
    return [sorted(row, key=lambda one: one.box.x0) for row in rows]
