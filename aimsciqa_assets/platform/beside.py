"""What of a corpus lies beside its tables: files of a home, or objects in the place that workers share.

Each has a key: `files/...` is an ingested file, `published/...` what a worker made for others, and `home/...`
any other file of a home. What can be made again (the snapshot, locks, what is unfinished) has none.
"""

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, Protocol

from aimsciqa_resources.disk import taking_the_place_of, writing_to
from aimsciqa_resources.settings_file import FILE_NAME, general
from aimsciqa_resources.shared_place import SharedPlace, shared_place

from aimsciqa_assets.platform.folders import files_in, sha256_of
from aimsciqa_assets.platform.home import SNAPSHOT, Home
from aimsciqa_assets.platform.published import Published, bytes_key, name_key, publication_in

SETTINGS: Final = f"home/{FILE_NAME}"
_FILES: Final = "files/"
_HOME: Final = "home/"
_NAME: Final = re.compile(r"published/names/[^/]+\.json")
_BY_HASH: Final = re.compile(r"(?:files|published/bytes)/[0-9a-f]{2}/([0-9a-f]{64})")
_NOTE: Final = re.compile(r"files/by-md5/[0-9a-f]{2}/[0-9a-f]{32}")
# The tables and the journal are in a backup by themselves; what else begins like them are locks and scratch.
_MADE_AGAIN: Final = re.compile(
    r"(files|dagster|unfinished|lake\.tmp)/|(warehouse|inspect)\.duckdb|journal\.sqlite"
    r"|airqa/observations\.sqlite|reading-report\.csv|([^/]+/)?(\.[^/]+|[^/]+\.(lock|tmp))(/|$)"
)
# Each worker has its own.
_OF_ONE_WORKER: Final = re.compile(rf"audit/|{re.escape(FILE_NAME)}$")
_CHUNK: Final = 2**20


class ChangedMeanwhileError(RuntimeError):
    """A file went or changed while it was read."""


class Beside(Protocol):
    """What lies beside the tables, of one home or of all workers. All may raise `SharedPlaceError`."""

    def keys(self) -> Iterator[str]:
        """All keys: those of names before those of the bytes that they name."""
        ...

    def fetch(self, key: str, write: Callable[[bytes], object]) -> None:
        """Hand over the bytes with a key. Raises `ChangedMeanwhileError`."""
        ...

    def in_the_way(self, files: Mapping[str, Path]) -> list[str]:
        """The places of other files than these, given by their keys, which `put` would replace."""
        ...

    def put(self, files: Mapping[str, Path]) -> int:
        """Put files where they belong, but for settings; returns how many were not there."""
        ...


def beside(home: Home) -> Beside:
    """What lies beside the tables of a home; with AIMSCIQA_SHARED, those of all workers."""
    if shared := general("AIMSCIQA_SHARED"):
        return _OfWorkers(home, shared_place(shared))
    return _OfHome(home)


def hash_in(key: str) -> str:
    """The SHA-256 by which a key names its bytes; "" for a key that does not."""
    named = _BY_HASH.fullmatch(key)
    return named[1] if named else ""


def is_lasting(key: str) -> bool:
    """Whether the bytes with a key are always the same."""
    return bool(_BY_HASH.fullmatch(key) or _NOTE.fullmatch(key))


