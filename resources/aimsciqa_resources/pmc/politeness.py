"""Limits requests to a service: so many a second, so many at once, and none while it asks us to wait."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aimsciqa_resources.pmc.errors import DeadlineError, PmcError

# Requests sent at the rate may arrive closer together, because the first one opens the connection.
_MARGIN = 1.2
_LONGEST_RETRY_SECONDS = 60.0


class Gate:
    """The gate to one service, for many threads. `per_second` None means no limit on the rate."""

    def __init__(
        self, per_second: float | None, at_once: int, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._spacing = _MARGIN / per_second if per_second else 0.0
        self._places = threading.BoundedSemaphore(at_once)
        self._lock = threading.Lock()
        self._next = 0.0
        self._sleep = sleep

    @contextmanager
    def turn(self, ends: float) -> Iterator[None]:
        """Wait for a turn, and hold a place while the request lasts.

        Raises `DeadlineError` when the service asks us to wait beyond `ends` (monotonic seconds).
        """
        with self._places:
            while (closed := self._enter()) > 0:
                if time.monotonic() + closed > ends:
                    raise DeadlineError(f"The service asks us to wait for {closed:.0f} s more.", closed)
                self._sleep(closed)
            yield

    def rest(self, seconds: float) -> None:
        """Let no request through for so many seconds."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)

    def _enter(self) -> float:
        """Take the turn if it has come; else return the seconds until then."""
        with self._lock:
            now = time.monotonic()
            if now < self._next:
                return self._next - now
            self._next = now + self._spacing
            return 0.0


def wait_before_retry(error: PmcError, attempt: int, first_seconds: float) -> float:
    """Seconds until the next attempt: what the server asks for, or else doubling, with a random part."""
    if error.wait:
        return error.wait * random.uniform(1.0, 1.1)
    longest = min(_LONGEST_RETRY_SECONDS, first_seconds * 2.0 ** (attempt - 1))
    return longest * random.uniform(0.5, 1.0)
