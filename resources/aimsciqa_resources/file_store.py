"""The file store: every ingested file once, by the hash of its bytes; nothing is lost with its folder."""

import hashlib
import os
import shutil
from pathlib import Path

import dagster as dg
from pydantic import Field


class FileStore(dg.ConfigurableResource):  # type: ignore[type-arg]
    """A folder of files named by their SHA-256."""

    folder: str = Field(description="where the ingested files are kept")

    def put(self, file: Path) -> str:
        """Keep a copy of a file; returns its id. The copy is whole or absent, also after a crash."""
        with file.open("rb") as content:
            file_id = hashlib.file_digest(content, "sha256").hexdigest()
        kept = self._path(file_id)
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            partial = kept.with_name(f".{file_id}.{os.getpid()}")
            shutil.copyfile(file, partial)
            partial.replace(kept)
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
