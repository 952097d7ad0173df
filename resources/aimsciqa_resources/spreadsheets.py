"""Protects cells of CSV files that people open: a spreadsheet runs a cell that begins like a formula.

`as_text` writes such a cell with an apostrophe before it, and `as_it_was` takes it away again. A cell that
already begins with an apostrophe gets another one, so that every text comes back unchanged.
"""

from typing import Final

# The list of OWASP's "CSV Injection", and the full-width forms that East Asian spreadsheets accept too.
_TAKEN_FOR_FORMULAS: Final = tuple("=+-@\t\r\n＝＋－＠")
_APOSTROPHE: Final = "'"


def as_text(cell: str) -> str:
    """The cell in a form that a spreadsheet shows but does not run."""
    return _APOSTROPHE + cell if cell.startswith((*_TAKEN_FOR_FORMULAS, _APOSTROPHE)) else cell


def as_it_was(cell: str) -> str:
    """The text that `as_text` was given."""
    quoted = cell.startswith(_APOSTROPHE) and cell[1:].startswith((*_TAKEN_FOR_FORMULAS, _APOSTROPHE))
    return cell[1:] if quoted else cell
