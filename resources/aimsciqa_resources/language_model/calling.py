"""One call of a model: from the journal, or from the engine with as many attempts as it takes."""

import asyncio
import datetime
import time
from contextlib import suppress
from dataclasses import dataclass

from aimsciqa_resources.language_model.engine import AttemptError, Completion, fingerprint
from aimsciqa_resources.language_model.interface import (
    Call,
    ModelRefusedError,
    ModelReply,
    ModelRequest,
    Usage,
)
from aimsciqa_resources.language_model.journal import Entry
from aimsciqa_resources.language_model.journaling import Journaling
from aimsciqa_resources.language_model.logprobs import as_text, from_text
from aimsciqa_resources.language_model.prices import Price
from aimsciqa_resources.language_model.servers import Server, Servers
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.language_model.thinking import reply_text

EMPTY = "empty_reply"
"""The failure of a request whose answer has no text: it is no reply, and the next run asks again."""

_KEPT_EMPTY = (
    "the journal has an answer without text, which an earlier version kept: `aimsciqa journal forget --task "
    "{task} --empty` removes it"
)
_NO_TEXT = "the answer has no text"
_ONLY_THINKING = "the answer has no text behind the model's thinking"
_IN_REASONING = (
    "the answer has no text: it was in `{aside}`. Start the server without its reasoning parser, or turn the "
    """thinking off: AIMSCIQA_MODEL_EXTRA_BODY='{{"chat_template_kwargs": {{"enable_thinking": false}}}}'"""
)
CUT = "length"
"""The finish reason of a reply that reached its token limit."""

_WITHHELD = ("content_filter", "refused")
_TOO_BUSY = ("http_503", "http_529")
_SELDOM_BETTER = ("timeout", "bad_response")
_MOST_OF_THESE = 3
_MOST_RATE_LIMITS = 50


class Caller:
    """Makes the calls of one stream. `resting` counts the requests that wait for their next attempt.

    Once `last_chance` is set, no request waits any more, and its next failure is its last.
    """

    def __init__(
        self, settings: ModelSettings, servers: Servers, journal: Journaling, price: Price | None
    ) -> None:
        self.resting = 0
        self.last_chance = asyncio.Event()
        self.last_fault = ""
        self.has_succeeded = False
        self.has_replies = False
        self.rests = asyncio.Event()
        self._settings = settings
        self._identity = settings.identity
        self._servers = servers
        self._journal = journal
        self._price = price
        self._flying: dict[str, asyncio.Future[None]] = {}

    async def reply(self, request: ModelRequest, affinity: str) -> ModelReply:
        """The reply to a request: its text without thinking, or the reason why there is none.

        Of several servers, the one that `affinity` leads to is asked (`servers`).
        """
        mark = fingerprint(self._identity, request)
        while (flying := self._flying.get(mark)) is not None:
            # The same request is in flight already: its reply will be in the journal.
            await asyncio.wait([flying])
        self._flying[mark] = asyncio.get_running_loop().create_future()
        try:
            known = await self._journal.find(mark)
            if known is not None:
                self.has_replies = True
                return self._judged(known, request, absence=_KEPT_EMPTY.format(task=request.task))
            entry, server, absence = await self._answered(request, mark, affinity)
        except AttemptError as fault:
            return _without_reply(request, mark, fault)
        finally:
            self._flying.pop(mark).set_result(None)
        return self._judged(entry, request, server, absence)

    async def _answered(self, request: ModelRequest, mark: str, affinity: str) -> tuple[Entry, Server, str]:
        """Return the completion, after it was written to the journal, whose it is, and why it has no text.

        Raises the last `AttemptError`.
        """
        tries = _Tries()
        failed_at: Server | None = None
        while True:
            server = await self._servers.enter(affinity, returning=tries.sent > 0, after=failed_at)
            tries.sent += 1
            try:
                entry, absence = await self._attempt(request, mark, tries.sent, server)
                self.has_succeeded = self.has_replies = True
                server.pace.succeeded()
                return entry, server, absence
            except AttemptError as fault:
                fault.attempts, fault.server = tries.sent, server.name
                if fault.kind in ("permanent", "too_long"):
                    # The server works: it answered, with a refusal.
                    server.pace.succeeded()
                    raise
                self.last_fault = f"{fault.reason} {fault.detail}".strip()
                tries.note(fault, outage=server.is_down)
                complains = fault.kind == "rate_limited" or fault.reason in _TOO_BUSY
                delay = server.pace.failed(mark, tries.failures, complains=complains, wait=fault.wait_seconds)
                # Who is asked for less stays with a server that has the prompt in its cache.
                failed_at = server if fault.kind == "passing" else None
                self._servers.settle()
                if self.last_chance.is_set() or tries.used_up(self._settings.attempts):
                    raise
            except ModelRefusedError:
                # It may have been started again with another model, and nobody noticed.
                if not await self._servers.is_strange(server):
                    raise
                continue
            finally:
                server.pace.leave()
            await self._rest(delay)

    async def _rest(self, seconds: float) -> None:
        self.resting += 1
        self.rests.set()
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.last_chance.wait(), seconds)
        finally:
            self.resting -= 1

    async def _attempt(
        self, request: ModelRequest, mark: str, attempt: int, server: Server
    ) -> tuple[Entry, str]:
        began = time.monotonic()
        timeout = self._settings.timeout_seconds
        try:
            async with asyncio.timeout(timeout):
                completion = await server.engine.complete(request)
        except TimeoutError:
            raise AttemptError("passing", "timeout", f"no reply within {timeout:g} s") from None
        seconds = time.monotonic() - began
        entry = self._entry(request, completion, mark, seconds, attempt)
        if _has_a_use(entry, request):
            return await self._journal.write(entry), ""
        if completion.aside:
            return entry, _IN_REASONING.format(aside=completion.aside)
        return entry, _ONLY_THINKING if completion.text.strip() else _NO_TEXT

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
            logprobs=as_text(completion.logprobs),
            sampling=completion.sampling,
            scored=as_text(completion.scored),
        )

    def _judged(
        self, entry: Entry, request: ModelRequest, server: Server | None = None, absence: str = ""
    ) -> ModelReply:
        """Return the entry as a reply; without a `server` it comes from the journal.

        `absence` says why it has no text, if it has none.
        """
        text = reply_text(entry.text)
        truncated = entry.finish_reason == CUT
        outcome = "ok"
        if entry.finish_reason in _WITHHELD:
            outcome = entry.finish_reason
        elif not text and not request.is_continued:
            outcome = "length_limit" if truncated else EMPTY
        usage = Usage(entry.prompt_tokens, entry.reply_tokens, entry.cached_tokens, entry.reasoning_tokens)
        call = Call(
            request.purpose,
            entry.fingerprint,
            server is None,
            outcome,
            absence if outcome == EMPTY else "",
            passing=outcome == EMPTY and not _has_a_use(entry, request),
            finish_reason=entry.finish_reason,
            attempts=entry.attempts,
            latency_seconds=entry.latency_seconds,
            usage=usage,
            cost=self._price.of(usage) if self._price else None,
            answered_at=entry.answered_at,
            sampling=entry.sampling,
            server=server.name if server else "",
        )
        if outcome != "ok":
            # A single token may be a blank, or the end: its log-probability is known all the same.
            return ModelReply(request.key, None, outcome, truncated, (call,), from_text(entry.logprobs))
        return ModelReply(
            request.key, text, None, truncated, (call,), from_text(entry.logprobs), from_text(entry.scored)
        )


