"""The file store of several workers: the files lie in a shared place, and each worker keeps copies.

The keys are the paths that the files have in the folder of a single machine: `files/ab/abcd...` by SHA-256.
A copy is compared with its hash at every reading, and fetched again if it is another.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import Field

from aimsciqa_resources.disk import new_file
from aimsciqa_resources.file_store import AGAIN, ALTERED, MISSING, FileStore, StoredFileError, unfit
from aimsciqa_resources.shared_place import SharedPlace, shared_place

_CURE: Final = f"Delete it if it is there. {AGAIN}, on any worker that can write to the place"


class SharedFileStore(FileStore):
    """Files in a shared place, named by their SHA-256; `folder` has copies of those used here.

    Methods also raise `SharedPlaceError`, when the place does not answer or refuses.
    """

    shared: str = Field(description="the shared place: s3://bucket/prefix, or the whole path of a folder")

    def get(self, file_id: str, limit: int = -1) -> bytes:
        """The bytes with this id, fetched first if this worker has none or altered ones."""
        try:
            return super().get(file_id, limit)
        except StoredFileError:
            self._fetch(file_id)
        return super().get(file_id, limit)

    def size(self, file_id: str) -> int:
        """How many bytes there are."""
        if (there := self._place.look(_key(file_id))) is None:
            raise self._unfit(file_id, MISSING)
        return there.size

    def find(self, md5: str) -> str | None:
        """The id of the bytes with this MD5, if any worker took them in and they were not altered since."""
        note = self._place.read(_note_key(md5))
        file_id = (note or b"").decode("ascii", "replace")
        there = self._place.look(_key(file_id)) if file_id else None
        if there and there.md5 != md5:
            # The place tells no MD5: the bytes themselves do.
            try:
                self.get(file_id, 0)
            except StoredFileError:
                return None
        return file_id if there else None

    def upload(self) -> Iterator[tuple[str, bool]]:
        """Put into the place the files that the folder holds and the place lacks, with their MD5s.

        Gives the id of each file, and whether it was taken: altered files are not.
        """
        for path in sorted(Path(self.folder).glob("[0-9a-f][0-9a-f]/*")):
            try:
                super().get(path.name, 0)
            except StoredFileError:
                yield path.name, False
            else:
                there = self._place.look(_key(path.name))
                if not (there and there.size == path.stat().st_size):
                    self._place.put(_key(path.name), path)
                yield path.name, True
        for note in sorted(Path(self.folder).glob("by-md5/*/*")):
            self._remember(note.name, note.read_text(encoding="ascii"))

    @property
    def _place(self) -> SharedPlace:
        return shared_place(self.shared)

    def _take(self, partial: Path, file_id: str) -> None:
        """Put the file into the place, unless these bytes are there, and then among the copies."""
        there = self._place.look(_key(file_id))
        if not (there and there.md5 and there.md5 == _md5(partial)):
            self._place.put(_key(file_id), partial)
        super()._take(partial, file_id)

    def _remember(self, md5: str, file_id: str) -> None:
        self._place.put(_note_key(md5), file_id.encode())

    def _fetch(self, file_id: str) -> None:
        digest = hashlib.sha256()
        with self.incoming() as partial:
            with new_file(partial) as write:

                def take(part: bytes) -> None:
                    digest.update(part)
                    write(part)

                found = self._place.fetch(_key(file_id), take)
            if not found:
                raise self._unfit(file_id, MISSING)
            if digest.hexdigest() != file_id:
                raise self._unfit(file_id, ALTERED)
            super()._take(partial, file_id)

    def _unfit(self, file_id: str, what: str) -> StoredFileError:
        return unfit(self._place.where(_key(file_id)), file_id, what, _CURE)


def _key(file_id: str) -> str:
    return f"files/{file_id[:2]}/{file_id}"


def _note_key(md5: str) -> str:
    return f"files/by-md5/{md5[:2]}/{md5}"


def _md5(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
