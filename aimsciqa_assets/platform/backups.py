"""Backups of a corpus: a folder with its tables in one state, its replies and files, complete or no backup.

`backup.json` names every file with its SHA-256. It is written last and in one step, so that a killed backup
leaves the earlier one whole. Files that never change lie in `objects` and are taken once; whatever else a
backup has lies in a folder `state...` of its own.
"""

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any, Final

from aimsciqa_resources.disk import new_file, taking_the_place_of, writing_to
from aimsciqa_resources.language_model.journal_exchange import export_journal, import_journal
from aimsciqa_resources.locks import one_at_a_time
from aimsciqa_resources.settings_file import general
from packaging.version import Version

from aimsciqa_assets.platform.beside import (
    SETTINGS,
    Beside,
    ChangedMeanwhileError,
    beside,
    hash_in,
    is_lasting,
)
from aimsciqa_assets.platform.folders import files_in, sha256_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.writing import declared_as

UPKEEP: Final = "upkeep"
"""The lock of backups and of `aimsciqa maintain`, which deletes files."""

_FORMAT: Final = 1
_MANIFEST: Final = "backup.json"
_LOCK: Final = ".backup.lock"
_OBJECTS, _STATE = "objects", "state."
_TABLES, _REPLIES = "warehouse.duckdb", "journal.jsonl.gz"
_NOTE: Final = re.compile(rb"[0-9a-f]{64}")
_SHOWN: Final = 3


class BackupError(RuntimeError):
    """A backup cannot be made or restored; the message says why and what to do."""


@dataclass(frozen=True)
class Backup:
    """A finished backup: the SHA-256 of each file by its path in the folder."""

    folder: Path
    of: str
    made_at: str
    aimsciqa: str
    replies: int
    files: Mapping[str, str]

    @classmethod
    def find(cls, folder: Path) -> "Backup | None":
        """The backup in a folder, if one was finished. Raises `BackupError`."""
        try:
            told: dict[str, Any] = json.loads((folder / _MANIFEST).read_bytes())
            if (form := told.pop("format")) == _FORMAT:
                return cls(folder, **told)
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError):
            raise BackupError(f"{folder / _MANIFEST} was altered: this is no backup any more.") from None
        raise BackupError(f"{folder} has format {form}: restore it with the aimsciqa that made it.")

    @cached_property
    def by_key(self) -> dict[str, Path]:
        """The files by what they are: tables, replies, and the keys of what lay beside them."""
        return {path.split("/", 1)[1]: self.folder / path for path in self.files}

    def must_be_whole(self) -> None:
        """Raise `BackupError` unless every file has its hash."""
        bad = [path for path, sha256 in self.files.items() if _hash_of(self.folder / path) != sha256]
        if bad:
            raise BackupError(
                f"{len(bad):,} of {len(self.files):,} files of {self.folder} are gone or were altered, such "
                f"as {', '.join(bad[:_SHOWN])}: nothing was restored. Take another backup."
            )


