"""A language model that loses nothing and pays nothing twice: what all engines share.

A request goes this way: look in the journal; else take a slot (`pace`), let the engine complete it, write
the completion into the journal, and only then give the slot back and use the reply. A process that is
killed has therefore to ask again for at most what was in flight. A fault is told apart by its kind: tried
again, divided, or given back with its reason. There are no batches: the next request starts when one ends.
"""

import asyncio
import datetime
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

from aimsciqa_resources.language_model.engine import AttemptError, Completion, Engine, fingerprint
from aimsciqa_resources.language_model.interface import (
    Call,
    ModelReply,
    ModelRequest,
    ModelUnavailableError,
    Usage,
)
from aimsciqa_resources.language_model.journal import Entry, Journal
from aimsciqa_resources.language_model.pace import Pace
from aimsciqa_resources.language_model.prices import Price
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.language_model.streaming import Outlet, stream
from aimsciqa_resources.language_model.thinking import without_thinking

Purpose = Literal["answer", "repair", "part"]

_SELDOM_BETTER = ("timeout", "bad_response")
_MOST_OF_THESE = 3
_MOST_RATE_LIMITS = 50
_MOST_OPEN = 4096
_PATIENCE_BEFORE_THE_FIRST_REPLY = 60.0
_WATCH_SECONDS = 1.0
_CUT = "length"


class DurableModel:
    """A `LanguageModel` over an engine and a journal."""

    def __init__(
        self,
        settings: ModelSettings,
        engine: Engine,
        journal: Path,
        price: Price | None = None,
    ) -> None:
        self._settings = settings
        self._engine = engine
        self._journal = journal
        self._price = price
        self._flight: _Flight | None = None

    @property
    def name(self) -> str:
        """The model's name."""
        return self._settings.name

    @property
    def revision(self) -> str:
        """The revision that the settings name: a server does not tell."""
        return self._settings.revision

    @property
    def sampling(self) -> str:
        """Temperature and the like, as JSON."""
        return self._settings.sampling

    @property
    def state(self) -> str:
        """Whether the server keeps us waiting."""
        return self._flight.state if self._flight else ""

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """One reply per request, in the order in which they finish.

        Raises `ModelError` when asking on is of no use, `JournalError` when replies cannot be kept.
        """

        async def serve(outlet: Outlet[ModelReply]) -> None:
            engine = self._engine
            journal = Journal(self._journal)
            try:
                await engine.start()
                self._flight = _Flight(self._settings, engine, _GroupCommit(journal), journal, self._price)
                await self._flight.serve(requests, outlet)
            finally:
                self._flight = None
                await engine.close()
                journal.close()

        return stream(serve)


class _GroupCommit:
    """Journal writes of one turn of the event loop go into one transaction."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._waiting: list[tuple[Entry, asyncio.Future[None]]] = []

    async def write(self, entry: Entry) -> None:
        """Return when the entry is in the journal."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._flush)
        written = loop.create_future()
        self._waiting.append((entry, written))
        await written

    def _flush(self) -> None:
        group, self._waiting = self._waiting, []
        try:
            self._journal.write([entry for entry, _ in group])
        except Exception as error:
            for _, written in group:
                if not written.done():
                    written.set_exception(error)
            return
        for _, written in group:
            if not written.done():
                written.set_result(None)


