"""Replies out of a journal into a file of JSON lines and back into a journal; empty ones are removed."""

import gzip
import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import IO, Any

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
        _text_file(fresh, target, "wt") as file,
    ):
        for entry in opened.entries():
            file.write(json.dumps(_as_line(entry), ensure_ascii=False) + "\n")
            count += 1
    return count


def import_journal(journal: JournalPlace, source: Path) -> Imported:
    """Import the replies of an export; known replies stay as they are. Bad lines are left out."""
    new = known = 0
    bad: list[int] = []
    batch: list[Entry] = []
    with closing(open_journal(journal)) as opened, _text_file(source, source, "rt") as file:

        def flush() -> None:
            nonlocal new, known
            written = opened.write(batch)
            new, known = new + written, known + len(batch) - written
            batch.clear()

        for number, line in enumerate(_lines(file, source), 1):
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


def _text_file(path: Path, named: Path, mode: str) -> IO[Any]:
    if named.suffix == ".gz":
        zipped: IO[Any] = gzip.open(path, mode, encoding="utf-8")  # type: ignore[assignment]  # noqa: SIM115
        return zipped
    return path.open(mode, encoding="utf-8")


def _lines(file: Iterable[str], source: Path) -> Iterator[str]:
    try:
        yield from file
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise JournalError(
            f"{source} cannot be read: {error}. The lines before the error were imported."
        ) from error


def _entry(line: str) -> Entry | None:
    """The reply in a line of an export; None when the line lacks a field or has a wrong one."""
    try:
        row = json.loads(line)
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
