"""The reply journal in a file: SQLite in WAL mode, shared by all processes on a machine.

`write` returns once the system has the data: a killed process loses nothing, a power cut at most the last
moments. WAL needs a local disk.
"""

import sqlite3
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from aimsciqa_resources.language_model.journal import COLUMNS, Entry, JournalError, as_row

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
_INSERT = f"insert or ignore into replies ({', '.join(COLUMNS)}) values ({', '.join('?' for _ in COLUMNS)})"
_FORGET = "delete from replies where fingerprint = ?"
_FIND = f"select {', '.join(COLUMNS)} from replies where fingerprint = ?"


class JournalFile:
    """An open file of replies; used by one thread. Raises `JournalError` when the file cannot be used."""

    is_remote: Final = False

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

    def find_all(self, fingerprints: Collection[str]) -> dict[str, Entry]:
        """The replies with these fingerprints, as far as there are any."""
        found = map(self.find, fingerprints)
        return {entry.fingerprint: entry for entry in found if entry is not None}

    def write(self, entries: Sequence[Entry]) -> int:
        """Keep replies, in one transaction; a fingerprint's first reply stays. Returns how many were new."""
        return self._change(_INSERT, map(as_row, entries))

    def forget(self, fingerprints: Collection[str]) -> int:
        """Remove the replies with these fingerprints, in one transaction. Returns how many there were."""
        return self._change(_FORGET, ((fingerprint,) for fingerprint in fingerprints))

    def summary(self) -> list[dict[str, Any]]:
        """Replies and tokens by model and task."""
        with self._explained():
            cursor = self._connection.execute(_SUMMARY)
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def entries(self) -> Iterator[Entry]:
        """All replies, the oldest first."""
        with self._explained():
            query = f"select {', '.join(COLUMNS)} from replies order by answered_at, fingerprint"
            for row in self._connection.execute(query):
                yield Entry(*row)

    def size(self) -> int:
        """The bytes of the file."""
        return self._path.stat().st_size

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _change(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> int:
        """Run a statement for each row, in one transaction. Returns how many replies changed."""
        with self._explained():
            self._connection.execute("begin immediate")
            try:
                before = self._connection.total_changes
                self._connection.executemany(statement, rows)
                changed = self._connection.total_changes - before
                self._connection.execute("commit")
            except BaseException:
                # A full disk ends the transaction by itself.
                if self._connection.in_transaction:
                    self._connection.execute("rollback")
                raise
        return changed

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
