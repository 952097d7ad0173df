"""Rows of a table written into a Parquet file, some at a time, so that memory does not grow with them."""

from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import polars as pl

from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.tables import TABLES

_AT_ONCE: Final = 1000
_LONGEST_WAITING: Final = 8 * 2**20


class RowFile(AbstractContextManager["RowFile"]):
    """A Parquet file of rows of a table; it is whole when its context ends.

    `numbered`: each row has a number as well, `seq`.
    """

    def __init__(self, parquet: Path, table: str, *, numbered: bool = False) -> None:
        self._parquet = parquet
        self._table = table
        self._numbered = numbered
        self._names = [column.name for column in TABLES[table].columns]
        self._waiting: list[dict[str, Any]] = []
        self._size = 0
        self._writer: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._write()
        self._writer.close()

    def add(self, row: dict[str, Any]) -> None:
        """Add a row, with its columns in any order."""
        self._waiting.append(row)
        self._size += len(row.get("text", ""))
        if len(self._waiting) >= _AT_ONCE or self._size >= _LONGEST_WAITING:
            self._write()

    def _write(self) -> None:
        import pyarrow.parquet as pq

        table = self._frame().to_arrow()
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._parquet, table.schema)
        self._writer.write_table(table)
        self._waiting, self._size = [], 0

    def _frame(self) -> pl.DataFrame:
        """The waiting rows as their table declares them."""
        rows = ({name: row[name] for name in self._names} for row in self._waiting)
        frame = frame_of(self._table, rows)
        if not self._numbered:
            return frame
        numbers = [row["seq"] for row in self._waiting]
        return frame.with_columns(pl.Series("seq", numbers, dtype=pl.Int64))
