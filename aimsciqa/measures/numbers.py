"""Numbers in text: what a quote, an answer or a table cell states, as floats."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite

_NUMBER = re.compile(
    r"""
    (?P<sign>(?<![\w.,)\]%])[-−–](?=\d|[.·]\d))?      # a dash between two numbers is a range
    (?P<digits>
        \d{1,3}(?:[,\u2009\u202f\u00a0]\d{3})+(?!\d)(?:[.·]\d+)?
        | \d+(?:[.·]\d+)?
        | (?<!\d)[.·]\d+
    )
    (?P<power>\s?[×x*]\s?10\s?\^?\s?\(?(?P<exponent>[-−–]?\d{1,3})\)?)?
    """,
    re.VERBOSE,
)
_RANGE = re.compile(r"\s*(?:to|and|[-−–‐‑—,;])\s*", re.IGNORECASE)
_OF = re.compile(r"([\d,.\s]{0,30}\d)\s{0,9}(?:of|/|out of|from)\s{0,9}([\d,.\s]{0,30}\d)", re.IGNORECASE)
_DASHES = str.maketrans({"−": "-", "–": "-"})


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text: its value, `text[start:end]`, and the power of ten of its last digit."""

    value: float
    start: int
    end: int
    place: int

    def rounds(self, value: float) -> bool:
        """Say whether it is a value rounded to its last digit; a tie may go either way."""
        # A little more than half a unit, because floats are not exact.
        return abs(self.value - value) <= 0.5 * float(f"1e{self.place}") + 1e-9 * max(1.0, abs(value))


def numbers_in(text: str) -> Iterator[Number]:
    """Yield each number of a text: "1,234", "0·45", "−0.5", "2.5 × 10^6".

    A dash after a digit, as in "12-15", is a range and no sign. A number within a word ("PM2.5", "T3") is
    part of a name and left out. So is a number that is too large for a float.
    """
    for match in _NUMBER.finditer(text):
        before = text[match.start() - 1 : match.start()]
        if before and (before.isalpha() or before == "_"):
            continue
        value = _value(match)
        if isfinite(value):
            yield Number(value, match.start(), match.end(), _place(match))


def number_of(text: str) -> float | None:
    """Return the only number of a text, or None if it has none or several."""
    values = [number.value for number in numbers_in(text)]
    return values[0] if len(values) == 1 else None


def has_numbers(text: str, value: str) -> bool:
    """Say whether a text has each number of a value, whatever its sign."""
    there = {abs(number.value) for number in numbers_in(text)}
    return there.issuperset(abs(number.value) for number in numbers_in(value))


def interval_of(text: str) -> tuple[float, float] | None:
    """Return the ends of the last interval of a text ("95% CI 1.2 to 3.4"), or None."""
    numbers = list(numbers_in(text))
    for first, second in reversed(list(pairwise(numbers))):
        if _RANGE.fullmatch(text[first.end : second.start]):
            return min(first.value, second.value), max(first.value, second.value)
    return None


def count_of(text: str) -> tuple[float, float] | None:
    """Return numerator and denominator of "130 of 228" or "130/228", or None."""
    match = _OF.search(text)
    if match is None:
        return None
    part, whole = number_of(match[1].strip()), number_of(match[2].strip())
    return None if part is None or whole is None else (part, whole)


def _value(match: re.Match[str]) -> float:
    digits = re.sub(r"[,\u2009\u202f\u00a0]", "", match["digits"]).replace("·", ".")
    value = float(f"{digits}e{_exponent(match)}")
    return -value if match["sign"] else value


def _place(match: re.Match[str]) -> int:
    return _exponent(match) - len(match["digits"].replace("·", ".").partition(".")[2])


def _exponent(match: re.Match[str]) -> int:
    return int(match["exponent"].translate(_DASHES)) if match["power"] else 0
