"""A language model that loses no reply and pays for none twice: what all engines share.

A request takes this path (`calling`): look in the journal; else take a slot (`pace`) of one of the model's
servers (`servers`), let its engine complete it, write the completion into the journal, and only then give the
slot back and use the reply. After a process was killed, at most the requests in flight are asked again. There
are no batches: the next request starts when one ends, and a failed one is tried again later.

Every dialogue is a task of one event loop. The Python code between two of its turns runs on the loop while it
is quick, otherwise in a thread (`_Turns`). Where it carries something out (`ModelRequest.acts`), it always
runs in a thread.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from typing import TypeVar

from aimsciqa_resources.language_model.calling import Caller
from aimsciqa_resources.language_model.dialogue import Dialogue, Ended, advance, once
from aimsciqa_resources.language_model.engine import Engine
from aimsciqa_resources.language_model.interface import ModelReply, ModelRequest, ModelUnavailableError
from aimsciqa_resources.language_model.journal_places import JournalPlace, open_journal
from aimsciqa_resources.language_model.journaling import Journaling
from aimsciqa_resources.language_model.prices import Price
from aimsciqa_resources.language_model.servers import Servers
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.language_model.streaming import Outlet, stream

_MOST_OPEN = 4096
_QUEUED = 8
_FEW_LEFT = 8
_PATIENCE_BEFORE_THE_FIRST_REPLY = 60.0
_WATCH_SECONDS = 1.0
_SLOW_SECONDS = 0.02
_SLOW_AT_ONCE = 64
_ACTING_AT_ONCE = 1024
_STALLED_SECONDS = 1.0
_WARN_EVERY_SECONDS = 15.0
_BEGINNING = ("", 0)
_SOURCE = ("", -1)

_log = logging.getLogger(__name__)

T = TypeVar("T")
R = TypeVar("R")


class DurableModel:
    """A `LanguageModel` over a journal and the engines of its servers, by the servers' names."""

    def __init__(
        self,
        settings: ModelSettings,
        engines: Mapping[str, Engine],
        journal: JournalPlace,
        price: Price | None = None,
    ) -> None:
        self._settings = settings
        self._engines = engines
        self._journal = journal
        self._price = price
        self._one_stream = threading.Lock()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._settings.name

    @property
    def revision(self) -> str:
        """The revision in the settings: a server does not tell its own."""
        return self._settings.revision

    @property
    def sampling(self) -> str:
        """Temperature and the like, as JSON."""
        return self._settings.sampling

    def replies(self, requests: Iterable[ModelRequest]) -> Generator[ModelReply, None, None]:
        """One reply per request, in the order in which they finish; one stream at a time.

        Raises `ModelError` when further requests would fail too, `JournalError` when replies cannot be kept.
        """
        return self.hold(map(once, requests))

    def hold(self, dialogues: Iterable[Dialogue[T]]) -> Generator[T, None, None]:
        """The result of each dialogue, in the order in which they end; one stream at a time.

        Raises what `replies` raises, and whatever a dialogue raises (`dialogue.converse`). `dialogues` may be
        made lazily, but must not wait for a result of this stream: whatever follows from a reply belongs into
        the dialogue's next turn.
        """
        if not self._one_stream.acquire(blocking=False):
            raise RuntimeError(f"{self.name} serves another stream already: close that one first.")
        try:
            yield from stream(lambda outlet: self._serve(dialogues, outlet))
        finally:
            self._one_stream.release()

    def close(self) -> None:
        """Unload a model that runs in this process."""
        for engine in self._engines.values():
            engine.unload()

    async def _serve(self, dialogues: Iterable[Dialogue[T]], outlet: Outlet[T]) -> None:
        # As many slow turns as are worth doing together, such as searches: by default there are few threads.
        threads = ThreadPoolExecutor(_SLOW_AT_ONCE, thread_name_prefix="dialogue")
        asyncio.get_running_loop().set_default_executor(threads)
        with closing(open_journal(self._journal)) as journal:
            servers = Servers(self._settings, self._engines)
            journaling = Journaling(journal)
            try:
                await servers.start()
                caller = Caller(self._settings, servers, journaling, self._price)
                await _Flight(self._settings, servers, caller).serve(dialogues, outlet)
            finally:
                await journaling.close()
                await servers.close()


