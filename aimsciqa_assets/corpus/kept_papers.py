"""Parsed papers on their way from an ingest to the step that makes their rows: a file for each, by file id.

They lie among what is unfinished, so that they go when the rows are written. None of them has to be there: a
file is read again if its paper is missing, damaged, that of another file, or read by other code.
"""

import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from aimsciqa_resources.disk import new_file, writing_to

from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.home import Home

_ROOMS = Path(__file__).parents[1]
_READ_BY = ("reading", "text")
_LIBRARIES = ("lxml", "pymupdf", "pymupdf_layout")
_SEAL = 64


@dataclass(frozen=True, slots=True)
class KeptPapers:
    """A folder of kept papers: those of an ingest, or of a paper batch. `reading.kept` makes their text."""

    folder: Path

    @classmethod
    def of_ingest(cls, home: Home) -> "KeptPapers":
        """Those of an ingest that has no batches yet; after a kill, the next ingest uses them."""
        return cls(home.unfinished_part(INPUT_FILES))

    @classmethod
    def of_batch(cls, home: Home, batch: str) -> "KeptPapers":
        """Those of a paper batch whose rows are not written yet."""
        return cls(home.unfinished_part("corpus.papers", batch))

    def get(self, file_id: str) -> str:
        """The text of a file's paper; empty if there is none, or none that is fit."""
        with suppress(OSError):
            content = (self.folder / file_id).read_text(encoding="ascii", errors="replace")
            if content[:_SEAL] == _seal(file_id, content[_SEAL:]):
                return content[_SEAL:]
        return ""

    def put(self, file_id: str, text: str) -> None:
        """Keep the text of a file's paper. Raises `UnwritableError`."""
        with writing_to(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        with new_file(self.folder / file_id) as write:
            write(f"{_seal(file_id, text)}{text}".encode("ascii"))

    def hand_over(self, home: Home, batches: Mapping[str, str]) -> None:
        """Move the papers to their batches, which are given by file id. Raises `UnwritableError`."""
        for path in self.folder.glob("*"):
            if path.name in batches:
                target = self.of_batch(home, batches[path.name]).folder
                with writing_to(target):
                    target.mkdir(parents=True, exist_ok=True)
                    path.replace(target / path.name)


def _seal(file_id: str, text: str) -> str:
    return sha256(f"{_revision()} {file_id} {text}".encode()).hexdigest()


@cache
def _revision() -> str:
    """A hash of what decides how a file is read: the code of the readers, and their libraries."""
    code = sha256(" ".join([sys.version, *map(version, _LIBRARIES)]).encode())
    for room in _READ_BY:
        for path in sorted((_ROOMS / room).rglob("*.py")):
            code.update(path.read_bytes())
    return code.hexdigest()
