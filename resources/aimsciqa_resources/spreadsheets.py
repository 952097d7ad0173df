"""Cells of CSV files that people open: a spreadsheet runs a cell that begins like a formula.

Such a cell is written with an apostrophe before it, which `as_it_was` takes away again. A cell that begins
with an apostrophe gets one more, so that every text comes back as it was.
"""

from typing import Final

# The list of OWASP's "CSV Injection", with the wide forms that spreadsheets of East Asia take, too.
_TAKEN_FOR_FORMULAS: Final = tuple("=+-@\t\r\n＝＋－＠")
_APOSTROPHE: Final = "'"


def as_text(cell: str) -> str:
    """The cell as a spreadsheet shows and does not run it."""
    return _APOSTROPHE + cell if cell.startswith((*_TAKEN_FOR_FORMULAS, _APOSTROPHE)) else cell


def as_it_was(cell: str) -> str:
    """The text that `as_text` was given."""
    quoted = cell.startswith(_APOSTROPHE) and cell[1:].startswith((*_TAKEN_FOR_FORMULAS, _APOSTROPHE))
    return cell[1:] if quoted else cell
