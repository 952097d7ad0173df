"""The journal as a stream of requests uses it: what comes in one turn of the event loop goes there together.

A journal in another place is asked in a thread, and what comes meanwhile goes with the next round: requests
do not pay for the way there one by one, and the event loop does not wait for it.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from aimsciqa_resources.language_model.journal import Entry, Journal

R = TypeVar("R")


class Journaling:
    """Looks up and writes replies for the requests of one stream. Raises `JournalError`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._thread = ThreadPoolExecutor(1, "journal") if journal.is_remote else None
        self._lookups: list[tuple[str, asyncio.Future[Entry | None]]] = []
        self._writes: list[tuple[Entry, asyncio.Future[Entry]]] = []
        self._rounds: asyncio.Task[None] | None = None

    async def find(self, fingerprint: str) -> Entry | None:
        """The reply with this fingerprint."""
        if self._thread is None:
            return self._journal.find(fingerprint)
        found: asyncio.Future[Entry | None] = asyncio.get_running_loop().create_future()
        self._lookups.append((fingerprint, found))
        self._begin()
        return await found

    async def write(self, entry: Entry) -> Entry:
        """Keep a reply; returns it, or the one that another process wrote there first."""
        written: asyncio.Future[Entry] = asyncio.get_running_loop().create_future()
        self._writes.append((entry, written))
        self._begin()
        return await written

    async def close(self) -> None:
        """Wait until everything is written that was given to `write`."""
        if self._rounds is not None:
            await self._rounds
        if self._thread is not None:
            self._thread.shutdown()

    def _begin(self) -> None:
        if self._rounds is None:
            self._rounds = asyncio.create_task(self._ask())

    async def _ask(self) -> None:
        """Rounds of questions, until nobody waits."""
        while self._lookups or self._writes:
            lookups, self._lookups = self._lookups, []
            writes, self._writes = self._writes, []
            if writes:
                await self._settle(writes, partial(_kept, self._journal, [entry for entry, _ in writes]))
            if lookups:
                await self._settle(lookups, partial(_found, self._journal, [mark for mark, _ in lookups]))
        self._rounds = None

    async def _settle(
        self, waiting: Sequence[tuple[object, asyncio.Future[R]]], ask: Callable[[], Sequence[R]]
    ) -> None:
        """Give those that wait what the journal answers, or its error."""
        try:
            if self._thread is None:
                answers = ask()
            else:
                answers = await asyncio.get_running_loop().run_in_executor(self._thread, ask)
        except Exception as error:
            for _, future in waiting:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), answer in zip(waiting, answers, strict=True):
            if not future.done():
                future.set_result(answer)


def _found(journal: Journal, fingerprints: Sequence[str]) -> list[Entry | None]:
    known = journal.find_all(fingerprints)
    return [known.get(fingerprint) for fingerprint in fingerprints]


def _kept(journal: Journal, entries: Sequence[Entry]) -> list[Entry]:
    """The entries as the journal has them now: another process may have written one first."""
    if journal.write(entries) == len(entries):
        return list(entries)
    known = journal.find_all([entry.fingerprint for entry in entries])
    return [known.get(entry.fingerprint, entry) for entry in entries]
