"""Checks of the home as a folder: room on its disk, owners, and what killed runs left in it."""

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from aimsciqa_assets.cli.doctor.findings import Examined, Finding, ok, problem, warning
from aimsciqa_assets.platform.home import Home

_GIB = 2**30
_LEAST = _GIB
_LOOKED_AT = 20_000
_KEPT = "corpus.papers"
_NAMED = 3
_PART = re.compile(r"\..+\.\d+\.\d+\.part")


def home_is_writable(examined: Examined) -> Iterator[Finding]:
    """Files can be made in the home."""
    folder = examined.home.folder
    if not folder.exists():
        yield warning(
            f"there is no folder {folder}",
            "`aimsciqa ingest DIR` makes it. If you meant another one, name it in AIMSCIQA_HOME.",
        )
        return
    try:
        with tempfile.TemporaryFile(dir=folder):
            yield ok(str(folder))
    except OSError as error:
        yield problem(
            f"nothing can be written in {folder}: {error.strerror}",
            "Make this folder writable for you, or name another one in AIMSCIQA_HOME.",
        )


def disk_has_room(examined: Examined) -> Iterator[Finding]:
    """The disk has room for what a run writes: at least for another copy of the warehouse."""
    folder = examined.home.folder
    if not folder.is_dir():
        return
    free = shutil.disk_usage(folder).free
    copy = examined.home.database.stat().st_size if examined.home.database.is_file() else 0
    if free < _LEAST:
        yield problem(f"{size_of(free)} free for {folder}", "Free some space on this disk.")
    elif free < copy + _LEAST:
        yield warning(
            f"{size_of(free)} free for {folder}, whose warehouse has {size_of(copy)}",
            "Free some space on this disk: each run publishes inspect.duckdb, a whole copy.",
        )
    else:
        yield ok(f"{size_of(free)} free")


def files_are_ours(examined: Examined) -> Iterator[Finding]:
    """Folders and files of the home belong to whoever runs this, and nobody else may change them."""
    folder, me = examined.home.folder, os.geteuid()
    if not folder.is_dir():
        return
    entries = []
    for path in islice(_beneath(folder), _LOOKED_AT):
        # A run may remove it meanwhile.
        with suppress(FileNotFoundError):
            entries.append((path, path.lstat()))
    foreign = [path for path, found in entries if found.st_uid != me]
    closed = [path for path in foreign if not os.access(path, os.W_OK, follow_symlinks=False)]
    if closed:
        yield problem(
            f"what belongs to another user cannot be written: {_some(closed)}",
            f"Give them to the user who runs this: `sudo chown -R {me} {folder}`.",
        )
    elif foreign:
        yield warning(
            f"belonging to another user: {_some(foreign)}",
            f"Run `aimsciqa` as the same user always, or give them to this one: `chown -R {me} {folder}`.",
        )
    if open_to_all := [path for path, found in entries if _is_open_to_all(found)]:
        yield warning(
            f"anybody may change {_some(open_to_all)}",
            f"Take that right away: `chmod -R o-w {folder}`. Settings and replies lie there.",
        )
    if not (foreign or open_to_all):
        yield ok(f"{len(entries):,} files and folders belong to this user")


def nothing_is_left_over(examined: Examined) -> Iterator[Finding]:
    """Killed runs left nothing: no unfinished parts, no half-written files, no log of the warehouse."""
    home = examined.home
    held = _held_locks(Path(f"{home.database}.steps"))
    folders = sorted(home.unfinished.iterdir()) if home.unfinished.is_dir() else []
    left = [folder for folder in folders if folder.name not in held and not _waits(folder)]
    if left:
        size = size_of(sum(bytes_in(folder) for folder in left))
        yield warning(
            f"unfinished parts of killed runs ({size}): {_some(left)}",
            "`aimsciqa run` goes on from them and removes them. If you want none of it, delete them.",
        )
    if partial := list(_half_written(home)):
        yield warning(
            f"half-written by killed commands: {_some(partial)}",
            "Delete it: the command that wrote it begins anew.",
        )
    log = Path(f"{home.database}.wal")
    if log.exists() and not held and not _is_held(Path(f"{home.database}.lock")):
        yield warning(
            f"a killed writer left {log}",
            "Leave it where it is: the next `aimsciqa run` takes what it holds into the warehouse.",
        )
        return
    if not (left or partial):
        yield ok(f"{len(held):,} steps are being made" if held else "nothing")


def size_of(number: int) -> str:
    """A number of bytes, for people."""
    for unit, bytes_of in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if number >= bytes_of:
            return f"{number / bytes_of:,.1f} {unit}"
    return f"{number} bytes"


def bytes_in(place: Path) -> int:
    """The bytes of a file, or of all files of a folder; 0 where there is none. Links are not followed."""
    if not place.is_dir():
        return place.lstat().st_size if place.exists() else 0
    size = 0
    for folder, _, files in os.walk(place):
        for file in files:
            # A run may remove it meanwhile.
            with suppress(FileNotFoundError):
                size += os.lstat(f"{folder}/{file}").st_size
    return size


def _beneath(folder: Path) -> Iterator[Path]:
    """The folder and what is in it, the upper levels first."""
    yield folder
    waiting = [folder]
    while waiting:
        with suppress(FileNotFoundError):
            for path in sorted(waiting.pop(0).iterdir()):
                yield path
                if path.is_dir() and not path.is_symlink() and os.access(path, os.R_OK | os.X_OK):
                    waiting.append(path)


def _waits(folder: Path) -> bool:
    """Whether a folder holds what an ingest read for the next run: nobody was killed."""
    return folder.name.startswith(f"{_KEPT}.")


def _is_open_to_all(found: os.stat_result) -> bool:
    # The mode of a link says nothing.
    return bool(found.st_mode & 0o002) and (found.st_mode & 0o170000) != 0o120000


def _half_written(home: Home) -> Iterable[Path]:
    stored = home.files.glob(".partial.*") if home.files.is_dir() else []
    made = [path for path in home.folder.glob(".*.part") if _PART.fullmatch(path.name)]
    return [path for path in (*stored, *made) if not _is_held(path)]


def _held_locks(folder: Path) -> set[str]:
    """The names of parts that some process makes now."""
    return {path.stem for path in folder.glob("*.lock") if _is_held(path)} if folder.is_dir() else set()


def _is_held(path: Path) -> bool:
    try:
        with path.open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _some(paths: list[Path]) -> str:
    more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return f"{', '.join(map(str, paths[:_NAMED]))}{more}"
