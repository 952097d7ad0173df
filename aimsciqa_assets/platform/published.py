"""Files that one worker makes and others need, in the shared place: reports, releases, stores, models.

Bytes lie there once, by their SHA-256. A manifest for each name says which files of a home they are; it is
written last and in one step, so that a killed publication leaves the earlier one whole.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any, Final

from aimsciqa_resources.disk import new_file, taking_the_place_of
from aimsciqa_resources.shared_place import SharedPlace, SharedPlaceError

from aimsciqa_assets.platform.folders import files_in, in_place_of, sha256_of

_NAMES: Final = "published/names"
_BYTES: Final = "published/bytes"
# Bytes that lie there for longer are sent again: `remove_unnamed` may be about to remove them.
_FRESH: Final = timedelta(hours=12)
_LEAST_KEPT: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Publication:
    """What was published under a name: the SHA-256 of each file, by its path in a home.

    `paths` are files and whole folders; `state` says of what they were made, `at` when it was published, in
    seconds since 1970.
    """

    paths: tuple[str, ...]
    files: Mapping[str, str]
    state: str
    at: float

    def within(self, path: str) -> dict[str, str]:
        """The files of one of the paths, by their paths in it; "" is a single file itself."""
        inside = ((file.removeprefix(path), sha256) for file, sha256 in self.files.items())
        return {rest.removeprefix("/"): sha256 for rest, sha256 in inside if not rest or rest[0] == "/"}


class Published:
    """The publications in a shared place. Methods raise `SharedPlaceError`."""

    def __init__(self, place: SharedPlace) -> None:
        self._place = place

    def publish(self, name: str, home: Path, paths: Iterable[Path], state: str = "") -> None:
        """Publish files and folders of a home, in the place of what the name had."""
        relative = [path.relative_to(home).as_posix() for path in paths if path.exists()]
        files = {file: self._send(home / file) for path in relative for file in _files(home, path)}
        now = datetime.now(UTC).timestamp()
        manifest = {"paths": relative, "files": files, "state": state, "at": now}
        self._place.put(name_key(name), json.dumps(manifest, indent=1).encode())

    def find(self, name: str) -> Publication | None:
        """What was published under a name."""
        told = self.told(name)
        return None if told is None else self.publication(name, told)

    def told(self, name: str) -> bytes | None:
        """The manifest of a name, as it is stored."""
        return self._place.read(name_key(name))

    def publication(self, name: str, told: bytes) -> Publication:
        """What a manifest tells that is stored under a name."""
        try:
            return publication_in(told)
        except ValueError:
            raise SharedPlaceError(
                f"{self._place.where(name_key(name))} cannot be read: it was altered. Delete it; then "
                "`aimsciqa run` makes and publishes again what it named."
            ) from None

    def names(self) -> list[str]:
        """The names of all publications."""
        keys = (one.key for one in self._place.below(_NAMES))
        return sorted(PurePosixPath(key).name.removesuffix(".json") for key in keys)

    def fetch(self, name: str, home: Path) -> list[Path]:
        """Put into a home what was published under a name, each file and folder in one step.

        Returns the paths; those that were there already are left as they are.
        """
        if (found := self.find(name)) is None:
            return []
        for path in found.paths:
            wanted, target = found.within(path), home / path
            if _holds(target, wanted):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            if list(wanted) == [""]:
                with taking_the_place_of(target) as fresh:
                    self._receive(wanted[""], fresh)
            else:
                with in_place_of(target) as (fresh, _):
                    for file, sha256 in wanted.items():
                        (fresh / file).parent.mkdir(parents=True, exist_ok=True)
                        if _is(target / file, sha256):
                            shutil.copyfile(target / file, fresh / file)
                        else:
                            self._receive(sha256, fresh / file)
        return [home / path for path in found.paths]

    def remove_unnamed(self, keep_days: float) -> tuple[int, int]:
        """Remove bytes that no name has and that are older than these days, and than one; files and bytes."""
        # Listed before the manifests are read: what is published meanwhile is younger, and stays.
        old = datetime.now(UTC) - max(timedelta(days=keep_days), _LEAST_KEPT)
        aged = [one for one in self._place.below(_BYTES) if one.changed < old]
        publications = [found for name in self.names() if (found := self.find(name))]
        named = {sha256 for found in publications for sha256 in found.files.values()}
        gone = [one for one in aged if PurePosixPath(one.key).name not in named]
        for unnamed in gone:
            self._place.remove(unnamed.key)
        return len(gone), sum(unnamed.size for unnamed in gone)

    def _send(self, file: Path) -> str:
        """Put the bytes of a file into the place, unless they are there; their SHA-256."""
        with file.open("rb") as content:  # a new file may take its place meanwhile
            sha256 = hashlib.file_digest(content, "sha256").hexdigest()
            there = self._place.look(bytes_key(sha256))
            young = datetime.now(UTC) - _FRESH
            if there is None or there.size != content.tell() or there.changed < young:
                content.seek(0)
                self._place.put(bytes_key(sha256), content)
        return sha256

    def _receive(self, sha256: str, target: Path) -> None:
        digest = hashlib.sha256()
        with new_file(target) as write:

            def take(part: bytes) -> None:
                digest.update(part)
                write(part)

            found = self._place.fetch(bytes_key(sha256), take)
        if not found or digest.hexdigest() != sha256:
            what = "was altered" if found else "is missing"
            raise SharedPlaceError(
                f"{self._place.where(bytes_key(sha256))} {what}. Delete it if it is there, and the file in "
                f"{self._place.where(_NAMES)} that names it; then `aimsciqa run` publishes it again."
            )


def publication_in(told: bytes) -> Publication:
    """The publication that a manifest tells. Raises `ValueError` for one that was altered."""
    try:
        said: dict[str, Any] = json.loads(told)
        found = Publication(tuple(said["paths"]), dict(said["files"]), str(said["state"]), float(said["at"]))
    except (KeyError, TypeError) as error:
        raise ValueError(str(error)) from None
    _refuse_outside((*found.paths, *found.files))
    return found


def _files(home: Path, path: str) -> list[str]:
    if (home / path).is_dir():
        return [f"{path}/{file}" for file in files_in(home / path)]
    return [path]


def _holds(target: Path, wanted: Mapping[str, str]) -> bool:
    if list(wanted) == [""]:
        return _is(target, wanted[""])
    there = target.is_dir() and files_in(target) == sorted(wanted)
    return there and all(_is(target / file, sha256) for file, sha256 in wanted.items())


def _is(file: Path, sha256: str) -> bool:
    return file.is_file() and sha256_of(file) == sha256


def _refuse_outside(paths: Iterable[str]) -> None:
    """Raise `ValueError` for a path that would lead out of a home."""
    for path in paths:
        parts = PurePosixPath(path)
        if not path or parts.is_absolute() or ".." in parts.parts:
            raise ValueError(path)


def name_key(name: str) -> str:
    """The key of the manifest of a name."""
    return f"{_NAMES}/{name}.json"


def bytes_key(sha256: str) -> str:
    """The key of published bytes."""
    return f"{_BYTES}/{sha256[:2]}/{sha256}"
