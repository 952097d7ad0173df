"""The reply journal: keeps every reply of a paid model before it is used, by its fingerprint.

It lies in a file (`journal_file`), or in Postgres for several machines (`journal_postgres`); `journal_places`
says where, and `journal_exchange` exports and imports replies. Only replies are stored, no prompt and no key.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, Protocol


class JournalError(RuntimeError):
    """The journal cannot be read or written; the message says what to do."""


class SharedJournalError(JournalError):
    """The journal in Postgres cannot be read or written."""


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


COLUMNS = tuple(field.name for field in fields(Entry))
as_row = attrgetter(*COLUMNS)


class Journal(Protocol):
    """An open journal; used by one thread at a time. Everything raises `JournalError`."""

    @property
    def is_remote(self) -> bool:
        """Whether every question takes a way through the network: better many at once, in a thread."""
        ...

    def find(self, fingerprint: str) -> Entry | None:
        """The reply with this fingerprint."""
        ...

    def find_all(self, fingerprints: Collection[str]) -> dict[str, Entry]:
        """The replies with these fingerprints, as far as there are any."""
        ...

    def write(self, entries: Sequence[Entry]) -> int:
        """Keep replies, in one transaction; a fingerprint's first reply stays. Returns how many were new."""
        ...

    def forget(self, fingerprints: Collection[str]) -> int:
        """Remove the replies with these fingerprints, in one transaction. Returns how many there were."""
        ...

    def summary(self) -> list[dict[str, Any]]:
        """Replies and tokens by model and task."""
        ...

    def entries(self) -> Iterator[Entry]:
        """All replies, the oldest first."""
        ...

    def size(self) -> int:
        """How many bytes it takes."""
        ...

    def close(self) -> None:
        """Close the file or the connection."""
        ...
