"""Fact recall and precision: the facts of an item that an answer states, and what its numbers rest on.

A fact with a number is stated if the answer has this number, in the fact's unit or without any. It may be
rounded to two digits or more, and 63.9% may be 0.639. Whether an answer states a fact without a number is a
matter of meaning, and left to judges.

- Recall: of the facts with a number, the share that the answer states.
- Precision: of the numbers that the answer states, the share that a fact's value, its quote or a computation
  of the item gives. Left out are numbers that the question has. Of numbers that nothing gives, years,
  denominators ("per 1,000") and whole numbers up to 12 are left out, too: the last count papers and groups.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from aimsciqa.measures.numbers import Number, numbers_in

_SMALL: Final = 12
_YEAR: Final = re.compile(r"(?:18|19|20)\d\d")
_PERCENT: Final = "%"
_UNIT: Final = re.compile(
    r"[\s\u00a0-]?(?:(?P<percent>%|(?:per\s?cent|percentage\s+points?)\b)"
    r"|(?P<symbol>[kcmdnpµμu]?(?:g|m|l|mol|Pa|W|J|Hz|V)|ha|min|[hst])(?![\w'’])"
    r"|(?P<time>second|minute|hour|day|week|month|year)s?\b)",
    re.IGNORECASE,
)
_TIMES: Final = {"s": "second", "min": "minute", "h": "hour"}
_SAME: Final = str.maketrans({"μ": "µ", "u": "µ"})


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that a right answer states: its value and unit as printed, and the quote that has them."""

    value: str
    unit: str
    quote: str

    @property
    def amounts(self) -> list[tuple[float, str]]:
        """Return the numbers of its value, each with its unit."""
        own = _PERCENT if _PERCENT in self.unit else _unit(f" {self.unit}", 0)
        return [(amount, own or unit) for amount, unit in _amounts(self.value)]


@dataclass(frozen=True, slots=True)
class Sources:
    """The question, the facts, and the computed results with their units from which answers take numbers."""

    question: str
    facts: Sequence[Fact]
    results: Sequence[str]

    def support(self, answer: str, *, exact: bool = False) -> tuple[list[Number], list[Number]]:
        """Return the numbers of an answer that something gives, and those that nothing gives.

        `exact` allows neither rounding nor another unit.
        """
        asked = {abs(number.value) for number in numbers_in(self.question)}
        known = [amount for text in self._texts() for amount in _amounts(text)]
        known += [amount for fact in self.facts for amount in fact.amounts]
        values = {abs(value) for value, _ in known}
        given, unknown = list[Number](), list[Number]()
        for number in numbers_in(answer):
            value = abs(number.value)
            if value in asked:
                continue
            if value in values if exact else any(_states(answer, number, *amount) for amount in known):
                given.append(number)
            elif (value > _SMALL or not value.is_integer()) and not _is_name(answer, number):
                unknown.append(number)
        return given, unknown

    def _texts(self) -> Iterable[str]:
        yield from (fact.quote for fact in self.facts)
        yield from self.results


def _is_name(answer: str, number: Number) -> bool:
    """Say whether a number is a year or the denominator of a unit."""
    before, printed = answer[: number.start].rstrip(), answer[number.start : number.end]
    return bool(_YEAR.fullmatch(printed)) or before.endswith((" per", "/"))


def stated(answer: str, fact: Fact) -> bool | None:
    """Say whether an answer states each number of a fact; None if the fact has no number."""
    numbers = list(numbers_in(answer))
    found = [any(_states(answer, number, value, unit) for number in numbers) for value, unit in fact.amounts]
    return all(found) if found else None


def recall(answer: str, facts: Iterable[Fact]) -> float | None:
    """Return the share of the facts with a number that an answer states; None if none has a number."""
    return _share([found for fact in facts if (found := stated(answer, fact)) is not None])


def precision(answer: str, sources: Sources) -> float | None:
    """Return the share of the numbers of an answer that its sources give; None if no number counts."""
    given, unknown = sources.support(answer)
    return _share([True] * len(given) + [False] * len(unknown))


def _share(found: Sequence[bool]) -> float | None:
    return sum(found) / len(found) if found else None


def _states(answer: str, number: Number, value: float, unit: str) -> bool:
    """Say whether a number of an answer is a value in its unit, rounded to two digits at least."""
    written = _unit(answer, number.end)
    value = abs(value)
    if (written == unit or not written or not unit) and _rounds(number, value):
        return True
    if unit == _PERCENT:
        return not written and number.value <= 1 and _rounds(number, value / 100)
    return written == _PERCENT and not unit and value <= 1 and _rounds(number, 100 * value)


def _rounds(number: Number, value: float) -> bool:
    size = Number(abs(number.value), number.start, number.end, number.place)
    digits = size.value >= float(f"1e{number.place + 1}")
    return size.value == value or (digits and size.rounds(value))


def _amounts(text: str) -> list[tuple[float, str]]:
    return [(number.value, _unit(text, number.end)) for number in numbers_in(text)]


def _unit(text: str, start: int) -> str:
    """Return the percent sign, the symbol or the unit of time at a place of a text, or ""."""
    match = _UNIT.match(text, start)
    if match is None:
        return ""
    if match["percent"]:
        return _PERCENT
    unit = (match["time"] or match["symbol"].translate(_SAME)).lower()
    return _TIMES.get(unit, unit)