@dataclass(frozen=True, slots=True)
class Made:
    """A backup that was made: files copied now, those that an earlier one had, and altered ones left out."""

    replies: int
    copied: int
    known: int
    altered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore put in place. `settings` is the settings file of then, which stays in the backup."""

    replies: int
    files: int
    settings: Path | None


def back_up(home: Home, folder: Path) -> Made:
    """Back up the tables, replies and files of a home, or of all workers; a second time only what is new.

    Tables come first, so that replies and files are at least those that they tell of. Writers of a lake go
    on. Raises `BackupError`, `WarehouseMissingError`, `WarehouseBrokenError`, `CopyError`, `JournalError`,
    `SharedPlaceError` and `UnwritableError`; then the folder has its earlier backup, or none.
    """
    _refuse_within(home, folder)
    home.warehouse.must_exist()
    with _own(folder), home.warehouse.one_at_a_time(UPKEEP):
        earlier = Backup.find(folder)
        _remove_states(folder, earlier)
        state = Path(tempfile.mkdtemp(prefix=_STATE, dir=folder))
        home.warehouse.back_up(state / _TABLES, declared_as)
        replies = export_journal(home.journal, state / _REPLIES) if home.journal.exists() else 0
        kept = _keep(beside(home), folder, state)
        own = {f"{state.name}/{path}": sha256_of(state / path) for path in files_in(state)}
        made = Backup(
            folder,
            of=home.warehouse.place.name,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            aimsciqa=version("aimsciqa"),
            replies=replies,
            files=own | kept.objects,
        )
        _write(made)
        _remove_states(folder, made)
        _remove_objects(made)
    return Made(replies, kept.copied, kept.known, tuple(kept.altered))


def restore(home: Home, folder: Path) -> Restored:
    """Put the backup in a folder in the place of a corpus that is gone: a home, or a lake and what it shares.

    It may be of another kind of place. Tables come last; a killed restore goes on. Raises `BackupError`
    before anything is put anywhere where the backup is not whole, or other files are in its way; likewise
    `CopyError` for rows. Also raises what `back_up` does.
    """
    if (backup := Backup.find(folder)) is None:
        raise BackupError(f"There is no finished backup in {folder}: it has no {_MANIFEST}.")
    if Version(backup.aimsciqa) > Version(version("aimsciqa")):
        raise BackupError(f"{folder} is by aimsciqa {backup.aimsciqa}: restore it with that or a newer one.")
    backup.must_be_whole()
    files = dict(backup.by_key)
    tables, replies = files.pop(_TABLES), files.pop(_REPLIES, None)
    home.warehouse.refuse_other_rows(tables)
    place = beside(home)
    if other := place.in_the_way(files):
        raise BackupError(
            f"{len(other):,} other files are in the way, such as {', '.join(other[:_SHOWN])}: nothing was "
            "restored. Name another place, or move them away."
        )
    new = import_journal(home.journal, replies).new if replies else 0
    put = place.put(files)
    home.warehouse.restore(tables, declared_as)
    return Restored(new, put, files.get(SETTINGS))


@dataclass
class _Kept:
    """What lay beside the tables: the SHA-256 of lasting files by path, and the keys of altered ones."""

    objects: dict[str, str] = field(default_factory=dict)
    altered: list[str] = field(default_factory=list)
    copied: int = 0
    known: int = 0


def _keep(source: Beside, folder: Path, state: Path) -> _Kept:
    """Copy what lies beside the tables, but for lasting files that an earlier backup copied."""
    kept = _Kept()
    for key in source.keys():  # noqa: SIM118
        lasting = is_lasting(key)
        path = (folder / _OBJECTS if lasting else state) / key
        if lasting and (sha256 := _kept_already(path, key)):
            kept.known += 1
        elif sha256 := _copied(source, key, path):
            kept.copied += 1
        else:
            kept.altered.append(key)
            continue
        if lasting:
            kept.objects[f"{_OBJECTS}/{key}"] = sha256
    return kept


def _kept_already(path: Path, key: str) -> str:
    """The SHA-256 of the right bytes of a key, if they are there; else ""."""
    if not path.is_file():
        return ""
    sha256 = sha256_of(path)
    right = sha256 == named if (named := hash_in(key)) else _NOTE.fullmatch(path.read_bytes())
    return sha256 if right else ""


def _copied(source: Beside, key: str, path: Path) -> str:
    """Copy the bytes of a key, and give their SHA-256; "" where they are not those that it names."""
    digest = hashlib.sha256()
    with writing_to(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with taking_the_place_of(path) as fresh:
            with new_file(fresh) as write:

                def take(part: bytes) -> None:
                    digest.update(part)
                    write(part)

                source.fetch(key, take)
            if hash_in(key) not in ("", digest.hexdigest()):
                raise _AlteredError
    except _AlteredError:
        return ""
    except ChangedMeanwhileError as error:
        raise BackupError(
            f"{error} changed while it was copied. Give the same command again when nothing is made there: "
            "what is copied already is not copied again."
        ) from None
    return digest.hexdigest()


class _AlteredError(Exception):
    """Bytes are not those that their key names."""


@contextmanager
def _own(folder: Path) -> Iterator[None]:
    """A folder for backups and nothing else, which is made; others wait."""
    with writing_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not (folder / _LOCK).exists():
            raise BackupError(f"{folder} holds other files: name a new folder, or that of an earlier backup.")
    with one_at_a_time(folder / _LOCK):
        yield


def _refuse_within(home: Home, folder: Path) -> None:
    """Raise `BackupError` for a folder within what is backed up: a broken disk would take both."""
    places = (str(home.folder), general("AIMSCIQA_SHARED"), general("AIMSCIQA_WAREHOUSE_DATA"))
    for place in (Path(named).resolve() for named in places if Path(named).is_absolute()):
        if folder.resolve().is_relative_to(place):
            raise BackupError(f"{folder} lies in {place}: name a folder elsewhere, best on another disk.")


def _write(backup: Backup) -> None:
    told = {"format": _FORMAT, **asdict(backup)}
    del told["folder"]
    with taking_the_place_of(backup.folder / _MANIFEST) as fresh, writing_to(backup.folder):
        fresh.write_text(json.dumps(told, indent=1), encoding="ascii")


def _remove_states(folder: Path, backup: Backup | None) -> None:
    """Remove what belongs to no finished backup, but for lasting files: the next one needs them."""
    named = {PurePosixPath(path).parts[0] for path in backup.files} if backup else set()
    for state in folder.glob(f"{_STATE}*"):
        if state.name not in named:
            shutil.rmtree(state)


def _remove_objects(backup: Backup) -> None:
    """Remove lasting files that a backup does not have."""
    objects = backup.folder / _OBJECTS
    for path in files_in(objects):
        if f"{_OBJECTS}/{path}" not in backup.files:
            (objects / path).unlink()


def _hash_of(file: Path) -> str:
    return sha256_of(file) if file.is_file() else ""
