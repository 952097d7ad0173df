"""A sheet: what was drawn, with all that an annotator needs, and the CSV file that a spreadsheet opens.

A cell that a spreadsheet would take for a formula is written with an apostrophe before it. Reading removes
the apostrophe.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aimsciqa_resources.spreadsheets import as_it_was, as_text

from aimsciqa_assets.items import FORMS
from aimsciqa_assets.items.form import Criterion
from aimsciqa_assets.judging.audit.criteria import SINGLE_HOP, Kind, criteria_of

Cells = Mapping[str, str]

SHEET, KIND, SUBJECT, COMMENT = "sheet", "kind", "subject_id", "comment"
IDENTITY: Final = (SHEET, KIND, SUBJECT)
"""The columns that say which subject of which sheet a rating is about."""

_FIRST_OF_PAIRS: Final = ("question", "answer", "evidence", "score")
_ID: Final = "id:"
"""Written before an id: a spreadsheet would take 16 digits, or 15 and an e, for a number and round it."""
_DELIMITERS: Final = (",", ";", "\t")


class AuditError(ValueError):
    """A sheet that cannot be made or read; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is handed out: its `name`, and for each subject its id and the texts that are shown, by column."""

    name: str
    kind: Kind
    subjects: Mapping[str, Cells]

    @property
    def criteria(self) -> Sequence[Criterion]:
        """What is to be rated."""
        return criteria_of(self.kind)

    @property
    def first(self) -> Sequence[str]:
        """The columns that a rater looks at, each rating after its texts. The other columns follow."""
        named = _FIRST_OF_PAIRS if self.kind == SINGLE_HOP else FORMS[self.kind].sheet.first
        looked_at = [name for name in self.shown if name in ("question", "answer") or _is_of_document(name)]
        return (*(named or (*looked_at, *(one.name for one in self.criteria))), COMMENT)

    @property
    def shown(self) -> list[str]:
        """The columns with texts."""
        return list(next(iter(self.subjects.values()), {}))

    def identity(self, subject: str) -> dict[str, str]:
        """The cells that say which subject a rating is about."""
        return {SHEET: self.name, KIND: self.kind, SUBJECT: subject}


def _is_of_document(column: str) -> bool:
    return column.endswith(("_paper", "_evidence"))


def csv_of(sheet: Sheet) -> bytes:
    """The sheet as CSV: UTF-8 with a byte order mark, empty cells for the ratings.

    The heading of a rating names the scores that are allowed.
    """
    first = sheet.first
    columns = [*first, *(name for name in sheet.shown if name not in first), *IDENTITY]
    allowed = {criterion.name: criterion.allowed for criterion in sheet.criteria}
    header = [f"{name} ({allowed[name]})" if name in allowed else name for name in columns]
    rows = [
        [{**cells, **sheet.identity(subject), SUBJECT: _ID + subject}.get(column, "") for column in columns]
        for subject, cells in sheet.subjects.items()
    ]
    return written_csv(header, rows)


def written_csv(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """A CSV file whose cells no spreadsheet takes for formulas; `read_csv` gives them back unchanged."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=csv.QUOTE_ALL)
    writer.writerow(columns)
    writer.writerows([map(as_text, row) for row in rows])
    return file.getvalue().encode("utf-8-sig")


def read_csv(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a returned sheet, numbered as in a spreadsheet; raises `AuditError`."""
    for number, row in rows_of_csv(file, IDENTITY, "aimsciqa audit sample"):
        yield number, row | {SUBJECT: row.get(SUBJECT, "").removeprefix(_ID)}


def rows_of_csv(file: Path, needed: Sequence[str], made_by: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a CSV file, numbered as in a spreadsheet: the first one below the header is 2.

    `needed` are columns that it must have, `made_by` the command that wrote it. Files that a
    spreadsheet saved can be read too: with semicolons or tabs, in UTF-16 or the Windows encoding. The part of
    a heading before a bracket is the name of the column. Raises `AuditError`.
    """
    text = _decoded(file.read_bytes())
    for delimiter in _DELIMITERS:
        header, *rows = _cells(file, text, delimiter)
        columns = [name.partition("(")[0].strip() for name in header]
        if set(needed) <= set(columns):
            break
    else:
        raise AuditError(
            f"{file} is not a sheet of `{made_by}`: its first line must name {', '.join(needed)}."
        )
    for number, cells in enumerate(rows, 2):
        if any(cells):
            yield number, dict(zip(columns, map(as_it_was, cells), strict=False))


def _cells(file: Path, text: str, delimiter: str) -> list[list[str]]:
    # A text of a paper may be longer than the default limit of the module csv.
    csv.field_size_limit(2**31 - 1)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)) or [[]]
    except csv.Error as error:
        raise AuditError(f"{file} cannot be read as CSV: {error}") from error


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
