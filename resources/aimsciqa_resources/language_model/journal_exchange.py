"""Replies out of a journal into a file of JSON lines and back into a journal; empty ones are removed."""

import gzip
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import IO, Any, Literal, cast

from aimsciqa.files import json_of, json_text, lines_of
from aimsciqa_resources.disk import taking_the_place_of
from aimsciqa_resources.language_model.calling import is_empty
from aimsciqa_resources.language_model.journal import COLUMNS, Entry, JournalError
from aimsciqa_resources.language_model.journal_places import JournalPlace, open_journal

_OPTIONAL = {field.name for field in fields(Entry) if field.default == ""}
_IMPORTED_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import: new replies, replies known already, and lines that are not replies."""

    new: int
    known: int
    bad_lines: tuple[int, ...]


def export_journal(journal: JournalPlace, target: Path) -> int:
    """Write all replies as JSON lines (gzipped when the name ends in .gz); returns how many.

    Raises `UnwritableError`, and then an earlier export is as it was.
    """
    count = 0
    with (
        closing(open_journal(journal)) as opened,
        taking_the_place_of(target) as fresh,
        _opened(fresh, target, "wb") as file,
    ):
        for entry in opened.entries():
            file.write(f"{json_text(_as_line(entry))}\n".encode())
            count += 1
    return count


def import_journal(journal: JournalPlace, source: Path) -> Imported:
    """Import the replies of an export; known replies stay as they are. Bad lines are left out."""
    new = known = 0
    bad: list[int] = []
    batch: list[Entry] = []
    with closing(open_journal(journal)) as opened, _opened(source, source, "rb") as file:

        def flush() -> None:
            nonlocal new, known
            written = opened.write(batch)
            new, known = new + written, known + len(batch) - written
            batch.clear()

        for number, line in _lines(file, source):
            entry = _entry(line)
            if entry is None:
                bad.append(number)
                continue
            batch.append(entry)
            # Small transactions, so that a concurrent run need not wait for the import.
            if len(batch) == _IMPORTED_AT_ONCE:
                flush()
        flush()
    return Imported(new, known, tuple(bad))


def forget_empty(journal: JournalPlace, task: str) -> int:
    """Remove the answers to a task that have no text, so that they are asked for again; returns how many.

    Only answers that the model ended by itself count: one that was cut off would be cut off again. Answers
    with log-probabilities stay.
    """
    with closing(open_journal(journal)) as opened:
        empty = [
            entry.fingerprint
            for entry in opened.entries()
            if entry.task == task and not entry.logprobs and not entry.scored and is_empty(entry)
        ]
        return opened.forget(empty) if empty else 0


def _as_line(entry: Entry) -> dict[str, Any]:
    """The line of an export. Without the columns that were added later an earlier version can read it too."""
    return {name: value for name, value in asdict(entry).items() if name not in _OPTIONAL or value}


def _opened(path: Path, named: Path, mode: Literal["rb", "wb"]) -> IO[bytes]:
    if named.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, mode))
    return path.open(mode)


def _lines(file: Iterable[bytes], source: Path) -> Iterator[tuple[int, bytes]]:
    try:
        yield from lines_of(file)
    except (OSError, EOFError) as error:
        raise JournalError(
            f"{source} cannot be read: {error}. The lines before the error were imported."
        ) from error


def _entry(line: bytes) -> Entry | None:
    """The reply in a line of an export; None when the line lacks a field or has a wrong one."""
    try:
        row = json_of(line)
        if not isinstance(row, dict) or row.keys() | _OPTIONAL != set(COLUMNS):
            return None
        entry = Entry(**row)
    except (ValueError, TypeError):
        return None
    kinds: dict[str, type | tuple[type, ...]] = {"int": int, "float": (int, float), "str": str}
    for field in fields(Entry):
        value = getattr(entry, field.name)
        if isinstance(value, bool) or not isinstance(value, kinds[getattr(field.type, "__name__", "str")]):
            return None
    is_hash = len(entry.fingerprint) == 32 and set(entry.fingerprint) <= set("0123456789abcdef")
    return entry if is_hash else None
