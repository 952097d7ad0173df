"""The authors' tables: `scidqa.xlsx` and the files of responses, as Excel, Parquet or JSON.

Rows are joined by `id` only: two of the authors' files have another order of rows.
"""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl
from aimsciqa_resources.workbooks import WorkbookError, read_workbook, write_workbook

from aimsciqa.files import json_of, read_text

QUESTIONS: Final = pl.Schema(
    {
        "id": pl.Int64, "year": pl.Int64, "venue": pl.String, "rid": pl.String, "pid": pl.String,
        "decision": pl.String, "que": pl.String, "ans": pl.String, "version": pl.String,
    }
)  # fmt: skip
"""The columns of `scidqa.xlsx`: question, review (rid), forum (pid), question, answer, version asked of."""
LONGEST_CELL: Final = 32_767
"""Characters of a cell of Excel."""
_PICKLES: Final = {".pkl", ".pickle"}
_ALL: Final = "_ans"
_SELECTED: Final = "_ans_single"
_CHAT_HEADER: Final = re.compile(r"\s*(?:<\|start_header_id\|>\w*<\|end_header_id\|>\s*|<\|\w+\|>\s*)+")


class PublishedFileError(Exception):
    """A file is not what its authors describe; the message says why in one line."""


@dataclass(frozen=True, slots=True)
class Responses:
    """The answers of one model: `rows` has id, prediction (null: missing), comments (null: none).

    `column` is the one they stand in; `selected` says that it holds one answer that was selected from many.
    """

    model: str
    column: str
    selected: bool
    rows: pl.DataFrame


def read_questions(path: Path) -> pl.DataFrame:
    """The rows of `scidqa.xlsx` or its Parquet form; a decision is a text (one cell is the number 1).

    Raises `PublishedFileError`.
    """
    rows = _table(path)
    lacking = set(QUESTIONS) - set(rows.columns)
    if lacking:
        raise PublishedFileError(f"{path.name} lacks the columns {', '.join(sorted(lacking))}")
    return rows.select(pl.col(name).cast(kind, strict=True) for name, kind in QUESTIONS.items())


def write_questions(path: Path, rows: pl.DataFrame) -> None:
    """Write questions in the authors' columns, as Parquet or Excel by the ending of the name."""
    ordered = rows.select(pl.col(name).cast(kind) for name, kind in QUESTIONS.items())
    if path.suffix == ".parquet":
        ordered.write_parquet(path)
    else:
        write_workbook(path, ordered.columns, ordered.iter_rows())


def read_responses(path: Path, *, first_column: bool = False, keep_header: bool = False) -> list[Responses]:
    """The answers of every model in a file.

    Where answers were selected from those to the parts of a paper, the selected ones are read;
    `first_column` reads the list of all candidates as text, as the authors' scores do. `keep_header` leaves
    the tokens of a chat template in front of an answer. Raises `PublishedFileError`.
    """
    rows = _table(path)
    if "id" not in rows.columns:
        raise PublishedFileError(f"{path.name} lacks the column id")
    models = [name.removesuffix(_ALL) for name in rows.columns if name.endswith(_ALL)]
    models += [
        model
        for name in rows.columns
        if name.endswith(_SELECTED) and (model := name.removesuffix(_SELECTED)) not in models
    ]
    if not models:
        raise PublishedFileError(f"{path.name} has no column of answers (MODEL_ans or MODEL_ans_single)")
    return [_responses(rows, model, first_column, keep_header) for model in models]


def candidates(text: str) -> list[str]:
    """The answers in a cell that holds a list of Python as text; the text itself where it holds none."""
    try:
        listed = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return [text]
    sound = isinstance(listed, list) and all(isinstance(one, str) for one in listed)
    return listed if sound else [text]


def without_header(text: str) -> str:
    """An answer without the tokens of a chat template in front of it."""
    found = _CHAT_HEADER.match(text)
    return text[found.end() :] if found else text


def _responses(rows: pl.DataFrame, model: str, first_column: bool, keep_header: bool) -> Responses:
    selected, every = model + _SELECTED, model + _ALL
    column = every if every in rows.columns and (first_column or selected not in rows.columns) else selected
    prediction = pl.col(column).cast(pl.String)
    if not keep_header:
        prediction = prediction.map_elements(without_header, return_dtype=pl.String)
    comments = pl.col("comments").cast(pl.String) if "comments" in rows.columns else pl.lit(None, pl.String)
    return Responses(
        model,
        column,
        column == selected,
        rows.select(pl.col("id").cast(pl.Int64), prediction=prediction, comments=comments),
    )


def _table(path: Path) -> pl.DataFrame:
    """The table of a file, with unique ids and without the nameless columns of a saved index."""
    if path.suffix in _PICKLES:
        raise PublishedFileError(
            f"{path.name} is a pickle, which may run code when it is read. Where you trust it, write it as "
            f"JSON: python -c \"import pandas; pandas.read_pickle('{path.name}').to_json("
            f"'{path.stem}.json', orient='records')\""
        )
    try:
        if path.suffix == ".json":
            rows = _records(path)
        else:
            rows = pl.read_parquet(path) if path.suffix == ".parquet" else _sheet(read_workbook(path))
    except (WorkbookError, pl.exceptions.PolarsError) as error:
        raise PublishedFileError(str(error)) from None
    named = rows.select(name for name in rows.columns if name and not name.startswith("Unnamed:"))
    if "id" in named.columns:
        named = named.filter(pl.col("id").is_not_null())
        if named["id"].is_duplicated().any():
            raise PublishedFileError(f"{path.name} has two rows with the same id")
    return named


def _records(path: Path) -> pl.DataFrame:
    """A table of a JSON list with an object for each row."""
    try:
        value = json_of(read_text(path))
    except (OSError, ValueError) as error:
        raise PublishedFileError(f"{path.name} cannot be read: {error}") from None
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise PublishedFileError(f"{path.name} is no JSON list with an object for each row")
    names = list(dict.fromkeys(name for row in value for name in row))
    return _sheet([names, *([row.get(name) for name in names] for row in value)])


def _sheet(cells: Sequence[Sequence[Any]]) -> pl.DataFrame:
    """A table of a sheet whose first row names the columns; a column with any text is text."""
    if not cells:
        return pl.DataFrame()
    header, *rows = cells
    columns: dict[str, list[Any]] = {}
    for place, name in enumerate(header):
        values = [row[place] for row in rows]
        if any(isinstance(value, str) for value in values):
            values = [value if value is None else str(value) for value in values]
        columns.setdefault(str(name or ""), values)
    return pl.DataFrame(columns, strict=False)
