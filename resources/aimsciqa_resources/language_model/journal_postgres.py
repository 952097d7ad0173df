"""The reply journal in Postgres, for the workers of several machines: what one has asked, none asks again.

`write` returns once Postgres has committed. A connection that was lost is made anew, and what was asked is
asked again: each question may be asked twice without harm.
"""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from typing import Any, Final, TypeVar

import psycopg
from psycopg import errors
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow, dict_row

from aimsciqa_resources.language_model.journal import COLUMNS, Entry, SharedJournalError, as_row

# A reply may hold the character 0, which a text of Postgres cannot: it is kept as bytes in UTF-8.
_CREATE: Final = """
create schema if not exists aimsciqa;
create table if not exists aimsciqa.replies (
    fingerprint text primary key,
    model text not null,
    task text not null,
    text bytea not null,
    finish_reason text not null,
    prompt_tokens bigint not null,
    reply_tokens bigint not null,
    cached_tokens bigint not null,
    reasoning_tokens bigint not null,
    latency_seconds double precision not null,
    attempts bigint not null,
    answered_at text not null,
    logprobs bytea not null,
    sampling text not null,
    scored bytea not null
)
"""
_IS_THERE: Final = "select to_regclass('aimsciqa.replies') is not null"
# Two that make the same table at once are in each other's way, in spite of "if not exists".
_ALONE: Final = "select pg_advisory_xact_lock(hashtextextended('aimsciqa.replies', 0))"
_BYTES: Final = frozenset({"text", "logprobs", "scored"})
_TYPES: Final = {
    **dict.fromkeys(COLUMNS, "text"),
    **dict.fromkeys(_BYTES, "bytea"),
    **{name: "bigint" for name in COLUMNS if name.endswith("_tokens") or name == "attempts"},
    "latency_seconds": "double precision",
}
_NAMES: Final = ", ".join(COLUMNS)
_ARRAYS: Final = ", ".join(f"%b::{_TYPES[name]}[]" for name in COLUMNS)
_INSERT: Final = (
    f"insert into aimsciqa.replies ({_NAMES}) select * from unnest({_ARRAYS}) "
    "on conflict (fingerprint) do nothing"
)
_FIND: Final = f"select {_NAMES} from aimsciqa.replies where fingerprint = any(%b)"
_FORGET: Final = "delete from aimsciqa.replies where fingerprint = any(%b)"
_ALL: Final = (
    f'select {_NAMES} from aimsciqa.replies order by answered_at collate "C", fingerprint collate "C"'
)
_SIZE: Final = "select pg_total_relation_size('aimsciqa.replies')"
_SUMMARY: Final = """
select model, task, count(*) as replies, sum(prompt_tokens)::bigint as prompt_tokens,
    sum(cached_tokens)::bigint as cached_tokens, sum(reply_tokens)::bigint as reply_tokens,
    substr(min(answered_at), 1, 10) as first_day, substr(max(answered_at), 1, 10) as last_day
from aimsciqa.replies group by model, task order by model collate "C", task collate "C"
"""
_PATIENCE: Final = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
_AWAY_SECONDS: Final = 15.0
_AGAIN_SECONDS: Final = 0.5
_READ_AT_ONCE: Final = 1000

T = TypeVar("T")


