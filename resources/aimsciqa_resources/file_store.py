"""The file store: every ingested file once, by the hash of its bytes, even if its folder is deleted.

Files are named by their SHA-256, which is checked at every reading: altered bytes are reported, never used.
A file from a service that gives only MD5s can also be found by its MD5, so that nothing is downloaded twice.
"""

import errno
import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

import dagster as dg
from pydantic import Field

from aimsciqa_resources.disk import new_file, writing_to

MISSING: Final = "is missing"
ALTERED: Final = "was altered: its bytes are not those that were taken in"
AGAIN: Final = "Give the same file again with `aimsciqa ingest FILE` (or its folder)"
_CHUNK = 2**20


class StoredFileError(OSError):
    """A file of the store is gone or altered. `filename` is its path, `strerror` says how to get it back."""

    def __str__(self) -> str:
        """The path, what is wrong and the cure on one line."""
        return f"{self.filename}: {self.strerror}"


class FileStore(dg.ConfigurableResource):  # type: ignore[type-arg]
    """A folder of files named by their SHA-256."""

    folder: str = Field(description="where the ingested files are kept")

    def put(self, file: Path) -> str:
        """Keep a copy of a file; returns its id. The copy is complete or absent, also after a crash.

        Raises `OSError` when the file cannot be read, `UnwritableError` when the store cannot be written.
        """
        with file.open("rb") as content, self.incoming() as partial:
            file_id = _copy(content, partial)
            self._take(partial, file_id)
        return file_id

    def put_bytes(self, data: bytes) -> str:
        """Keep some bytes as a file; returns its id. Raises `UnwritableError`."""
        file_id = hashlib.sha256(data).hexdigest()
        with self.incoming() as partial:
            with new_file(partial) as write:
                write(data)
            self._take(partial, file_id)
        return file_id

    @contextmanager
    def incoming(self) -> Iterator[Path]:
        """An empty file for a download; it is removed unless `keep` makes it part of the store.

        Raises `UnwritableError`.
        """
        folder = Path(self.folder)
        with writing_to(folder):
            folder.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(prefix=".partial.", dir=folder)
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
        self._take(incoming, file_id)
        self._remember(md5, file_id)
        return file_id

    def find(self, md5: str) -> str | None:
        """The id of the bytes with this MD5, if `keep` took them in and they were not altered since."""
        try:
            file_id = self._note(md5).read_text(encoding="ascii")
            self.get(file_id, 0)
        except (FileNotFoundError, StoredFileError):
            return None
        return file_id

    def get(self, file_id: str, limit: int = -1) -> bytes:
        """The bytes with this id; only the first `limit` of them if it is not negative.

        All are read and checked in any case. Raises `StoredFileError` when they are missing or altered.
        """
        path = self._path(file_id)
        with _reading(path), path.open("rb") as content:
            data = content.read(limit)
            digest = hashlib.sha256(data)
            while chunk := content.read(_CHUNK):
                digest.update(chunk)
        if digest.hexdigest() != file_id:
            raise unfit(str(path), file_id, ALTERED)
        return data

    def size(self, file_id: str) -> int:
        """How many bytes there are. Raises `StoredFileError`."""
        path = self._path(file_id)
        with _reading(path):
            return path.stat().st_size

    def _take(self, partial: Path, file_id: str) -> None:
        """Make a file of `incoming()` the one with this id, also in place of an altered one."""
        kept = self._path(file_id)
        with writing_to(kept.parent):
            kept.parent.mkdir(exist_ok=True)
            partial.chmod(0o644)
            partial.replace(kept)

    def _path(self, file_id: str) -> Path:
        return Path(self.folder) / file_id[:2] / file_id

    def _note(self, md5: str) -> Path:
        return Path(self.folder) / "by-md5" / md5[:2] / md5

    def _remember(self, md5: str, file_id: str) -> None:
        """Record the id for an MD5; the record is complete or absent."""
        note = self._note(md5)
        with self.incoming() as partial, writing_to(note):
            note.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(file_id, encoding="ascii")
            partial.replace(note)


def _copy(content: BinaryIO, partial: Path) -> str:
    """Copy and hash in one reading: the file may change between two."""
    digest = hashlib.sha256()
    with new_file(partial) as write:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
            write(chunk)
    return digest.hexdigest()


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise unfit(str(path), path.name, MISSING) from None
    except OSError as error:
        raise unfit(str(path), path.name, f"cannot be read ({error.strerror})") from None


def unfit(place: str, file_id: str, what: str, cure: str = AGAIN) -> StoredFileError:
    """The error for a file that cannot be used, with what to do."""
    told = (
        f"the stored file {what}. {cure}: this "
        'puts it back, under any name. Find its name by `aimsciqa sql "select file_name from '
        f"corpus.input_files where '{file_id}' in (file_id, shard)\"`; one like PMC123.1.xml can be "
        "downloaded from PubMed Central. Then run the same command again"
    )
    return StoredFileError(errno.EIO, told, place)
