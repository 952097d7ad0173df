"""Replaces a folder completely, or not at all."""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aimsciqa_resources.locks import one_at_a_time


@contextmanager
def in_place_of(folder: Path) -> Iterator[tuple[Path, Path]]:
    """An empty folder to fill, and one for scratch; the first replaces `folder` unless an error is raised.

    If the process is killed, the old folder stays, and the next call removes what was begun. Two processes
    wait for each other.
    """
    begun = folder.with_name(f".{folder.name}.new")
    with one_at_a_time(folder.with_name(f".{folder.name}.lock")):
        _finish_swap(folder)
        shutil.rmtree(begun, ignore_errors=True)
        fresh, scratch = begun / "fresh", begun / "scratch"
        fresh.mkdir(parents=True)
        scratch.mkdir()
        try:
            yield fresh, scratch
            if folder.exists():
                folder.rename(_old(folder))
            fresh.rename(folder)
            _finish_swap(folder)
        finally:
            shutil.rmtree(begun, ignore_errors=True)


def _old(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.old")


def _finish_swap(folder: Path) -> None:
    """Put the old folder back if the new one is not in its place, else remove it."""
    if _old(folder).exists() and not folder.exists():
        _old(folder).rename(folder)
    shutil.rmtree(_old(folder), ignore_errors=True)


def files_in(folder: Path) -> list[str]:
    """The files of a folder, as paths inside it, sorted."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def sha256_of(file: Path) -> str:
    """SHA-256 of a file's bytes."""
    with file.open("rb", buffering=0) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
