"""How many requests may be in flight at a model, and how fast they follow each other.

A slot is taken for one attempt and is free while a request waits for its next one; requests that come back
go before new ones. Two things slow the sending down:

- 429: the server gets at most a fifth more requests a second than it lately answered, until it stops
  complaining. The request itself waits as long as the server asks.
- An outage: so many different requests have failed since the last success as there are slots (or requests
  left). Then one request at a time goes out to see whether the server is back, more and more rarely.

`ceiling`, the number of slots, is moved from outside when the engine shows its queue.
"""

import asyncio
import math
import random
import time
from collections import deque

_SHORTEST_ROW = 3
_FIRST_RETRY_SECONDS = 0.1
_FIRST_PLEA_SECONDS = 1.0
_LONGEST_RETRY_SECONDS = 30.0
_FIRST_PROBE_SECONDS = 0.5
_LONGEST_PROBE_SECONDS = 15.0
_OVER_THE_RATE = 1.2
_ENOUGH_REPLIES = 10
_FADING_PER_SECOND = 0.8


class Pace:
    """The slots of one model, used from one event loop."""

    def __init__(self, in_flight: int) -> None:
        self.ceiling = in_flight
        self.probing = False
        self._running = 0
        self._probes_out = 0
        self._returning: deque[asyncio.Future[bool]] = deque()
        self._new: deque[asyncio.Future[bool]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._failed: set[str] = set()
        self._first_failure: float | None = None
        self._probes = 0
        self._not_before = 0.0
        self._interval = 0.0
        self._next_send = 0.0
        self._plea_ends = 0.0
        self._counted_since = time.monotonic()
        self._successes = 0

    @property
    def limit(self) -> int:
        """Slots there are at the moment."""
        return 1 if self.probing else self.ceiling

    @property
    def stalled_seconds(self) -> float:
        """For how long every attempt has failed; 0 when the last one succeeded."""
        return 0.0 if self._first_failure is None else time.monotonic() - self._first_failure

    async def enter(self, *, returning: bool) -> bool:
        """Wait for a slot and take it; the result is to be given to `leave`."""
        waiting = self._returning if returning else self._new
        if not self._returning and not waiting and self._closed_for() == 0:
            return self._take()
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        self._admit()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave(turn.result())
            raise

    def leave(self, slot: bool) -> None:
        """Give a slot back."""
        self._running -= 1
        self._probes_out -= slot
        self._admit()

    def succeeded(self) -> None:
        """The server answered an attempt."""
        self._failed.clear()
        self._first_failure = None
        self.probing = False
        self._probes = 0
        self._not_before = 0.0
        self._successes += 1

    def failed(
        self, request: str, attempt: int, *, requests_left: int, rate_limited: bool, wait: float | None
    ) -> float:
        """An attempt at a request failed; returns after how many seconds it may be tried again.

        `attempt` counts the request's own failures, `wait` is what the server asks for.
        """
        now = time.monotonic()
        self._failed.add(request)
        if self._first_failure is None:
            self._first_failure = now
        if rate_limited:
            self._slow_down(now, wait or 0.0)
        if len(self._failed) >= max(_SHORTEST_ROW, min(self.ceiling, requests_left)):
            self.probing = True
        # Those that were in flight when the row was complete fail together: that is one failure.
        if self.probing and now >= self._not_before:
            pause = min(_LONGEST_PROBE_SECONDS, _FIRST_PROBE_SECONDS * 2**self._probes)
            self._probes = min(self._probes + 1, 10)
            self._not_before = now + max(pause, wait or 0.0)
        if wait:
            return wait * random.uniform(1.0, 1.1)
        first = _FIRST_PLEA_SECONDS if rate_limited else _FIRST_RETRY_SECONDS
        # While others succeed, there is no reason to wait long for the next attempt.
        doublings = attempt - 1 if rate_limited else min(attempt, len(self._failed)) - 1
        return min(_LONGEST_RETRY_SECONDS, first * 2.0**doublings) * random.uniform(0.5, 1.0)

    def end_outage(self) -> None:
        """Let everybody try at once, whatever came of the probes."""
        self.probing = False
        self._failed.clear()
        self._not_before = 0.0
        self._admit()

    def move_ceiling(self, running: int, waiting: int, most: int) -> None:
        """Follow an engine that shows its queue: more slots while nothing waits, fewer when many do."""
        if self.probing:
            return
        if waiting > max(2, running // 4):
            self.ceiling = max(1, self.ceiling - waiting // 2)
        elif waiting == 0 and self._running >= self.ceiling:
            self.ceiling = max(self.ceiling, min(most, self.ceiling + max(1, self.ceiling // 4)))
        self._admit()

    def _slow_down(self, now: float, wait: float) -> None:
        if now < self._plea_ends:
            return
        elapsed = now - self._counted_since
        if self._successes >= _ENOUGH_REPLIES and elapsed >= 1.0:
            self._interval = elapsed / (self._successes * _OVER_THE_RATE)
            self._counted_since, self._successes = now, 0
        self._plea_ends = now + max(1.0, wait)

    def _spacing(self, now: float) -> float:
        """Seconds between two sends; less and less once the server complains no more."""
        return float(self._interval * _FADING_PER_SECOND ** max(0.0, now - self._plea_ends))

    def _closed_for(self) -> float:
        """Seconds until somebody may enter: 0 for now, infinity while no slot is free."""
        now = time.monotonic()
        if self.probing:
            # A request that hangs since before the outage must not keep the probe out.
            return math.inf if self._probes_out else max(0.0, self._not_before - now)
        if self._running >= self.ceiling:
            return math.inf
        return max(0.0, self._next_send - now)

    def _take(self) -> bool:
        self._running += 1
        self._probes_out += self.probing
        if self._interval:
            now = time.monotonic()
            self._next_send = max(now, self._next_send) + self._spacing(now)
        return self.probing

    def _admit(self) -> None:
        while (self._returning or self._new) and (closed := self._closed_for()) < math.inf:
            if closed > 0:
                self._look_again(closed)
                return
            turn = (self._returning or self._new).popleft()
            if not turn.done():
                turn.set_result(self._take())

    def _look_again(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._admit)
