"""Rows on the command line: a table, one value per line where it is too wide, or CSV or JSON for scripts."""

import math
import re
import sys
from typing import Literal

import polars as pl
from aimsciqa_resources.printable import printable
from aimsciqa_resources.spreadsheets import as_text
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from aimsciqa.files import json_text

_LEAST_TEXT = 12
_SHORT_TEXTS = ("batch", "table", "state", "what", "fate")
_BETWEEN_COLUMNS = 2
# JSON escapes the control characters below these itself.
_C1 = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def print_rows(rows: pl.DataFrame, format: Literal["table", "csv", "json"], console: Console) -> None:
    """Print query results; CSV and JSON are plain, whole and fit for scripts.

    In CSV a list or a struct is JSON inside its cell, and no text is a formula to a spreadsheet.
    """
    if format == "json":
        _print_plainly(_json_of([_plain(row) for row in rows.iter_rows(named=True)]) + "\n")
    elif format == "csv":
        _print_plainly(_flat(rows).write_csv())
    else:
        print_table(rows, console)
        console.print(f"{rows.height:,} row{'' if rows.height == 1 else 's'}", style="dim", highlight=False)


def print_json(value: object) -> None:
    """Print a value as JSON, plain and fit for scripts."""
    _print_plainly(_json_of(_plain(value)) + "\n")


def print_table(rows: pl.DataFrame, console: Console) -> None:
    """Rows side by side where there is room for them, else one value per line. No value is cut."""
    console.print(_table(rows) if _fits(rows, console.width) else _records(rows))


def _table(rows: pl.DataFrame) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in rows:
        right = column.dtype.is_numeric()
        table.add_column(
            column.name, justify="right" if right else "left", overflow="fold", no_wrap=_is_whole(column)
        )
    for row in rows.iter_rows():
        table.add_row(*(escape(_cell(value)) for value in row))
    return table


def _is_whole(column: pl.Series) -> bool:
    """Whether the values of a column stay on one line: numbers and short texts."""
    return column.dtype.is_numeric() or column.name in _SHORT_TEXTS


def _fits(rows: pl.DataFrame, width: int) -> bool:
    """Whether every column has room for its name and for numbers, and at least for the start of its texts."""
    needed = _BETWEEN_COLUMNS * (rows.width - 1)
    for column in rows:
        longest = max((len(_cell(value)) for value in column), default=0)
        needed += max(len(column.name), longest if _is_whole(column) else min(longest, _LEAST_TEXT))
    return needed <= width


def _records(rows: pl.DataFrame) -> Text:
    """One line per value, for rows with more columns than fit side by side."""
    width = max(map(len, rows.columns))
    text = Text()
    for row in rows.iter_rows(named=True):
        for name, value in row.items():
            text.append(f"{name:<{width}}  ", style="bold")
            text.append(f"{_cell(value)}\n")
        text.append("\n")
    return text


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.2f}" if abs(value) >= 0.01 or value == 0 else f"{value:.2g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    # Before the width of a column is measured: an escape is longer than what it stands for.
    return printable(str(value))


def _flat(rows: pl.DataFrame) -> pl.DataFrame:
    """The same rows without lists, structs, bytes and durations, which CSV cannot hold."""
    columns = []
    for column in rows:
        if column.dtype.is_nested():
            texts = [None if cell is None else _json_of(_plain(cell)) for cell in column]
            columns.append(pl.Series(column.name, texts, dtype=pl.String))
        elif column.dtype in (pl.Binary, pl.Duration):
            texts = [None if cell is None else str(_plain(cell)) for cell in column]
            columns.append(pl.Series(column.name, texts, dtype=pl.String))
        elif column.dtype == pl.String:
            texts = [None if cell is None else as_text(cell) for cell in column]
            columns.append(pl.Series(column.name, texts, dtype=pl.String))
        else:
            columns.append(column)
    return pl.DataFrame([column.alias(as_text(column.name)) for column in columns])


def _json_of(value: object) -> str:
    """JSON in which a control character, or a mark that turns text around, is an escape of JSON's own."""
    return _C1.sub(lambda found: f"\\u{ord(found[0]):04x}", json_text(value))


def _print_plainly(text: str) -> None:
    """Print for scripts, whatever is in the text; a terminal, which would obey it, gets escapes."""
    print(printable(text) if sys.stdout.isatty() else text, end="")  # noqa: T201


def _plain(value: object) -> object:
    """What JSON can say: other values as text, bytes in hexadecimal, not-a-number as null."""
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | pl.Series):
        return [_plain(inner) for inner in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes):
        return value.hex()
    return value if value is None or isinstance(value, str | int) else str(value)
