"""Small charts as inline SVG: one for each row of a table, as wide as its cell, next to the numbers as text.

Positions are percentages, so that a chart stretches with its cell without distortion. Colours are classes of
the page's style sheet.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

_HEIGHT, _THICK = 20, 12
_TOP, _MIDDLE = (_HEIGHT - _THICK) / 2, _HEIGHT / 2
_CAP = 3
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_TICKS = 4


@dataclass(frozen=True, slots=True)
class Scale:
    """The range of an axis and its ticks."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def place(self, value: float) -> float:
        """The position of a value in per cent of the width; a value outside the range is at the edge."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 2)


UNIT = Scale(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))
"""The axis of shares and of most scores."""


def scale_of(values: Iterable[float | None]) -> Scale:
    """An axis with round ticks that holds zero and all values; 0 to 1 when there are none."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    low, high = min([0.0, *known]), max([0.0, *known])
    if low == high:
        return UNIT
    rough = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in _STEPS if power * factor >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(step * number, 10) for number in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], ticks)


def axis(scale: Scale) -> Markup:
    """The ticks of a scale with their numbers, for the head of a column of bars."""
    texts = Markup("").join(
        Markup('<text x="{}%" y="10" text-anchor="{}">{}</text>').format(
            scale.place(tick), _anchor(tick, scale), f"{tick:,.10g}"
        )
        for tick in scale.ticks
    )
    return Markup('<svg class="axis" width="100%" height="13" aria-hidden="true">{}</svg>').format(texts)


def bar(
    value: float | None, scale: Scale, said: str, low: float | None = None, high: float | None = None
) -> Markup:
    """A bar from zero to the value, with the interval from `low` to `high` where it is known."""
    drawn = _grid(scale)
    if value is not None and math.isfinite(value):
        left, right = sorted((scale.place(0.0), scale.place(value)))
        drawn += Markup('<rect class="bar" x="{}%" y="{}" width="{}%" height="{}"/>').format(
            left, _TOP, round(right - left, 2), _THICK
        )
    if low is not None and high is not None:
        drawn += _whisker(scale.place(low), scale.place(high))
    return _chart(said, drawn)


def stack(parts: Sequence[tuple[str, int]], said: str) -> Markup:
    """A bar divided in proportion to counts; each part has a class of the style sheet."""
    total = sum(count for _, count in parts)
    drawn, place = Markup(""), 0.0
    for tone, count in parts:
        share = 100 * count / total if total else 0.0
        drawn += Markup('<rect class="{}" x="{}%" y="{}" width="{}%" height="{}"/>').format(
            tone, round(place, 2), _TOP, round(share, 2), _THICK
        )
        place += share
    return _chart(said, drawn)


def dumbbell(first: float | None, second: float | None, scale: Scale, said: str) -> Markup:
    """Two values on one line, the first a full dot and the second a ring."""
    drawn = _grid(scale)
    if first is not None and second is not None:
        drawn += Markup('<line class="link" x1="{}%" x2="{}%" y1="{}" y2="{}"/>').format(
            scale.place(first), scale.place(second), _MIDDLE, _MIDDLE
        )
    for value, tone in ((first, "dot"), (second, "ring")):
        if value is not None:
            drawn += Markup('<circle class="{}" cx="{}%" cy="{}" r="5"/>').format(
                tone, scale.place(value), _MIDDLE
            )
    return _chart(said, drawn)


def _chart(said: str, drawn: Markup) -> Markup:
    return Markup('<svg class="drawn" width="100%" height="{}" role="img"><title>{}</title>{}</svg>').format(
        _HEIGHT, said, drawn
    )


def _grid(scale: Scale) -> Markup:
    return Markup("").join(
        Markup('<line class="grid" x1="{0}%" x2="{0}%" y1="0" y2="{1}"/>').format(scale.place(tick), _HEIGHT)
        for tick in scale.ticks
    )


def _whisker(left: float, right: float) -> Markup:
    ends = Markup("").join(
        Markup('<line class="whisker" x1="{0}%" x2="{0}%" y1="{1}" y2="{2}"/>').format(
            place, _MIDDLE - _CAP, _MIDDLE + _CAP
        )
        for place in (left, right)
    )
    across = Markup('<line class="whisker" x1="{}%" x2="{}%" y1="{}" y2="{}"/>').format(
        left, right, _MIDDLE, _MIDDLE
    )
    return across + ends


def _anchor(tick: float, scale: Scale) -> str:
    """Numbers at the edges stay inside the picture."""
    return {scale.low: "start", scale.high: "end"}.get(tick, "middle")
