"""Notes that come are listed in Parquet files, so that memory does not grow with them."""

from collections import Counter
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import polars as pl

from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.scidqa.notes import Note, RejectedNoteError, Told, read_line, read_note
from aimsciqa_assets.tables import TABLES

_AT_ONCE: Final = 1000
_LONGEST_WAITING: Final = 8 * 2**20
_EXAMPLES: Final = 3


@dataclass(slots=True)
class Listed:
    """The notes that came, in `parquet` and `gone`: rows of `scidqa.notes` with an empty batch, numbered by
    `seq`.

    `rejected`, in the same way, are rows of `scidqa.rejected_lines`. `examples` tells the first of them.
    """

    folder: Path
    notes: int = 0
    lines: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    @property
    def parquet(self) -> Path:
        """Where the notes are."""
        return self.folder / "came.parquet"

    @property
    def gone(self) -> Path:
        """Where the notes are that a server has no more, if it is known which."""
        return self.folder / "gone.parquet"

    @property
    def rejected(self) -> Path:
        """Where the lines are that hold none."""
        return self.folder / "rejected.parquet"


class Listing(AbstractContextManager["Listing"]):
    """Lists notes in a folder, until its context ends."""

    def __init__(self, folder: Path, file_id: str = "", file_name: str = "") -> None:
        self.listed = Listed(folder)
        self._file = {"file_id": file_id, "file_name": file_name}
        self._notes = _Rows(self.listed.parquet, "scidqa.notes")
        self._rejected = _Rows(self.listed.rejected, "scidqa.rejected_lines")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._notes.close()
        self._rejected.close()

    def add_line(self, number: int, data: bytes) -> None:
        """Add what a line of a file holds."""
        self.listed.lines += 1
        try:
            told, raws = read_line(data)
        except RejectedNoteError as error:
            self.reject(number, 0, error)
            return
        for position, raw in enumerate(raws, start=1):
            self.add(raw, told, number, position if len(raws) > 1 or told.forum_id else 0)

    def add(self, raw: Any, told: Told | None = None, number: int = 0, position: int = 0) -> None:
        """Add a note, or the reason why it is none."""
        try:
            note = read_note(raw, told)
        except RejectedNoteError as error:
            self.reject(number, position, error)
            return
        self._add(note)

    def _add(self, note: Note) -> None:
        self._notes.add({**note.row, "batch": "", "seq": self.listed.notes})
        self.listed.notes += 1

    def reject(self, number: int, position: int, error: RejectedNoteError) -> None:
        """Note down what holds no note, and why."""
        self.listed.reasons[error.reason] += 1
        if len(self.listed.examples) < _EXAMPLES:
            self.listed.examples.append(f"line {number}: {error}")
        self._rejected.add(
            {
                **self._file,
                "line": number,
                "position": position,
                "note_id": error.note_id,
                "rejection_reason": error.reason,
                "detail": str(error),
            }
        )


class _Rows:
    """Rows of a table, written some at a time."""

    def __init__(self, parquet: Path, table: str) -> None:
        self._parquet = parquet
        self._table = table
        self._waiting: list[dict[str, Any]] = []
        self._size = 0
        self._writer: Any = None

    def add(self, row: dict[str, Any]) -> None:
        self._waiting.append(row)
        self._size += len(row.get("text", ""))
        if len(self._waiting) >= _AT_ONCE or self._size >= _LONGEST_WAITING:
            self._write()

    def close(self) -> None:
        self._write()
        self._writer.close()

    def _write(self) -> None:
        import pyarrow.parquet as pq

        table = self._frame().to_arrow()
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._parquet, table.schema)
        self._writer.write_table(table)
        self._waiting, self._size = [], 0

    def _frame(self) -> pl.DataFrame:
        """The waiting rows as their table declares them, with `seq` where they have it."""
        numbers = [row.pop("seq", 0) for row in self._waiting]
        order = [column.name for column in TABLES[self._table].columns]
        rows = [_in_order(row, order) for row in self._waiting]
        return frame_of(self._table, rows).with_columns(pl.Series("seq", numbers, dtype=pl.Int64))


def _in_order(row: Mapping[str, Any], order: list[str]) -> dict[str, Any]:
    return {name: row[name] for name in order}