class _OfHome:
    """The files of a home; unless it is `whole`, those that each worker has for itself."""

    def __init__(self, home: Home, *, whole: bool = True) -> None:
        self._home = home
        self._whole = whole
        self._seen: dict[str, tuple[int, ...]] = {}

    def keys(self) -> Iterator[str]:
        paths = [path for path in files_in(self._home.folder) if not _MADE_AGAIN.match(path)]
        own = [path for path in paths if self._whole or _OF_ONE_WORKER.match(path)]
        # A folder may be replaced while it is copied: none of these may change from now on.
        self._seen = {_HOME + path: _state(self._home.folder / path) for path in own}
        yield from self._seen
        if self._whole and self._home.files.is_dir():
            yield from (_FILES + path for path in files_in(self._home.files) if not _MADE_AGAIN.match(path))

    def fetch(self, key: str, write: Callable[[bytes], object]) -> None:
        path = self._path(key)
        try:
            with path.open("rb") as content:
                while part := content.read(_CHUNK):
                    write(part)
        except FileNotFoundError:
            raise ChangedMeanwhileError(str(path)) from None
        if key in self._seen and self._seen[key] != _state(path):
            raise ChangedMeanwhileError(str(path))

    def in_the_way(self, files: Mapping[str, Path]) -> list[str]:
        wanted = _in_a_home(files)
        return [str(path) for key, file in wanted.items() if _is_other(path := self._path(key), key, file)]

    def put(self, files: Mapping[str, Path]) -> int:
        new = 0
        for key, file in _in_a_home(files).items():
            path = self._path(key)
            if not (path.exists() and sha256_of(path) == sha256_of(file)):
                with writing_to(path.parent):
                    path.parent.mkdir(parents=True, exist_ok=True)
                with taking_the_place_of(path) as fresh, writing_to(path):
                    shutil.copyfile(file, fresh)
                new += 1
        return new

    def _path(self, key: str) -> Path:
        if key.startswith(_FILES):
            return self._home.files / key.removeprefix(_FILES)
        return self._home.folder / key.removeprefix(_HOME)


class _OfWorkers:
    """The objects in AIMSCIQA_SHARED, and what the worker in whose home this is has for itself."""

    def __init__(self, home: Home, place: SharedPlace) -> None:
        self._place = place
        self._own = _OfHome(home, whole=False)
        self._names: dict[str, bytes] = {}

    def keys(self) -> Iterator[str]:
        yield from self._own.keys()
        published, named = Published(self._place), set[str]()
        for name in published.names():
            # A newer publication may take its place before it is fetched.
            if name != SNAPSHOT and (told := published.told(name)):
                named |= set(published.publication(name, told).files.values())
                self._names[name_key(name)] = told
        yield from self._names
        yield from map(bytes_key, sorted(named))
        yield from (one.key for one in self._place.below(_FILES.rstrip("/")))

    def fetch(self, key: str, write: Callable[[bytes], object]) -> None:
        if key.startswith(_HOME):
            self._own.fetch(key, write)
        elif told := self._names.get(key):
            write(told)
        elif not self._place.fetch(key, write):
            raise ChangedMeanwhileError(self._place.where(key))

    def in_the_way(self, files: Mapping[str, Path]) -> list[str]:
        names = {key: file for key, file in files.items() if _NAME.fullmatch(key)}
        other = [
            self._place.where(key)
            for key, file in names.items()
            if self._place.read(key) not in (None, file.read_bytes())
        ]
        return other + self._own.in_the_way(_of_homes(files))

    def put(self, files: Mapping[str, Path]) -> int:
        new = self._own.put(_of_homes(files))
        objects = files.keys() - _of_homes(files).keys()
        # A name only when the bytes are there that it names.
        for key in sorted(objects, key=lambda key: bool(_NAME.fullmatch(key))):
            there = self._place.look(key)
            if not (there and hash_in(key) and there.size == files[key].stat().st_size):
                self._place.put(key, files[key])
                new += 1
        return new


def _of_homes(files: Mapping[str, Path]) -> dict[str, Path]:
    return {key: file for key, file in files.items() if key.startswith(_HOME) and key != SETTINGS}


def _in_a_home(files: Mapping[str, Path]) -> dict[str, Path]:
    """Files as a home has them: what workers published lies where its name says."""
    wanted = {key: file for key, file in files.items() if key.startswith(_FILES)} | _of_homes(files)
    for key, file in files.items():
        if _NAME.fullmatch(key):
            found = publication_in(file.read_bytes()).files
            wanted |= {_HOME + path: files[bytes_key(sha256)] for path, sha256 in found.items()}
    return wanted


def _is_other(path: Path, key: str, file: Path) -> bool:
    """Whether there is another file at a path, which is not altered but may be of somebody."""
    return path.exists() and not is_lasting(key) and sha256_of(path) != sha256_of(file)


def _state(path: Path) -> tuple[int, ...]:
    """What changes with a file; nothing where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns
