"""The file store: every ingested file once, by the hash of its bytes; nothing is lost with its folder."""

import hashlib
import os
from pathlib import Path

import dagster as dg
from pydantic import Field

_CHUNK = 2**20


class FileStore(dg.ConfigurableResource):  # type: ignore[type-arg]
    """A folder of files named by their SHA-256."""

    folder: str = Field(description="where the ingested files are kept")

    def put(self, file: Path) -> str:
        """Keep a copy of a file; returns its id. The copy is whole or absent, also after a crash.

        Raises `OSError` for a file that cannot be read, or a disk that is full.
        """
        Path(self.folder).mkdir(parents=True, exist_ok=True)
        partial = Path(self.folder) / f".partial.{os.getpid()}"
        try:
            file_id = _copy(file, partial)
            kept = self._path(file_id)
            kept.parent.mkdir(exist_ok=True)
            partial.replace(kept)
        finally:
            partial.unlink(missing_ok=True)
        return file_id

    def get(self, file_id: str, limit: int = -1) -> bytes:
        """The bytes with this id, the first `limit` of them if it is not negative."""
        with self._path(file_id).open("rb") as content:
            return content.read(limit)

    def size(self, file_id: str) -> int:
        """How many bytes there are."""
        return self._path(file_id).stat().st_size

    def _path(self, file_id: str) -> Path:
        return Path(self.folder) / file_id[:2] / file_id


def _copy(file: Path, copy: Path) -> str:
    """Copy and hash the same bytes, in one reading: the file may change meanwhile."""
    digest = hashlib.sha256()
    with file.open("rb") as content, copy.open("wb") as target:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
            target.write(chunk)
    return digest.hexdigest()
