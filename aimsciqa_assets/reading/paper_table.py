"""A table of a paper: its cells on a grid with their headers, and the text in which quotes of it stand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from lxml.html import fragment_fromstring

BETWEEN_CELLS: Final = " | "
BETWEEN_HEADERS: Final = " > "
MOST_SLOTS: Final = 200_000
"""Slots of a table that are laid out; spans such as `colspan="9999"` could ask for any number."""
_WIDEST: Final = 1_000


@dataclass(frozen=True, slots=True)
class SourceCell:
    """A cell as its file has it. A span below 1 counts as 1."""

    text: str
    row_span: int = 1
    column_span: int = 1
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A row as its file has it; `is_head` says that it stands in the head of the table."""

    cells: Sequence[SourceCell]
    is_head: bool = False


@dataclass(slots=True)
class Slot:
    """A place of the grid, counted from 0, with the text that a reader sees there.

    A cell that spans several slots fills each of them: `row_span` is 0 in slots below its first row,
    `column_span` in slots beside its first column. `start` and `end` are offsets into the text of the table.
    `row_header` and `column_header` say what the row and the column are about, the most general part first,
    with " > " in between; both are empty for a header cell.
    """

    row: int
    column: int
    text: str
    row_span: int
    column_span: int
    is_header: bool
    row_header: str = ""
    column_header: str = ""
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class PaperTable:
    """A table with its text: label and caption, a line for each row, a line for each footnote.

    A table without slots is an image, or holds nothing. `section_position` is the section it belongs to.
    """

    label: str
    caption: str
    slots: list[Slot] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    text: str = ""
    section_position: int | None = None

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.slots[-1].row + 1 if self.slots else 0

    @property
    def columns(self) -> int:
        """The number of columns."""
        return max((slot.column for slot in self.slots), default=-1) + 1


def laid_out(
    label: str, caption: str, rows: Sequence[SourceRow], footnotes: Sequence[str] = ()
) -> PaperTable:
    """Return the table with its cells on a grid, their headers, and its text.

    Rows without any text are left out. Raise `ValueError` if the table has more than `MOST_SLOTS` slots.
    """
    grid = _with_text(_placed(rows))
    _find_headers(grid)
    table = PaperTable(label, caption, [slot for row in grid for slot in row], list(footnotes))
    table.text = _written(table, grid)
    return table


def rows_of_html(content: str) -> list[SourceRow]:
    """Return the rows of a table in HTML; nothing if there is none."""
    if not content.strip():
        return []
    return [
        SourceRow(
            [
                SourceCell(
                    " ".join(cell.text_content().split()),
                    _span(cell.get("rowspan")),
                    _span(cell.get("colspan")),
                    cell.tag == "th",
                )
                for cell in row.iterchildren("td", "th")
            ],
            row.getparent().tag == "thead",
        )
        for row in fragment_fromstring(content, create_parent=True).iter("tr")
    ]


def _span(value: str | None) -> int:
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 6 else 1


def _placed(rows: Sequence[SourceRow]) -> list[list[Slot]]:
    """Place each cell in the first free columns of its row, as browsers do; every row gets all columns."""
    head = _header_rows(rows)
    taken: dict[tuple[int, int], Slot] = {}
    width = 0
    for at, row in enumerate(rows):
        column = 0
        for cell in row.cells:
            while (at, column) in taken:
                column += 1
            across = max(1, min(cell.column_span, _WIDEST))
            down = max(1, min(cell.row_span, len(rows) - at))
            if len(taken) + across * down > MOST_SLOTS:
                raise ValueError(f"The table has more than {MOST_SLOTS:,} cells.")
            for below in range(down):
                for beside in range(across):
                    place = (at + below, column + beside)
                    spans = (0 if below else down, 0 if beside else across)
                    is_header = head[at] or cell.is_header
                    taken.setdefault(place, Slot(*place, cell.text, *spans, is_header))
            column += across
        width = max(width, column)
    if len(rows) * width > MOST_SLOTS:
        raise ValueError(f"The table has more than {MOST_SLOTS:,} cells.")
    return [
        [taken.get((at, column)) or Slot(at, column, "", 1, 1, head[at]) for column in range(width)]
        for at in range(len(rows))
    ]