class _Turns:
    """Runs the Python code of dialogues and of their source: on the event loop while it is quick.

    Slow code runs in a thread the next time, so that the others need not wait, until it is quick again.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._slow: set[tuple[str, int]] = set()
        # Apart from the threads of slow turns: an action may wait for minutes, and costs no time meanwhile.
        self._acting = ThreadPoolExecutor(_ACTING_AT_ONCE, thread_name_prefix="action")

    async def act(self, work: Callable[[], R]) -> R:
        """The result of work that carries something out."""
        with self._without_slot():
            return await asyncio.get_running_loop().run_in_executor(self._acting, work)

    def close(self) -> None:
        """Begin no further action; those that run are not waited for."""
        self._acting.shutdown(wait=False, cancel_futures=True)

    async def run(self, kind: tuple[str, int], work: Callable[[], R]) -> R:
        """The result of the work; its duration is remembered by `kind`, the task and the turn."""

        def timed() -> R:
            began = time.monotonic()
            try:
                return work()
            finally:
                slow = time.monotonic() - began > _SLOW_SECONDS
                (self._slow.add if slow else self._slow.discard)(kind)

        if kind not in self._slow:
            return timed()
        if kind == _SOURCE:
            return await asyncio.to_thread(timed)
        with self._without_slot():
            return await asyncio.to_thread(timed)

    @contextmanager
    def _without_slot(self) -> Iterator[None]:
        """A dialogue needs no slot meanwhile: other requests may be sent."""
        self._caller.resting += 1
        self._caller.rests.set()
        try:
            yield
        finally:
            self._caller.resting -= 1


class _Flight:
    """One stream of dialogues through the servers of a model."""

    def __init__(self, settings: ModelSettings, servers: Servers, caller: Caller) -> None:
        self._settings = settings
        self._servers = servers
        self._caller = caller
        self._turns = _Turns(caller)
        self._open: set[asyncio.Task[None]] = set()
        self._all_taken = False
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def serve(self, dialogues: Iterable[Dialogue[T]], outlet: Outlet[T]) -> None:
        """Hold all dialogues, until the first error that concerns them all."""

        async def hold(dialogue: Dialogue[T]) -> None:
            outlet.put(await self._held(dialogue))

        watches = [
            asyncio.create_task(watch)
            for watch in (self._watch(), *map(self._servers.follow, self._servers.all))
        ]
        for watch in watches:
            watch.add_done_callback(self._ended)
        try:
            source = iter(dialogues)
            while (dialogue := await self._next_of(source)) is not None:
                task = asyncio.create_task(hold(dialogue))
                self._open.add(task)
                task.add_done_callback(self._ended)
                while self._is_full() and not self._failed.done():
                    await self._change()
                await outlet.has_room()
                if self._failed.done():
                    break
            self._all_taken = True
            while self._open and not self._failed.done():
                await self._change()
            if self._failed.done():
                self._failed.result()
        finally:
            for task in (*watches, *self._open):
                task.cancel()
            await asyncio.gather(*watches, *self._open, return_exceptions=True)
            self._turns.close()

    async def _held(self, dialogue: Dialogue[T]) -> T:
        """The result of a dialogue, turn by turn."""
        step = await self._turns.run(_BEGINNING, partial(advance, dialogue, None, None))
        turn, begun_with = 1, "" if isinstance(step, Ended) else step.key
        while not isinstance(step, Ended):
            reply = await self._caller.reply(step, step.affinity or begun_with)
            work = partial(advance, dialogue, step, reply)
            if step.acts:
                step = await self._turns.act(work)
            else:
                step = await self._turns.run((step.task, turn), work)
            turn += 1
        return step.result

    async def _next_of(self, source: Iterator[Dialogue[T]]) -> Dialogue[T] | None:
        return await self._turns.run(_SOURCE, lambda: next(source, None))

    def _is_full(self) -> bool:
        """Whether there are enough dialogues: one for each slot, and some that wait for the next slots."""
        busy = len(self._open) - self._caller.resting
        return busy >= self._servers.limit + _QUEUED or len(self._open) >= _MOST_OPEN

    async def _change(self) -> None:
        """Wait until a request ends, or waits for its next attempt."""
        self._caller.rests.clear()
        await self._caller.rests.wait()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._open.discard(task)
        self._caller.rests.set()
        if not task.cancelled() and (error := task.exception()) and not self._failed.done():
            self._failed.set_exception(error)

    async def _watch(self) -> None:
        """Check regularly whether a server still answers."""
        warned = 0.0
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            is_silent = self._silent_seconds > _STALLED_SECONDS
            if is_silent and time.monotonic() - warned > _WARN_EVERY_SECONDS:
                warned = time.monotonic()
                _log.warning("%s", self._standstill())
            self._check_patience()
            self._servers.settle()
            # There may be room for more requests now.
            self._caller.rests.set()

    def _check_patience(self) -> None:
        patience = self._settings.patience_seconds
        if not self._caller.has_succeeded:
            patience = min(patience, _PATIENCE_BEFORE_THE_FIRST_REPLY)
        if self._silent_seconds <= patience:
            return
        if self._caller.has_replies and self._all_taken and len(self._open) <= _FEW_LEFT:
            # Perhaps the server cannot answer just these few: they fail with a reason, the others are kept.
            self._caller.last_chance.set()
            self._servers.end_outage()
            return
        raise ModelUnavailableError(
            f"{self._standstill()} Replies so far are in the journal: start the server again, or wait until "
            "it has room, then run the same command."
        )

    @property
    def _silent_seconds(self) -> float:
        """For how long every attempt has failed. Requests in flight have their time to be answered."""
        grace = self._settings.timeout_seconds if self._servers.running else 0.0
        return self._servers.stalled_seconds - grace

    def _standstill(self) -> str:
        return (
            f"{self._settings.where} has answered nothing for {self._servers.stalled_seconds:.0f} s; the "
            f"last error was: {self._caller.last_fault}."
        )
