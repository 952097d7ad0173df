"""What a run cannot hold in memory and reads again: objects in a file."""

import os
import pickle
from pathlib import Path
from tempfile import TemporaryFile
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Objects in a file without a name, which goes with the process; several threads may read at once."""

    def __init__(self, folder: Path) -> None:
        self._file = TemporaryFile(dir=folder)  # noqa: SIM115  (it is closed when nobody needs it any more)
        self._places: list[tuple[int, int]] = []
        self._end = 0

    def add(self, one: T) -> int:
        """Keep an object; returns the number by which it is read."""
        size = self._file.write(pickle.dumps(one, pickle.HIGHEST_PROTOCOL))
        self._places.append((self._end, size))
        self._end += size
        return len(self._places) - 1

    def __getitem__(self, number: int) -> T:
        """Read an object."""
        start, size = self._places[number]
        self._file.flush()
        read: T = pickle.loads(os.pread(self._file.fileno(), size, start))
        return read