def _header_rows(rows: Sequence[SourceRow]) -> list[bool]:
    """Say of each row whether it is a header: it stands in the head, or has header cells alone at the top."""
    if any(row.is_head for row in rows) and not all(row.is_head for row in rows):
        return [row.is_head for row in rows]
    headers: list[bool] = []
    for row in rows:
        above = all(headers)
        headers.append(above and len(row.cells) > 0 and all(cell.is_header for cell in row.cells))
    return [False] * len(rows) if all(headers) else headers


def _with_text(grid: list[list[Slot]]) -> list[list[Slot]]:
    """Leave out rows without text of their own, and count rows and spans accordingly."""
    kept = [row for row in grid if any(slot.text and slot.row_span for slot in row)]
    if len(kept) == len(grid):
        return grid
    places = {row[0].row: at for at, row in enumerate(kept)}
    for at, row in enumerate(kept):
        for slot in row:
            if slot.row_span > 1:
                slot.row_span = sum(place in places for place in range(slot.row, slot.row + slot.row_span))
            slot.row = at
    return kept


def _find_headers(grid: list[list[Slot]]) -> None:
    """Give each cell that is no header the headers of its row and its column."""
    above: list[list[str]] = []
    group = ""
    after_header = False
    for row in grid:
        if all(slot.is_header for slot in row):
            if not after_header:
                above = [[] for _ in row]
            for slot in row:
                _append(above[slot.column], slot.text)
            after_header = True
            continue
        after_header = False
        own = list(_row_headers(row))
        if _is_group(row):
            group = row[0].text
            continue
        beside = BETWEEN_HEADERS.join(filter(None, (group, *own)))
        for slot in row:
            if not slot.is_header:
                slot.column_header = BETWEEN_HEADERS.join(above[slot.column]) if above else ""
                slot.row_header = group if slot.column == 0 else beside


def _is_group(row: Sequence[Slot]) -> bool:
    """Say whether a row heads those below it: only its first cell, alone or over all columns, has text."""
    return (
        len(row) > 1
        and bool(row[0].text and row[0].row_span)
        and all(not slot.text or not slot.column_span for slot in row[1:])
    )


def _row_headers(row: Sequence[Slot]) -> Iterator[str]:
    """Yield the texts that say what a row is about: its leading header cells, else its first cell."""
    for slot in row:
        if slot.column and not slot.is_header:
            return
        if slot.text:
            yield slot.text


def _append(headers: list[str], text: str) -> None:
    if text and text not in headers[-1:]:
        headers.append(text)


def _written(table: PaperTable, grid: Sequence[Sequence[Slot]]) -> str:
    """Return the text of the table, and note in each slot where its text stands.

    A text over several columns is repeated in headers alone, one over several rows in each row, so that a
    line can be read by itself.
    """
    heading = ". ".join(filter(None, (table.label.rstrip("."), table.caption)))
    lines = [heading] if heading else []
    length = len(heading) + 1 if heading else 0
    for row in grid:
        line = ""
        for slot in row:
            if slot.column_span or slot.is_header:
                line += BETWEEN_CELLS * bool(slot.column) + slot.text
                slot.start, slot.end = length + len(line) - len(slot.text), length + len(line)
            else:
                slot.start, slot.end = row[slot.column - 1].start, row[slot.column - 1].end
                line += BETWEEN_CELLS
        lines.append(line.rstrip(BETWEEN_CELLS) if _is_group(row) else line)
        length += len(lines[-1]) + 1
    return "\n".join([*lines, *table.footnotes])