def is_empty(entry: Entry) -> bool:
    """Return whether an answer that the model ended by itself has no text, thinking aside."""
    return entry.finish_reason not in (CUT, *_WITHHELD) and not reply_text(entry.text)


def _has_a_use(entry: Entry, request: ModelRequest) -> bool:
    """Return whether an answer is kept: one without text may have log-probabilities, or end a message."""
    wanted = request.logprobs is not None or request.scored_from is not None
    return wanted or request.is_continued or not is_empty(entry)


def _without_reply(request: ModelRequest, mark: str, fault: AttemptError) -> ModelReply:
    passing = fault.kind in ("passing", "rate_limited")
    call = Call(
        request.purpose,
        mark,
        False,
        fault.reason,
        fault.detail,
        passing,
        attempts=fault.attempts,
        server=fault.server,
    )
    return ModelReply(request.key, None, fault.reason, calls=(call,))


@dataclass(slots=True)
class _Tries:
    """The failed attempts at one request; each kind of failure has its own limit."""

    sent: int = 0
    counted: int = 0
    seldom_better: int = 0
    rate_limited: int = 0

    @property
    def failures(self) -> int:
        """The number of failures by which the wait for the next attempt grows."""
        return max(self.counted, self.rate_limited, 1)

    def note(self, fault: AttemptError, *, outage: bool) -> None:
        """Count a failure. In an outage, when no request succeeds, the request is not at fault."""
        self.rate_limited += fault.kind == "rate_limited"
        self.seldom_better += fault.reason in _SELDOM_BETTER and not outage
        self.counted += fault.kind == "passing" and not outage

    def used_up(self, most: int) -> bool:
        """Whether a kind of failure has reached its limit."""
        return (
            self.counted >= most
            or self.seldom_better >= _MOST_OF_THESE
            or self.rate_limited >= _MOST_RATE_LIMITS
        )
