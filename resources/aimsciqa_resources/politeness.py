"""Limits requests to a service: so many a second, so many at once, and none while it asks us to wait."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from aimsciqa_resources.service_errors import DeadlineError, ServiceError, TooManyRequestsError

T = TypeVar("T")

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


def wait_before_retry(error: ServiceError, attempt: int, first_seconds: float) -> float:
    """Seconds until the next attempt: what the server asks for, or else doubling, with a random part."""
    if error.wait:
        return error.wait * random.uniform(1.0, 1.1)
    longest = min(_LONGEST_RETRY_SECONDS, first_seconds * 2.0 ** (attempt - 1))
    return longest * random.uniform(0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Persistence:
    """How often a request whose errors are transient is tried, and how long it waits after the first."""

    attempts: int
    first_retry_seconds: float
    sleep: Callable[[float], None] = time.sleep

    def insist(self, gate: Gate, ends: float, attempt_once: Callable[[], T]) -> T:
        """Try until an attempt succeeds, or another one would be useless or too late.

        Where the service asks for fewer requests, all that pass the gate wait.
        """
        attempt = 1
        while True:
            try:
                with gate.turn(ends):
                    return attempt_once()
            except ServiceError as error:
                wait = wait_before_retry(error, attempt, self.first_retry_seconds)
                everybody = isinstance(error, TooManyRequestsError)
                if everybody:
                    gate.rest(wait)
                late = time.monotonic() + wait >= ends
                if not error.passing or attempt == self.attempts or late:
                    raise
                if not everybody:
                    self.sleep(wait)
            attempt += 1
