"""The file store: every ingested file once, by the hash of its bytes; nothing is lost with its folder.

Files are named by their SHA-256. What came from a service that tells only MD5s can also be found by its MD5,
so that nothing is downloaded twice.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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

    @contextmanager
    def incoming(self) -> Iterator[Path]:
        """An empty file for a download; `keep` makes it part of the store, otherwise it is removed."""
        Path(self.folder).mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=".partial.", dir=self.folder)
        os.close(descriptor)
        partial = Path(name)
        try:
            yield partial
        finally:
            partial.unlink(missing_ok=True)

    def keep(self, incoming: Path, md5: str) -> str:
        """Make a file of `incoming()`, whose MD5 was verified, part of the store; returns its id."""
        with incoming.open("rb") as content:
            file_id = hashlib.file_digest(content, "sha256").hexdigest()
        kept = self._path(file_id)
        kept.parent.mkdir(exist_ok=True)
        incoming.chmod(0o644)
        incoming.replace(kept)
        self._remember(md5, file_id)
        return file_id

    def find(self, md5: str) -> str | None:
        """The id of the bytes with this MD5, if `keep` took them in."""
        try:
            file_id = self._note(md5).read_text(encoding="ascii")
        except FileNotFoundError:
            return None
        return file_id if self._path(file_id).exists() else None

    def get(self, file_id: str, limit: int = -1) -> bytes:
        """The bytes with this id, the first `limit` of them if it is not negative."""
        with self._path(file_id).open("rb") as content:
            return content.read(limit)

    def size(self, file_id: str) -> int:
        """How many bytes there are."""
        return self._path(file_id).stat().st_size

    def _path(self, file_id: str) -> Path:
        return Path(self.folder) / file_id[:2] / file_id

    def _note(self, md5: str) -> Path:
        return Path(self.folder) / "by-md5" / md5[:2] / md5

    def _remember(self, md5: str, file_id: str) -> None:
        """Write down which id an MD5 has; the note is whole or absent."""
        note = self._note(md5)
        note.parent.mkdir(parents=True, exist_ok=True)
        with self.incoming() as partial:
            partial.write_text(file_id, encoding="ascii")
            partial.replace(note)


def _copy(file: Path, copy: Path) -> str:
    """Copy and hash the same bytes, in one reading: the file may change meanwhile."""
    digest = hashlib.sha256()
    with file.open("rb") as content, copy.open("wb") as target:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
            target.write(chunk)
    return digest.hexdigest()
