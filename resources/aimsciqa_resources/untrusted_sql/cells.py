"""What a worker and its parent tell each other: some rows of a result, with bounded cells, as JSON.

A column is its name, the numpy type of its values, and the values. Numbers, texts and truth values are
themselves, NULL is null, dates are numbers of the column's type. An array is {"array": [...], "dtype": ...},
with a "mask" where it has NULLs; any other value is {"text": ...}, as Python prints it.
"""

from typing import Any, TypedDict

import numpy as np

READY = {"ready": True}
"""What a worker says when it can be asked."""

LONGEST_TEXT = 100_000
"""A text of SQL with more characters is refused unread: no question about papers needs it."""
LONGEST_CELL = 400_000
LONGEST_RESULT = 2_000_000
MOST_COLUMNS = 1_000
_LONGEST_ARRAY = 100_000
_DEEPEST = 20


class Column(TypedDict):
    """A column of a result."""

    name: str
    dtype: str
    values: list[Any]


class TooMuchError(ValueError):
    """A result is larger than anybody could read."""


def columns_of(found: dict[str, Any]) -> list[Column]:
    """The columns of a result, of which `fetchnumpy` gave an array each. Raises `TooMuchError`.

    Texts beyond `LONGEST_CELL` characters are cut, and say so. All cells together hold `LONGEST_RESULT`.
    """
    if len(found) > MOST_COLUMNS:
        raise TooMuchError(f"The result has {len(found):,} columns; at most {MOST_COLUMNS:,} can be shown.")
    room = _Room()
    columns = []
    for name, values in found.items():
        kind = str(values.dtype)
        plain = values.astype("int64") if values.dtype.kind in "mM" else values
        columns.append(Column(name=room.text(name), dtype=kind, values=[room.cell(one) for one in plain]))
    return columns


def left_out(characters: int) -> str:
    """Return the mark at the end of a text of which so many characters are left out."""
    return f"... # {characters} more characters are left out"


class _Room:
    """How much may still be sent."""

    def __init__(self) -> None:
        self._left = LONGEST_RESULT

    def cell(self, value: Any, depth: int = 0) -> Any:
        if value is None or value is np.ma.masked:
            return None
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, bool | int | float):
            self._take(8)
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, np.ndarray) and depth < _DEEPEST:
            return self._array(value, depth)
        return {"text": self.text(str(value))}

    def text(self, text: str) -> str:
        if len(text) > LONGEST_CELL:
            text = text[:LONGEST_CELL] + left_out(len(text) - LONGEST_CELL)
        self._take(len(text))
        return text

    def _array(self, array: Any, depth: int) -> dict[str, Any]:
        if array.ndim != 1 or array.dtype.kind not in "biufO":
            return {"text": self.text(str(array))}
        if len(array) > _LONGEST_ARRAY:
            raise TooMuchError(
                f"A list has {len(array):,} elements; at most {_LONGEST_ARRAY:,} can be shown."
            )
        sent = {"array": [self.cell(one, depth + 1) for one in array], "dtype": str(array.dtype)}
        # NULL among texts is None, as in a frame of pandas; numbers have no such value.
        if np.ma.isMaskedArray(array) and array.dtype != object:
            sent["mask"] = np.ma.getmaskarray(array).tolist()
        return sent

    def _take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise TooMuchError(
                f"The result is larger than {LONGEST_RESULT:,} characters: select fewer or shorter columns."
            )
