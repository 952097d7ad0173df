"""Writes files whole or not at all; one error stands for disks that are full or read-only."""

import errno
import fcntl
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM)
_REASONS = {os.strerror(number): number for number in (*_FULL, *_CLOSED, errno.EISDIR, errno.EIO)}
_CURES = (
    dict.fromkeys(_FULL, "make room on this disk, then run the same command again")
    | dict.fromkeys(
        _CLOSED, "make it readable and writable for this user, or set AIMSCIQA_HOME to another folder"
    )
    | dict.fromkeys((errno.EISDIR, errno.ENOTSUP), "move it away, or name another file")
)
# DuckDB's threads wrap their messages in JSON.
_TOLD_BY_DUCKDB = re.compile(
    rf'file \\?"(?P<file>[^"\\]+)\\?": (?P<reason>{"|".join(map(re.escape, _REASONS))})'
)
_OTHER_CURE = "repair this disk, or set AIMSCIQA_HOME to a folder on another one"


class UnwritableError(OSError):
    """Something cannot be written. `filename` is the place; `strerror` is the reason and what to do.

    `errno` is ENOSPC on a full disk, otherwise EROFS.
    """

    def __init__(self, number: int, reason: str, place: str) -> None:
        super().__init__(errno.ENOSPC if number in _FULL else errno.EROFS, reason, place)

    def __str__(self) -> str:
        """The place, the reason and the cure on one line."""
        return f"{self.filename}: {self.strerror}"


def unwritable(place: Path | str, number: int | None) -> UnwritableError:
    """The error for an error number of the system."""
    number = number or errno.EIO
    return UnwritableError(number, f"{os.strerror(number)}: {_CURES.get(number, _OTHER_CURE)}", str(place))


def unwritable_for_duckdb(message: str) -> UnwritableError | None:
    """The error for a message of DuckDB, if the message is about the disk."""
    told = _TOLD_BY_DUCKDB.search(message)
    return unwritable(told["file"], _REASONS[told["reason"]]) if told else None


@contextmanager
def writing_to(place: Path) -> Iterator[None]:
    """Turn an `OSError` raised inside into an `UnwritableError` that names the place."""
    try:
        yield
    except OSError as error:
        if isinstance(error, UnwritableError) or error.errno is None:
            raise  # already one of our errors, which says what to do
        raise unwritable(place, error.errno) from None


@contextmanager
def new_file(path: Path) -> Iterator[Callable[[bytes], None]]:
    """A function that writes bytes to a new file, or raises an `UnwritableError` with the name of its folder.

    Errors of the code that produces the bytes are not changed.
    """
    with writing_to(path.parent):
        target = path.open("wb", buffering=0)
    with target:

        def write(data: bytes) -> None:
            # A nearly full disk writes part of the bytes, and fails at the next call.
            rest = memoryview(data)
            with writing_to(path.parent):
                while rest:
                    rest = rest[target.write(rest) :]

        yield write


@contextmanager
def taking_the_place_of(target: Path) -> Iterator[Path]:
    """A new file, which becomes `target` at the end. After an error it is removed, and `target` is as it was.

    New files that killed processes left behind are removed too. Raises `UnwritableError`, for what is no file
    as well: as root, a device such as /dev/null would be gone for good.
    """
    if target.is_dir():
        raise unwritable(target, errno.EISDIR)
    if (target.exists() and not target.is_file()) or target.absolute().parent == Path("/dev"):
        raise unwritable(target, errno.ENOTSUP)
    fresh = target.with_name(f".{target.name}.{os.getpid()}.{time.monotonic_ns()}.part")
    with writing_to(target):
        _remove_leftovers(target)
        # The lock tells other processes that this file is in use: the kernel frees it when we die.
        with fresh.open("wb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            try:
                yield fresh
                os.fsync(held.fileno())
                _leave_the_page_cache(held.fileno())
                fresh.replace(target)
            finally:
                fresh.unlink(missing_ok=True)


def _remove_leftovers(target: Path) -> None:
    of_target = re.compile(rf"\.{re.escape(target.name)}\.\d+\.\d+\.part")
    for leftover in target.parent.iterdir():
        if of_target.fullmatch(leftover.name):
            with suppress(OSError), leftover.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                leftover.unlink()


def _leave_the_page_cache(descriptor: int) -> None:
    """Keep a large file out of the page cache: it would push out files that are being read."""
    with suppress(AttributeError, OSError):
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
