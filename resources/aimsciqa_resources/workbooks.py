"""Reads and writes the first sheet of an Excel workbook (xlsx): plain cells, no formats, no formulas.

Authors publish tables in this form. A workbook is a ZIP archive of XML (ECMA-376), and values are all that is
needed of it. Formulas are never computed: a cell has the value that was saved with it.
"""

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Final

from lxml import etree

Cell = str | int | float | bool | None

_MOST_BYTES: Final = 1 << 30
_MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINKS: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_ESCAPED: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
# What XML cannot hold, and what would be taken for an escape when it is read.
_TO_ESCAPE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-Fa-f]{4}_)")
_LONGEST_CELL: Final = 32_767


class WorkbookError(Exception):
    """The file is no workbook that can be read or written; the message says why in one line."""


def read_workbook(path: Path) -> list[list[Cell]]:
    """The rows of the first sheet, as long as the longest one; an empty cell is None.

    Whole numbers are `int`, whichever way they were saved. Raises `WorkbookError`, and `OSError` where the
    file cannot be opened.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
                raise WorkbookError(f"{path.name} is larger than {_MOST_BYTES >> 30} GiB when unpacked")
            texts = _shared_texts(archive)
            with archive.open(_first_sheet(archive)) as sheet:
                rows = [_cells(row, texts) for row in _elements(sheet, "row")]
    except (zipfile.BadZipFile, etree.XMLSyntaxError, KeyError, IndexError, ValueError) as error:
        raise WorkbookError(f"{path.name} is not a workbook (xlsx) that can be read: {error}") from None
    width = max(map(len, rows), default=0)
    return [row + [None] * (width - len(row)) for row in rows]


def write_workbook(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write one sheet with a header; the same cells give the same bytes.

    Raises `WorkbookError` where a text is too long for a cell of Excel.
    """
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _FRAME.items():
            archive.writestr(_entry(name), _XML + content)
        with archive.open(_entry("xl/worksheets/sheet1.xml"), "w", force_zip64=True) as sheet:
            sheet.write(f'{_XML}<worksheet xmlns="{_MAIN[1:-1]}"><sheetData>'.encode())
            for row in (header, *rows):
                sheet.write(f"<row>{''.join(map(_written, row))}</row>".encode())
            sheet.write(b"</sheetData></worksheet>")


def _entry(name: str) -> zipfile.ZipInfo:
    """An entry with the first date of ZIP instead of today's."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _elements(file: IO[bytes], name: str) -> Iterator[etree._Element]:
    """Each element of that name, which is forgotten afterwards."""
    for _, element in etree.iterparse(
        file, tag=_MAIN + name, resolve_entities=False, no_network=True, huge_tree=True
    ):
        yield element
        element.clear()


def _shared_texts(archive: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    with archive.open("xl/sharedStrings.xml") as file:
        return [_text(one) for one in _elements(file, "si")]


def _first_sheet(archive: zipfile.ZipFile) -> str:
    """Where the sheet lies that the workbook names first."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    workbook = etree.fromstring(archive.read("xl/workbook.xml"), parser)
    links = etree.fromstring(archive.read("xl/_rels/workbook.xml.rels"), parser)
    first = next(workbook.iter(_MAIN + "sheet"), None)
    targets = {link.get("Id"): link.get("Target") for link in links}
    target = None if first is None else targets.get(first.get(_LINKS + "id"))
    if target is None:
        raise KeyError("it has no sheet")
    return target.removeprefix("/") if target.startswith("/") else f"xl/{target}"


def _cells(row: etree._Element, texts: Sequence[str]) -> list[Cell]:
    cells: list[Cell] = []
    for cell in row.iter(_MAIN + "c"):
        place = _column(cell.get("r"), len(cells))
        cells += [None] * (place - len(cells))
        cells.append(_value(cell, texts))
    return cells


def _column(reference: str | None, following: int) -> int:
    """The number of a column, from 0, of a reference such as AB12."""
    if reference is None:
        return following
    number = 0
    for letter in reference.rstrip("0123456789"):
        number = 26 * number + ord(letter) - ord("A") + 1
    if not following < number <= 16_384:
        raise ValueError(f"there is no cell {reference}")
    return number - 1


def _value(cell: etree._Element, texts: Sequence[str]) -> Cell:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _text(cell)
    value = cell.findtext(_MAIN + "v")
    if value is None or kind == "e":
        return None
    if kind == "s":
        return texts[int(value)]
    if kind == "b":
        return value == "1"
    if kind in {"str", "d"}:
        return _unescaped(value)
    number = float(value)
    return int(number) if number.is_integer() else number


def _text(element: etree._Element) -> str:
    """The text of all its runs, without how it is pronounced."""
    runs = (run for run in element.iter(_MAIN + "t") if next(run.iterancestors(_MAIN + "rPh"), None) is None)
    return _unescaped("".join(run.text or "" for run in runs))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def _written(value: Cell) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f"<c><v>{value!r}</v></c>"
    if len(value) > _LONGEST_CELL:
        raise WorkbookError(f"a text of {len(value):,} characters is too long for a cell of Excel")
    escaped = _TO_ESCAPE.sub(lambda found: f"_x{ord(found[0]):04X}_", value)
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        escaped = escaped.replace(sign, entity)
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escaped}</t></is></c>'


_XML: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_FRAME: Final = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN[1:-1]}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
