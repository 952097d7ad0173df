"""How many requests may be in flight at a server, and how fast they follow each other.

A slot is taken for one attempt, and is free while a request waits for its next attempt. Requests that come
back go before new ones. Two things slow the sending down:

- 429 and 503: until the server stops complaining, it gets at most a fifth more requests a second than it
  lately answered. The request itself waits as long as the server asks.
- An outage: several requests have failed for a while, and nothing has succeeded since. Then one request is
  sent now and then to see whether the server is back. New ones go first: a failed one may be at fault itself.

`ceiling`, the number of slots, is set from outside when the engine shows its queue.
"""

import asyncio
import math
import random
import time
from collections import Counter, deque

_SHORTEST_ROW = 3
_SHORTEST_OUTAGE_SECONDS = 0.5
_FIRST_RETRY_SECONDS = 0.1
_FIRST_PLEA_SECONDS = 1.0
_LONGEST_RETRY_SECONDS = 30.0
_QUICK_RETRIES = 8
_FIRST_PROBE_SECONDS = 0.5
_LONGEST_PROBE_SECONDS = 15.0
_OVER_THE_RATE = 1.2
_ENOUGH_REPLIES = 10
_FADING_PER_SECOND = 0.8


class Pace:
    """The slots of one server, used from one event loop."""

    def __init__(self, in_flight: int) -> None:
        self.ceiling = in_flight
        self.probing = False
        self.running = 0
        self._returning: deque[asyncio.Future[bool]] = deque()
        self._new: deque[asyncio.Future[bool]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._failed: Counter[str] = Counter()
        self._first_failure: float | None = None
        self._expected = 0.0
        self._probes = 0
        self._not_before = 0.0
        self._interval = 0.0
        self._next_send = 0.0
        self._plea_ends = 0.0
        self._counted_since = time.monotonic()
        self._successes = 0

    @property
    def limit(self) -> int:
        """The number of slots at the moment."""
        return 1 if self.probing else self.ceiling

    @property
    def stalled_seconds(self) -> float:
        """For how long every attempt has failed; 0 when the last one succeeded.

        The wait that the server asked for at the first of these failures does not count.
        """
        return 0.0 if self._first_failure is None else max(0.0, time.monotonic() - self._expected)

    @property
    def load(self) -> int:
        """Requests in flight, and those that wait for a slot."""
        return self.running + len(self._returning) + len(self._new)

    @property
    def has_room(self) -> bool:
        """Whether a request could be sent at once."""
        return not (self._returning or self._new) and self._closed_for() == 0

    async def enter(self, *, returning: bool) -> bool:
        """Wait for a slot and take it; False: the request was sent away (`dismiss`) and has none."""
        waiting = self._returning if returning else self._new
        if not self._returning and not waiting and self._closed_for() == 0:
            self._take()
            return True
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        self._admit()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.result():
                self.leave()
            raise

    def leave(self) -> None:
        """Give a slot back."""
        self.running -= 1
        self._admit()

    def succeeded(self) -> None:
        """The server answered an attempt."""
        if self.probing:
            # Its pace before the outage says nothing about its pace now.
            self._counted_since, self._successes = time.monotonic(), 0
            self._interval = self._next_send = 0.0
        self._failed.clear()
        self._first_failure = None
        self.probing = False
        self._probes = 0
        self._not_before = 0.0
        self._successes += 1

    def failed(self, request: str, attempt: int, *, complains: bool, wait: float | None) -> float:
        """An attempt at a request failed; returns after how many seconds it may be tried again.

        `attempt` counts the failures of this request. `complains` says that the server is overloaded; `wait`
        is how many seconds it asks to wait.
        """
        now = time.monotonic()
        self._failed[request] += 1
        if self._first_failure is None:
            self._first_failure, self._expected = now, now + (wait or 0.0)
        if complains:
            self._slow_down(now, wait or 0.0)
        lasted = now - self._first_failure
        if not self.probing and len(self._failed) >= _SHORTEST_ROW and lasted >= _SHORTEST_OUTAGE_SECONDS:
            self.probing = True
            self._not_before = now + _FIRST_PROBE_SECONDS
        if wait:
            if self.probing:
                self._not_before = max(self._not_before, now + wait)
            return wait * random.uniform(1.0, 1.1)
        if complains:
            return _grown(_FIRST_PLEA_SECONDS, attempt - 1)
        # While other requests succeed, the first few retries need not wait long.
        return _grown(_FIRST_RETRY_SECONDS, max(self._failed[request] - 1, attempt - _QUICK_RETRIES))

    def end_outage(self) -> None:
        """End the outage: all requests may try at once, whether a probe succeeded or not."""
        self.probing = False
        self._failed.clear()
        self._not_before = 0.0
        self._admit()

    def begin_outage(self) -> None:
        """Take the server for down before anything was sent."""
        self._first_failure = self._expected = time.monotonic()
        self.probing = True
        self._not_before = self._first_failure + _FIRST_PROBE_SECONDS

    def dismiss(self) -> None:
        """Send all requests away that wait for a slot."""
        for waiting in (self._returning, self._new):
            while waiting:
                turn = waiting.popleft()
                if not turn.done():
                    turn.set_result(False)

    def set_ceiling(self, slots: int) -> None:
        """Set the number of slots."""
        self.ceiling = slots
        self._admit()

    def move_ceiling(self, running: int, waiting: int, most: int) -> None:
        """Adapt to the queue of an engine: more slots while nothing waits there, fewer when many wait."""
        if self.probing:
            return
        if waiting > max(2, running // 4):
            self.set_ceiling(max(1, self.ceiling - waiting // 2))
        elif waiting == 0 and self.running >= self.ceiling:
            self.set_ceiling(max(self.ceiling, min(most, self.ceiling + max(1, self.ceiling // 4))))

    def _slow_down(self, now: float, wait: float) -> None:
        if now < self._plea_ends:
            return
        elapsed = now - self._counted_since
        if self._successes >= _ENOUGH_REPLIES and elapsed >= 1.0:
            self._interval = elapsed / (self._successes * _OVER_THE_RATE)
            self._counted_since, self._successes = now, 0
        self._plea_ends = now + max(1.0, wait)

    def _spacing(self, now: float) -> float:
        """Seconds between two sends; they shrink once the server does not complain any more."""
        return float(self._interval * _FADING_PER_SECOND ** max(0.0, now - self._plea_ends))

    def _closed_for(self) -> float:
        """Seconds until a request may enter: 0 means now, infinity means that no slot is free."""
        now = time.monotonic()
        if self.probing:
            # Requests that hang must not keep back the next probe.
            return max(0.0, self._not_before - now)
        if self.running >= self.ceiling:
            return math.inf
        return max(0.0, self._next_send - now)

    def _take(self) -> None:
        now = time.monotonic()
        self.running += 1
        if self.probing:
            pause = min(_LONGEST_PROBE_SECONDS, _FIRST_PROBE_SECONDS * 2 ** (self._probes + 1))
            self._probes = min(self._probes + 1, 10)
            self._not_before = now + pause
        elif self._interval:
            self._next_send = max(now, self._next_send) + self._spacing(now)

    def _admit(self) -> None:
        while (self._returning or self._new) and (closed := self._closed_for()) < math.inf:
            if closed > 0:
                self._look_again(closed)
                return
            first, second = self._returning, self._new
            if self.probing:
                first, second = second, first
            turn = (first or second).popleft()
            if not turn.done():
                self._take()
                turn.set_result(True)

    def _look_again(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._admit)


def _grown(seconds: float, doublings: int) -> float:
    """Twice as long each time, up to a limit, with a random part so that requests spread out."""
    return min(_LONGEST_RETRY_SECONDS, seconds * 2.0 ** max(0, doublings)) * random.uniform(0.5, 1.0)
