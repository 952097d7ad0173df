"""The reply journal: keeps every reply of a paid model on disk before it is used, by its fingerprint.

It is one SQLite file in WAL mode, shared by all processes on a machine. `write` returns once the system has
the data: a killed process loses nothing, a power cut at most the last moments. Only replies are stored, no
prompt and no key. WAL needs a local disk.
"""

import gzip
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, fields
from operator import attrgetter
from pathlib import Path
from typing import IO, Any

from aimsciqa_resources.disk import taking_the_place_of

_CREATE = """
create table if not exists replies (
    fingerprint text primary key,
    model text not null,
    task text not null,
    text text not null,
    finish_reason text not null,
    prompt_tokens integer not null,
    reply_tokens integer not null,
    cached_tokens integer not null,
    reasoning_tokens integer not null,
    latency_seconds real not null,
    attempts integer not null,
    answered_at text not null,
    logprobs text not null default '',
    sampling text not null default '',
    scored text not null default ''
)
"""
_ADDED_LATER = ("logprobs", "sampling", "scored")
_SUMMARY = """
select model, task, count(*) as replies, sum(prompt_tokens) as prompt_tokens,
    sum(cached_tokens) as cached_tokens, sum(reply_tokens) as reply_tokens,
    substr(min(answered_at), 1, 10) as first_day, substr(max(answered_at), 1, 10) as last_day
from replies group by model, task order by model, task
"""
_BUSY_SECONDS = 60.0
_IMPORTED_AT_ONCE = 500


class JournalError(RuntimeError):
    """The journal cannot be read or written; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A reply as the model gave it, thinking included, with its tokens, time and attempts.

    `logprobs` and `scored` are as `logprobs.as_text` writes them, empty where none were asked for. `sampling`
    says how the reply was drawn, as JSON; empty: as the settings say, which are part of the fingerprint.
    """

    fingerprint: str
    model: str
    task: str
    text: str
    finish_reason: str
    prompt_tokens: int
    reply_tokens: int
    cached_tokens: int
    reasoning_tokens: int
    latency_seconds: float
    attempts: int
    answered_at: str
    logprobs: str = ""
    sampling: str = ""
    scored: str = ""


_COLUMNS = tuple(field.name for field in fields(Entry))
_OPTIONAL = set(_ADDED_LATER)
_as_row = attrgetter(*_COLUMNS)
_INSERT = f"insert or ignore into replies ({', '.join(_COLUMNS)}) values ({', '.join('?' for _ in _COLUMNS)})"
_FIND = f"select {', '.join(_COLUMNS)} from replies where fingerprint = ?"


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import: new replies, replies known already, and lines that are not replies."""

    new: int
    known: int
    bad_lines: tuple[int, ...]


class Journal:
    """An open journal; used by one thread. Raises `JournalError` when the file cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
            self._keep_writes_apart()
            self._connection.execute("pragma synchronous = normal")
            self._connection.execute(_CREATE)
            self._add_missing_columns()

    def find(self, fingerprint: str) -> Entry | None:
        """The reply with this fingerprint."""
        with self._explained():
            row = self._connection.execute(_FIND, (fingerprint,)).fetchone()
        return Entry(*row) if row else None

    def write(self, entries: Sequence[Entry]) -> int:
        """Keep replies, in one transaction; a fingerprint's first reply stays. Returns how many were new."""
        with self._explained():
            self._connection.execute("begin immediate")
            try:
                before = self._connection.total_changes
                self._connection.executemany(_INSERT, map(_as_row, entries))
                new = self._connection.total_changes - before
                self._connection.execute("commit")
            except BaseException:
                # A full disk ends the transaction by itself.
                if self._connection.in_transaction:
                    self._connection.execute("rollback")
                raise
        return new

    def summary(self) -> list[dict[str, Any]]:
        """Replies and tokens by model and task."""
        with self._explained():
            cursor = self._connection.execute(_SUMMARY)
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def entries(self) -> Iterator[Entry]:
        """All replies, the oldest first."""
        with self._explained():
            query = f"select {', '.join(_COLUMNS)} from replies order by answered_at, fingerprint"
            for row in self._connection.execute(query):
                yield Entry(*row)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _keep_writes_apart(self) -> None:
        """Turn on WAL. SQLite does not wait when several processes do that to a new file at once."""
        deadline = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self._connection.execute("pragma journal_mode = wal")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def _add_missing_columns(self) -> None:
        """A journal of an earlier version lacks the columns that were added later."""
        columns = {row[1] for row in self._connection.execute("pragma table_info(replies)")}
        for name in _ADDED_LATER:
            if name in columns:
                continue
            # Another process may add the column first.
            try:
                self._connection.execute(f"alter table replies add column {name} text not null default ''")
            except sqlite3.OperationalError as error:
                if "duplicate column" not in str(error):
                    raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise JournalError(
                f"The reply journal {self._path} cannot be used: {error}. Replies that are not in it would "
                f"be lost, so nothing more is asked. {_cure(error)}, and run the same command again."
            ) from error


def _cure(error: Exception) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_FULL":
        return "Make room on its disk"
    if isinstance(error, OSError) or name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return "Make the file and its folder writable for this user, or set AIMSCIQA_JOURNAL to another file"
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return "Move the damaged file away"
    return "Check the disk"


def export_journal(journal: Path, target: Path) -> int:
    """Write all replies as JSON lines (gzipped when the name ends in .gz); returns how many.

    Raises `UnwritableError`, and then an earlier export is as it was.
    """
    count = 0
    with (
        closing(Journal(journal)) as opened,
        taking_the_place_of(target) as fresh,
        _text_file(fresh, target, "wt") as file,
    ):
        for entry in opened.entries():
            file.write(json.dumps(_as_line(entry), ensure_ascii=False) + "\n")
            count += 1
    return count


def import_journal(journal: Path, source: Path) -> Imported:
    """Import the replies of an export; known replies stay as they are. Bad lines are left out."""
    new = known = 0
    bad: list[int] = []
    batch: list[Entry] = []
    with closing(Journal(journal)) as opened, _text_file(source, source, "rt") as file:

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
        if not isinstance(row, dict) or row.keys() | _OPTIONAL != set(_COLUMNS):
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