class _Flight:
    """One stream of requests through an engine."""

    def __init__(
        self,
        settings: ModelSettings,
        engine: Engine,
        commit: _GroupCommit,
        journal: Journal,
        price: Price | None,
    ) -> None:
        self._settings = settings
        self._engine = engine
        self._commit = commit
        self._journal = journal
        self._price = price
        self._pace = Pace(settings.in_flight)
        self._identity = settings.identity
        self._flying: dict[str, asyncio.Future[None]] = {}
        self._last_fault = ""
        self._has_succeeded = False
        self._resting = 0
        self._room = asyncio.Event()

    @property
    def state(self) -> str:
        """What is wrong at the moment."""
        if self._pace.probing:
            return f"no reply for {self._pace.stalled_seconds:.0f} s: {self._last_fault}"
        return ""

    async def serve(self, requests: Iterable[ModelRequest], outlet: Outlet[ModelReply]) -> None:
        """Answer all requests; the first error that concerns them all ends it."""
        watch = asyncio.create_task(self._watch())
        open_requests: set[asyncio.Task[None]] = set()
        failed = asyncio.get_running_loop().create_future()

        def is_full() -> bool:
            # As many as there are slots, and some more that have looked into the journal and queue up.
            busy = len(open_requests) - self._resting
            return busy >= self._pace.limit + 8 or len(open_requests) >= _MOST_OPEN

        def ended(task: asyncio.Task[None]) -> None:
            open_requests.discard(task)
            self._room.set()
            if not task.cancelled() and (error := task.exception()) and not failed.done():
                failed.set_exception(error)

        async def answer(request: ModelRequest) -> None:
            outlet.put(await self._reply(request))

        try:
            for request in requests:
                task = asyncio.create_task(answer(request))
                open_requests.add(task)
                task.add_done_callback(ended)
                while is_full() and not failed.done():
                    self._room.clear()
                    await self._room.wait()
                await outlet.has_room()
                if failed.done():
                    break
            while open_requests and not failed.done():
                self._room.clear()
                await self._room.wait()
            if failed.done():
                failed.result()
        finally:
            watch.cancel()
            for task in open_requests:
                task.cancel()
            await asyncio.gather(watch, *open_requests, return_exceptions=True)

    async def _watch(self) -> None:
        """Move the number in flight with the queue that the engine shows, if it shows one."""
        with suppress(AttemptError):
            while (load := await self._engine.load()) is not None:
                self._pace.move_ceiling(load.running, load.waiting, self._settings.most_in_flight)
                await asyncio.sleep(_WATCH_SECONDS)

    async def _reply(self, request: ModelRequest) -> ModelReply:
        calls: list[Call] = []
        text, failure, truncated = await self._answer(request, calls, "answer")
        return ModelReply(request.key, text, failure, truncated, tuple(calls))

    async def _answer(
        self, request: ModelRequest, calls: list[Call], purpose: Purpose
    ) -> tuple[str | None, str | None, bool]:
        """The reply's text or why there is none, and whether it was cut off."""
        call, text = await self._call(request, purpose)
        calls.append(call)
        recourse = request.recourse
        if recourse is None:
            return text, _failure(call), call.finish_reason == _CUT
        if call.outcome == "too_long" and (halves := recourse.halves(request)):
            return await self._divided(request, halves, calls)
        if text is None or call.finish_reason == _CUT:
            return text, _failure(call), call.finish_reason == _CUT
        if (again := recourse.repaired(request, text)) is not None:
            repair, second = await self._call(again, "repair")
            calls.append(repair)
            if second is not None and recourse.repaired(request, second) is None:
                return second, None, repair.finish_reason == _CUT
        return text, None, False

    async def _divided(
        self, request: ModelRequest, halves: tuple[ModelRequest, ModelRequest], calls: list[Call]
    ) -> tuple[str | None, str | None, bool]:
        assert request.recourse is not None
        parts = [await self._answer(half, calls, "part") for half in halves]
        texts = [text for text, _, _ in parts if text is not None]
        failures = [failure for _, failure, _ in parts if failure is not None]
        truncated = any(cut for _, _, cut in parts)
        if not texts:
            return None, failures[0], truncated
        return request.recourse.joined(texts), None, truncated

    async def _call(self, request: ModelRequest, purpose: Purpose) -> tuple[Call, str | None]:
        """A completion from the journal or the engine, without its thinking."""
        mark = fingerprint(self._identity, request)
        while (flying := self._flying.get(mark)) is not None:
            # The same question is on its way: its reply will be in the journal.
            await asyncio.wait([flying])
        known = self._journal.find(mark)
        if known is not None:
            return self._settled(known, purpose, from_journal=True)
        self._flying[mark] = asyncio.get_running_loop().create_future()
        try:
            entry = await self._asked(request, mark)
        except AttemptError as fault:
            failed = Call(purpose, mark, False, fault.reason, fault.detail, attempts=fault.attempts)
            return failed, None
        finally:
            self._flying.pop(mark).set_result(None)
        return self._settled(entry, purpose, from_journal=False)

    def _settled(self, entry: Entry, purpose: Purpose, *, from_journal: bool) -> tuple[Call, str | None]:
        text = without_thinking(entry.text)
        outcome = "ok"
        if not text:
            outcome = "length_limit" if entry.finish_reason == _CUT else "empty_reply"
        elif entry.finish_reason == "content_filter":
            outcome = "content_filter"
        usage = Usage(entry.prompt_tokens, entry.reply_tokens, entry.cached_tokens, entry.reasoning_tokens)
        call = Call(
            purpose,
            entry.fingerprint,
            from_journal,
            outcome,
            finish_reason=entry.finish_reason,
            attempts=entry.attempts,
            latency_seconds=entry.latency_seconds,
            usage=usage,
            cost=self._price.of(usage) if self._price else None,
            answered_at=entry.answered_at,
        )
        return call, text if outcome == "ok" else None

    async def _asked(self, request: ModelRequest, mark: str) -> Entry:
        """The engine's completion, in the journal when it is returned. Raises the last `AttemptError`."""
        sent = attempts = oddities = rate_limits = 0
        while True:
            await self._pace.enter(returning=sent > 0)
            sent += 1
            try:
                entry = await self._attempt(request, mark, sent)
                self._has_succeeded = True
                self._pace.succeeded()
                return entry
            except AttemptError as fault:
                fault.attempts = sent
                self._last_fault = f"{fault.reason} {fault.detail}".strip()
                if fault.kind in ("permanent", "too_long"):
                    # The server is well, and answered.
                    self._pace.succeeded()
                    raise
                limited = fault.kind == "rate_limited"
                rate_limits += limited
                oddities += fault.reason in _SELDOM_BETTER
                # While the server answers nobody, it is not the request that is at fault.
                attempts += not limited and not self._pace.probing
                delay = self._pace.failed(
                    max(attempts, rate_limits, 1), rate_limited=limited, asked_to_wait=fault.wait_seconds
                )
                self._check_patience()
                if (
                    attempts >= self._settings.attempts
                    or oddities >= _MOST_OF_THESE
                    or rate_limits >= _MOST_RATE_LIMITS
                ):
                    raise
            finally:
                self._pace.leave()
            self._resting += 1
            self._room.set()
            try:
                await asyncio.sleep(delay)
            finally:
                self._resting -= 1

    async def _attempt(self, request: ModelRequest, mark: str, attempt: int) -> Entry:
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._settings.timeout_seconds):
                completion = await self._engine.complete(request)
        except TimeoutError:
            raise AttemptError(
                "passing", "timeout", f"no reply within {self._settings.timeout_seconds:g} s"
            ) from None
        entry = self._entry(request, completion, mark, time.monotonic() - began, attempt)
        await self._commit.write(entry)
        return entry

    def _entry(
        self, request: ModelRequest, completion: Completion, mark: str, seconds: float, attempt: int
    ) -> Entry:
        usage = completion.usage
        return Entry(
            fingerprint=mark,
            model=self._settings.name,
            task=request.task,
            text=completion.text,
            finish_reason=completion.finish_reason,
            prompt_tokens=usage.prompt,
            reply_tokens=usage.reply,
            cached_tokens=usage.cached,
            reasoning_tokens=usage.reasoning,
            latency_seconds=seconds,
            attempts=attempt,
            answered_at=datetime.datetime.now(tz=datetime.UTC).isoformat(timespec="milliseconds"),
        )

    def _check_patience(self) -> None:
        patience = self._settings.patience_seconds
        if not self._has_succeeded:
            patience = min(patience, _PATIENCE_BEFORE_THE_FIRST_REPLY)
        if self._pace.probing and self._pace.stalled_seconds > patience:
            raise ModelUnavailableError(
                f"{self._settings.where} has answered nothing for {self._pace.stalled_seconds:.0f} s; the "
                f"last error was: {self._last_fault}. Replies so far are in the journal: start the server "
                "again, or wait until it has room, then run the same command."
            )


def _failure(call: Call) -> str | None:
    return None if call.outcome == "ok" else call.outcome
