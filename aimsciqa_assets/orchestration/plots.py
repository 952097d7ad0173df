"""Small plots as Markdown. The web UI shows Markdown of less than 1,000 characters at once, more on a click.

A plot is drawn from a frame: the first column is the axis, `rows` has the counts, and an optional third
column gives the colours or columns. If the axis has texts, the plot is a table with bars. If it has numbers,
each the lower edge of its bin, it is a histogram as an SVG picture.
"""

from collections.abc import Mapping
from html import escape
from itertools import groupby, pairwise
from urllib.parse import quote

import polars as pl

SHOWN_AT_ONCE = 1000
"""Characters of Markdown that Dagster's web UI shows without a click (`MarkdownMetadataEntry`)."""

Counts = dict[str, dict[float | str, int]]
"""Counts by place on the axis, of each colour."""

_COLOURS = ("slateblue", "darkorange", "seagreen", "crimson")
_BAR = 12
_EIGHTHS = "▏▎▍▌▋▊▉█"
_WIDTH, _HEIGHT, _LEFT, _TOP = 380, 100, 40, 16
_MOST_BINS = 20


def plot(rows: pl.DataFrame, caption: str) -> str:
    """The plot of a frame as Markdown, with its caption below; the caption alone when there are no rows."""
    if rows.is_empty():
        return f"{caption} (no rows)"
    axis, colour = rows.columns[0], next((name for name in rows.columns[1:] if name != "rows"), None)
    counts: Counts = {}
    for row in rows.iter_rows(named=True):
        counts.setdefault(str(row[colour]) if colour else "rows", {})[row[axis]] = row["rows"]
    if not rows[axis].dtype.is_numeric():
        return f"{_bars(counts, axis)}\n\n{caption}"
    picture = quote(_histogram(counts), safe=" /:='.,-")
    return f"![{axis}](<data:image/svg+xml,{picture}>)\n\n{caption}"


def _bars(counts: Counts, axis: str) -> str:
    """A table with a line for each label and a bar for each colour, in the order of the rows."""
    most = max(count for of_colour in counts.values() for count in of_colour.values()) or 1
    lines = [f"|{axis}|{'|'.join(counts)}|", f"|---|{'---|' * len(counts)}"]
    for label in dict.fromkeys(label for of_colour in counts.values() for label in of_colour):
        bars = (_bar(of_colour.get(label, 0), most) for of_colour in counts.values())
        lines.append(f"|{label}|{'|'.join(bars)}|")
    return "\n".join(lines)


def _bar(count: int, most: int) -> str:
    """A bar of at most `_BAR` characters, in eighths of one, and its number. Any count above 0 shows."""
    eighths = max(min(count, 1), round(8 * _BAR * count / most))
    whole, rest = divmod(eighths, 8)
    return f"{_EIGHTHS[-1] * whole}{_EIGHTHS[rest - 1] if rest else ''} {count:,}".lstrip()


def _histogram(counts: Counts) -> str:
    """A histogram; colours that overlap show through each other. It suits light and dark themes."""
    first, width, bins = _binned(counts)
    number = max(len(of_colour) for of_colour in bins.values())
    most = max(max(of_colour) for of_colour in bins.values()) or 1
    step, bottom = (_WIDTH - _LEFT) // number, _TOP + _HEIGHT
    drawn = f"<text x='0' y='{_TOP + 9}'>{most:,}</text>"
    for place, (name, of_colour, colour) in enumerate(zip(bins, bins.values(), _COLOURS, strict=False)):
        heights = groupby(round(_HEIGHT * count / most) for count in of_colour)
        outline = "".join(f"V{bottom - height}h{step * len(list(run))}" for height, run in heights)
        drawn += f"<path fill='{colour}' opacity='.7' d='M{_LEFT} {bottom}{outline}V{bottom}'/>"
        if len(bins) > 1:
            drawn += f"<text x='{_LEFT + 150 * place}' y='9' fill='{colour}'>{escape(name)}</text>"
    for tick in range(0, number, number // 4 + 1):
        edge = round(first + tick * width, 3)
        drawn += f"<text x='{_LEFT + tick * step}' y='{bottom + 12}'>{edge:g}</text>"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{_WIDTH}' height='{bottom + 16}' fill='gray' "
        f"style='font:11px sans-serif'>{drawn}</svg>"
    )


def _binned(counts: Counts) -> tuple[float, float, Mapping[str, list[int]]]:
    """The first edge, the width of a bin, and all counts in order; too many bins are merged."""
    edges = sorted({float(edge) for of_colour in counts.values() for edge in of_colour})
    width = min((right - left for left, right in pairwise(edges)), default=1.0)
    number = round((edges[-1] - edges[0]) / width) + 1
    together = -(-number // _MOST_BINS)
    bins = {name: [0] * -(-number // together) for name in counts}
    for name, of_colour in counts.items():
        for edge, count in of_colour.items():
            bins[name][round((float(edge) - edges[0]) / width) // together] += count
    return edges[0], width * together, bins
