"""Notes that come are listed in Parquet files, so that memory does not grow with them."""

from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from aimsciqa_assets.scidqa.intake.row_file import RowFile
from aimsciqa_assets.scidqa.notes import Note, RejectedNoteError, Told, read_line, read_note

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
        self._notes = RowFile(self.listed.parquet, "scidqa.notes", numbered=True)
        self._rejected = RowFile(self.listed.rejected, "scidqa.rejected_lines")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._notes, self._rejected:
            pass

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

    def add_forum(self, forum_id: str, raws: Iterable[Any]) -> None:
        """Add the notes of a forum."""
        for position, raw in enumerate(raws, start=1):
            self.add(raw, Told(forum_id), 0, position)

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