class SharedJournal:
    """An open journal in Postgres; used by one thread at a time. `place` is told when something is wrong.

    Raises `JournalError` when Postgres does not answer within five seconds, or refuses. Later it may be away
    for a quarter of a minute.
    """

    is_remote: Final = True

    def __init__(self, conninfo: str, place: str) -> None:
        self._conninfo = make_conninfo(conninfo, **_PATIENCE)
        self._place = place
        self._connection = _connected(self._conninfo, place)
        try:
            self._answer(_make, again=False)
        except SharedJournalError:
            self._connection.close()
            raise

    def find(self, fingerprint: str) -> Entry | None:
        """The reply with this fingerprint."""
        return self.find_all([fingerprint]).get(fingerprint)

    def find_all(self, fingerprints: Collection[str]) -> dict[str, Entry]:
        """The replies with these fingerprints, as far as there are any, by one query."""
        asked = list(fingerprints)
        rows = self._answer(lambda connection: connection.execute(_FIND, [asked], binary=True).fetchall())
        return {entry.fingerprint: entry for entry in map(_entry, rows)}

    def write(self, entries: Sequence[Entry]) -> int:
        """Keep replies, by one statement; a fingerprint's first reply stays. Returns how many were new.

        After a connection was lost, replies that were written by then count as known.
        """
        if not entries:
            return 0
        # In one order in all workers: two that write the same replies would wait for each other for ever.
        ordered = sorted(entries, key=lambda entry: entry.fingerprint)
        columns = [
            [value.encode() for value in values] if name in _BYTES else list(values)
            for name, values in zip(COLUMNS, zip(*map(as_row, ordered), strict=True), strict=True)
        ]
        return self._answer(lambda connection: int(connection.execute(_INSERT, columns).rowcount))

    def forget(self, fingerprints: Collection[str]) -> int:
        """Remove the replies with these fingerprints, by one statement. Returns how many there were."""
        asked = sorted(fingerprints)
        return self._answer(lambda connection: int(connection.execute(_FORGET, [asked]).rowcount))

    def summary(self) -> list[dict[str, Any]]:
        """Replies and tokens by model and task."""

        def read(connection: psycopg.Connection[TupleRow]) -> list[dict[str, Any]]:
            with connection.cursor(row_factory=dict_row) as cursor:
                return list(cursor.execute(_SUMMARY))

        return self._answer(read)

    def entries(self) -> Iterator[Entry]:
        """All replies, the oldest first, through a connection of their own."""
        with closing(_connected(self._conninfo, self._place)) as connection:
            try:
                with connection.transaction(), connection.cursor("replies") as cursor:
                    cursor.itersize = _READ_AT_ONCE
                    cursor.execute(_ALL)
                    yield from map(_entry, cursor)
            except psycopg.Error as error:
                raise SharedJournalError(_told(self._place, error)) from None

    def size(self) -> int:
        """The bytes of the table and its index."""
        rows = self._answer(lambda connection: connection.execute(_SIZE).fetchall())
        return int(rows[0][0])

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _answer(self, ask: Callable[[psycopg.Connection[TupleRow]], T], *, again: bool = True) -> T:
        """What Postgres answers; if the connection is lost, on a new one, for a quarter of a minute."""
        deadline = time.monotonic() + (_AWAY_SECONDS if again else 0.0)
        while True:
            try:
                if self._connection.closed:
                    self._connection = _connected(self._conninfo, self._place)
                return ask(self._connection)
            except psycopg.Error as error:
                if not self._connection.closed or time.monotonic() > deadline:
                    raise SharedJournalError(_told(self._place, error)) from None
            except SharedJournalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(_AGAIN_SECONDS)


def has_replies(conninfo: str, place: str) -> bool:
    """Whether the table is there. Raises `JournalError`."""
    with closing(_connected(make_conninfo(conninfo, **_PATIENCE), place)) as connection:
        return _is_there(connection)


def _connected(conninfo: str, place: str) -> psycopg.Connection[TupleRow]:
    try:
        return psycopg.connect(conninfo, autocommit=True, application_name="aimsciqa")
    except psycopg.Error as error:
        raise SharedJournalError(_told(place, error)) from None


def _make(connection: psycopg.Connection[TupleRow]) -> None:
    """Make the table where it is missing."""
    if not _is_there(connection):
        with connection.transaction():
            connection.execute(_ALONE)
            connection.execute(_CREATE)


def _is_there(connection: psycopg.Connection[TupleRow]) -> bool:
    return bool(connection.execute(_IS_THERE).fetchall()[0][0])


def _entry(row: TupleRow) -> Entry:
    values: list[Any] = [value.decode() if isinstance(value, bytes) else value for value in row]
    return Entry(*values)


def _told(place: str, error: psycopg.Error) -> str:
    said = (str(error).strip() or "no answer").splitlines()[0].split("failed: ")[-1]
    return (
        f"The reply journal {place} cannot be used: {said}. Replies that are not in it would be lost, so "
        f"nothing more is asked. {_cure(error)}, and run the same command again."
    )


def _cure(error: psycopg.Error) -> str:
    match error:
        case errors.InsufficientPrivilege():
            return (
                "Let this user create a schema in the database, or insert into, select from and delete from "
                "the table aimsciqa.replies"
            )
        case errors.ReadOnlySqlTransaction():
            return "Name the server that takes writes: this one is a copy of it"
        case errors.DiskFull():
            return "Make room on the disk of Postgres"
        case psycopg.OperationalError():
            return (
                "See that Postgres runs there, takes connections from this machine and knows the user "
                "(docs/clusters.md)"
            )
        case _:
            return "See what Postgres says"
