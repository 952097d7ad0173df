"""Rows of a table in a file, for a step that makes more of them than memory should hold."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.keeping import Kept
from aimsciqa_assets.tables import TABLES

_AT_ONCE: Final = 500
_NUMBER: Final = "number_of_the_row"


class KeptRows:
    """Rows of a table as they come, and in the order of its key once all are there.

    They lie in a file without a name; in memory are their keys, and the last few hundred rows: there is no
    file for fewer.
    """

    def __init__(self, table: str, folder: Path) -> None:
        """`folder` is where the file is while the rows are needed; it is made if it is missing."""
        self._table = table
        self._folder = folder
        self._empty = frame_of(table, [])
        self._file: Kept[tuple[Any, ...]] | None = None
        self._keys: list[pl.DataFrame] = []
        self._waiting: list[Mapping[str, Any]] = []

    @property
    def height(self) -> int:
        """How many rows there are."""
        return (len(self._file) if self._file else 0) + len(self._waiting)

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Keep rows; raises, sooner or later, when one lacks a column or has one too many."""
        for row in rows:
            self._waiting.append(row)
            if len(self._waiting) == _AT_ONCE:
                self._keep(self._opened())

    def frames(self) -> Iterator[pl.DataFrame]:
        """All rows in the order of the key, some hundred at a time, as the table declares them."""
        if self._file is None:
            few = frame_of(self._table, self._waiting).sort(TABLES[self._table].key)
            return iter([few] if self._waiting else [])
        self._keep(self._file)
        return self._in_order(self._file)

    def frame(self) -> pl.DataFrame:
        """The same as one frame."""
        return pl.concat([self._empty, *self.frames()])

    def _in_order(self, file: Kept[tuple[Any, ...]]) -> Iterator[pl.DataFrame]:
        keys = pl.concat([self._empty.select(TABLES[self._table].key), *self._keys])
        order = keys.with_row_index(_NUMBER).sort(TABLES[self._table].key).select(_NUMBER)
        for some in order.iter_slices(_AT_ONCE):
            rows = [file[number] for number in some[_NUMBER]]
            yield pl.DataFrame(rows, schema=self._empty.schema, orient="row")

    def _opened(self) -> Kept[tuple[Any, ...]]:
        if self._file is None:
            self._file = Kept(self._folder)
        return self._file

    def _keep(self, file: Kept[tuple[Any, ...]]) -> None:
        frame = frame_of(self._table, self._waiting)
        self._keys.append(frame.select(TABLES[self._table].key))
        for row in frame.iter_rows():
            file.add(row)
        self._waiting.clear()


Rows = pl.DataFrame | KeptRows
"""Rows of a table, in memory or in a file."""
Made = Mapping[str, Rows]
"""Rows by table name: what a step returns and what is written. `Frames` are all in memory."""


def in_memory(rows: Rows) -> pl.DataFrame:
    """All rows as one frame."""
    return rows if isinstance(rows, pl.DataFrame) else rows.frame()
