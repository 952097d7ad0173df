"""What the page shows besides items: tables, some with a column of bars, in sections with a heading."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from markupsafe import Markup

from aimsciqa_assets.release.report.charts import Scale, axis, scale_of, stack

Row = Mapping[str, Any]
Cell = str | Markup | None
"""Text, which is escaped, or our own markup; None is shown as the `none` of its column."""

BASELINE = Markup(' <span class="badge">rule-based baseline</span>')


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; `none` is shown where a cell has no value."""

    title: str
    kind: Literal["text", "number", "chart"] = "text"
    ticks: Markup | str = ""
    none: str = "–"


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of a table under a heading of their own; without a heading if the title is empty."""

    title: str
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A table or figure. Without rows the page says `missing` in its place; `folded` ones open on a click.

    `legend` is what the colours mean: class of the style sheet and meaning. `half` ones stand beside each
    other where there is room.
    """

    slug: str
    title: str
    caption: str
    columns: Sequence[Column]
    groups: Sequence[Group]
    missing: str
    legend: Sequence[tuple[str, str]] = ()
    folded: bool = False
    half: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        return not any(group.rows for group in self.groups)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page with a place in its navigation."""

    slug: str
    title: str
    lead: str
    exhibits: Sequence[Exhibit]


def plain(rows: Iterable[Sequence[Cell]]) -> list[Group]:
    """Rows without headings."""
    return [Group("", list(rows))]


def grouped(rows: Iterable[Row], *names: str) -> list[tuple[tuple[Any, ...], list[Row]]]:
    """Consecutive rows with the same values in some columns, as groups."""

    def key(row: Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in names)

    return [(values, list(of_values)) for values, of_values in groupby(rows, key)]


def count(value: int | None) -> str | None:
    """1,234."""
    return None if value is None else f"{value:,}"


def score(value: float | None, digits: int = 3) -> str | None:
    """0.673; None for a value that is not a finite number."""
    if value is None or not math.isfinite(value):
        return None
    return f"{value:.{digits}f}".replace("-", "−")


def interval(low: float | None, high: float | None) -> str | None:
    """0.612–0.731, or −0.012 to 0.104."""
    first, last = score(low), score(high)
    if first is None or last is None:
        return None
    return f"{first} to {last}" if "−" in first else f"{first}–{last}"


def share(part: int, whole: int) -> str | None:
    """12.5 %; None if the whole is 0."""
    return f"{100 * part / whole:.1f} %" if whole else None


def chart_column(title: str, scale: Scale | None = None) -> Column:
    """A column of charts, with the axis in its head."""
    return Column(title, "chart", axis(scale) if scale else "")


def distribution(
    slug: str,
    title: str,
    caption: str,
    counts: Mapping[str, Mapping[float | None, int]],
    *,
    missing: str,
    possible: Sequence[float] = (),
    titles: tuple[str, str] = ("Rated", "share of the ratings"),
) -> Exhibit:
    """How often each score was given, by what was rated; null is a rating that could not be read.

    The `possible` scores are shown whether they were given or not. `titles` are those of the first columns.
    """
    given_at_all = {value for of_label in counts.values() for value in of_label if value is not None}
    scores = sorted(given_at_all | set(possible))
    unread = any(None in of_label for of_label in counts.values())
    tones = _tones(len(scores))
    rows: list[list[Cell]] = []
    for label, of_label in counts.items():
        given = {value: of_label.get(value, 0) for value in scores}
        total = sum(given.values())
        mean = sum(value * number for value, number in given.items()) / total if total else None
        said = f"{label}: " + ", ".join(f"{number} times {value:g}" for value, number in given.items())
        rows.append(
            [
                label,
                stack(list(zip(tones, given.values(), strict=True)), said),
                *(count(number) for number in given.values()),
                *([count(of_label.get(None, 0))] if unread else []),
                score(mean, 2),
            ]
        )
    columns = [
        Column(titles[0]),
        Column(titles[1], "chart"),
        *(Column(f"{value:g}", "number") for value in scores),
        *([Column("Unread", "number")] if unread else []),
        Column("Mean", "number", none="undefined"),
    ]
    legend = [(tone, f"{value:g}") for tone, value in zip(tones, scores, strict=True)]
    return Exhibit(slug, title, caption, columns, plain(rows), missing, legend)


def _tones(number: int) -> list[str]:
    """Classes from light to dark for the steps of a rating; many steps share the five tones."""
    last = max(number - 1, 1)
    return [f"tone-{1 + round(4 * place / last)}" for place in range(number)]


def bars_scale(rows: Iterable[Row], *names: str) -> Scale:
    """The axis for bars of these columns."""
    return scale_of(row[name] for row in rows for name in names)
