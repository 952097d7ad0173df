"""What a run cannot hold in memory and reads again: objects in a file."""

import os
import pickle
from array import array
from pathlib import Path
from tempfile import TemporaryFile
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Objects in a file without a name, which goes with the process; several threads may read at once.

    The file is in `folder`, which is made if it is missing.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = TemporaryFile(dir=folder)  # noqa: SIM115  (it is closed when nobody needs it any more)
        self._ends = array("q", [0])

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, one: T) -> int:
        """Keep an object; returns the number by which it is read."""
        size = self._file.write(pickle.dumps(one, pickle.HIGHEST_PROTOCOL))
        self._ends.append(self._ends[-1] + size)
        return len(self) - 1

    def __getitem__(self, number: int) -> T:
        """Read an object."""
        start, end = self._ends[number], self._ends[number + 1]
        self._file.flush()
        read: T = pickle.loads(os.pread(self._file.fileno(), end - start, start))
        return read
