"""How many requests may be in flight at a model: a fixed number, less while the server pleads for less.

A slot is taken for one attempt and is free while a request waits for its next one. Requests that come back
go before new ones. Two things change the number:

- 429: it shrinks by a quarter, at most once per pause that the server asks for, and grows back by one with
  every round of successes (additive increase, multiplicative decrease).
- Nothing but failures: after a row of them as long as the number in flight, one request at a time goes out
  to see whether the server is back. These attempts count against no request.

`ceiling` is moved from outside when the engine shows its queue.
"""

import asyncio
import random
import time
from collections import deque

_SHRINK = 0.75
_SHORTEST_ROW = 8
_FIRST_RETRY_SECONDS = 0.1
_FIRST_PLEA_SECONDS = 1.0
_LONGEST_RETRY_SECONDS = 30.0
_LONGEST_PROBE_SECONDS = 15.0


class Pace:
    """The slots of one model. `stalled_seconds` tells since when nothing succeeds."""

    def __init__(self, in_flight: int) -> None:
        self.ceiling = in_flight
        self._limit = float(in_flight)
        self._running = 0
        self._returning: deque[asyncio.Future[None]] = deque()
        self._new: deque[asyncio.Future[None]] = deque()
        self._failures_in_a_row = 0
        self._first_failure: float | None = None
        self._probes = 0
        self._not_before = 0.0
        self._next_shrink = 0.0

    @property
    def running(self) -> int:
        """Slots that are taken."""
        return self._running

    @property
    def limit(self) -> int:
        """Slots there are at the moment."""
        return 1 if self.probing else max(1, min(int(self._limit), self.ceiling))

    @property
    def probing(self) -> bool:
        """Whether the server has answered nothing for a whole row of requests."""
        return self._failures_in_a_row >= max(_SHORTEST_ROW, min(int(self._limit), self.ceiling))

    @property
    def stalled_seconds(self) -> float:
        """For how long every attempt has failed; 0 when the last one succeeded."""
        return 0.0 if self._first_failure is None else time.monotonic() - self._first_failure

    async def enter(self, *, returning: bool) -> None:
        """Wait for a slot and take it."""
        waiting = self._returning if returning else self._new
        if not self._returning and not waiting and self._is_open():
            self._running += 1
            return
        turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave()
            raise

    def leave(self) -> None:
        """Give a slot back."""
        self._running -= 1
        self._admit()

    def succeeded(self) -> None:
        """An attempt had a reply."""
        self._failures_in_a_row = 0
        self._first_failure = None
        self._probes = 0
        self._not_before = 0.0
        if self._limit < self.ceiling:
            self._limit = min(self.ceiling, self._limit + 1 / self._limit)

    def failed(self, attempt: int, *, rate_limited: bool, asked_to_wait: float | None) -> float:
        """An attempt failed; returns after how many seconds its request may try again."""
        now = time.monotonic()
        self._failures_in_a_row += 1
        self._first_failure = self._first_failure or now
        if rate_limited and now >= self._next_shrink:
            self._limit = max(1.0, min(self._limit, self.ceiling) * _SHRINK)
            self._next_shrink = now + max(1.0, asked_to_wait or 0.0)
        wait = asked_to_wait or 0.0
        # Those that were in flight when the row was complete fail together: that is one failure.
        if self.probing and now >= self._not_before:
            pause = min(_LONGEST_PROBE_SECONDS, 0.5 * 2**self._probes)
            self._probes = min(self._probes + 1, 10)
            self._not_before = now + max(pause, wait)
            asyncio.get_running_loop().call_later(self._not_before - now + 0.001, self._admit)
        if wait:
            return wait * random.uniform(1.0, 1.1)
        first = _FIRST_PLEA_SECONDS if rate_limited else _FIRST_RETRY_SECONDS
        # While others succeed, there is no reason to wait long for the next attempt.
        doublings = attempt - 1 if rate_limited else min(attempt, self._failures_in_a_row) - 1
        return min(_LONGEST_RETRY_SECONDS, first * 2.0**doublings) * random.uniform(0.5, 1.0)

    def move_ceiling(self, running: int, waiting: int, most: int) -> None:
        """Follow an engine that shows its queue: more while nothing waits, fewer when many do."""
        if waiting > max(2, running // 4):
            self.ceiling = max(1, self.ceiling - waiting // 2)
        elif waiting == 0 and self._running >= self.limit:
            slowed = self._limit < self.ceiling
            self.ceiling = max(self.ceiling, min(most, self.ceiling + max(1, self.ceiling // 4)))
            if not slowed:
                self._limit = float(self.ceiling)
        self._admit()

    def _is_open(self) -> bool:
        return self._running < self.limit and time.monotonic() >= self._not_before

    def _admit(self) -> None:
        while (self._returning or self._new) and self._is_open():
            turn = (self._returning or self._new).popleft()
            if not turn.done():
                self._running += 1
                turn.set_result(None)
