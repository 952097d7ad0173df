"""Reads and writes the first sheet of an Excel workbook (xlsx) with openpyxl: plain cells, no formulas.

What is added to openpyxl: texts stay texts whatever they look like, characters that XML cannot hold come
back, and the same cells give the same bytes. Formulas are never computed: a cell has the value that was saved
with it.
"""

import datetime
import re
import shutil
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.rich_text import CellRichText
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.writer.excel import ExcelWriter

Cell = str | int | float | bool | None

_MOST_BYTES: Final = 1 << 30
_LONGEST_CELL: Final = 32_767
_EXACT: Final = 10**15
"""Excel keeps 15 digits of a number."""
_FIRST_DATE: Final = datetime.datetime(1980, 1, 1)  # the first that ZIP knows
_ESCAPED: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
# What XML cannot hold, and what would be taken for an escape when it is read.
_TO_ESCAPE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-Fa-f]{4}_)")
_BROKEN: Final = (
    *(zipfile.BadZipFile, zlib.error, EOFError, SyntaxError, InvalidFileException),
    *(KeyError, IndexError, ValueError, TypeError, AttributeError, NotImplementedError),
)
"""What openpyxl raises where a file is no workbook; errors of XML parsers are syntax errors."""


class WorkbookError(Exception):
    """The file is no workbook that can be read or written; the message says why in one line."""


def read_workbook(path: Path) -> list[list[Cell]]:
    """The rows of the first sheet, as long as the longest one; an empty cell is None.

    Whole numbers are `int`, whichever way they were saved, and dates are texts. Raises `WorkbookError`, and
    `OSError` where the file cannot be opened.
    """
    with path.open("rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
                    raise WorkbookError(f"{path.name} is larger than {_MOST_BYTES >> 30} GiB when unpacked")
            sheet = load_workbook(file, read_only=True, data_only=True, keep_links=False).worksheets[0]
            sheet.reset_dimensions()  # a file may state wrong ones
            rows = [[_read(cell) for cell in row] for row in sheet.iter_rows()]
        except _BROKEN as error:
            told = str(error).splitlines() or [type(error).__name__]
            raise WorkbookError(f"{path.name} is not a workbook (xlsx) that can be read: {told[0]}") from None
    width = max(map(len, rows), default=0)
    return [row + [None] * (width - len(row)) for row in rows]


def write_workbook(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write one sheet with a header; the same cells give the same bytes.

    An integer that Excel would round is written as a text. Raises `WorkbookError` where a text is too long
    for a cell of Excel.
    """
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Sheet1")
    try:
        for row in chain((header,), rows):
            sheet.append([_written(value, sheet) for value in row])
    finally:
        sheet.close()
    book.properties.created = book.properties.modified = _FIRST_DATE
    ExcelWriter(book, _Undated(path, "w", zipfile.ZIP_DEFLATED)).save()


class _Undated(zipfile.ZipFile):
    """A ZIP archive whose entries have the first date of ZIP instead of today's."""

    def writestr(self, zinfo_or_arcname: Any, data: Any, *_: Any, **__: Any) -> None:
        super().writestr(_entry(zinfo_or_arcname), data)

    def write(self, filename: Any, arcname: Any = None, *_: Any, **__: Any) -> None:
        with Path(filename).open("rb") as file, self.open(_entry(arcname), "w", force_zip64=True) as written:
            shutil.copyfileobj(file, written)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _FIRST_DATE.timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _read(cell: Any) -> Cell:
    value = cell.value
    if cell.data_type == "e":
        return None
    if isinstance(value, str):
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value)
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    return value if value is None or isinstance(value, int | float) else str(value)


def _written(value: Cell, sheet: Any) -> Any:
    """What the sheet is given for a value: a cell that is a text, where openpyxl would see a formula."""
    if isinstance(value, int) and abs(value) >= _EXACT:
        value = str(value)
    if not isinstance(value, str):
        return value
    if len(value) > _LONGEST_CELL:
        raise WorkbookError(f"a text of {len(value):,} characters is too long for a cell of Excel")
    escaped = _TO_ESCAPE.sub(lambda found: f"_x{ord(found[0]):04X}_", value)
    # As plain text an empty one would be an empty cell.
    cell = WriteOnlyCell(sheet, escaped if escaped else CellRichText())
    cell.data_type = "s"
    return cell
