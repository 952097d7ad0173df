"""Progress of long work: a bar on the command line, a line in the log now and then under Dagster."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol

_LOG_EVERY_SECONDS = 10.0


class Advance(Protocol):
    """Says that some units are done; `detail` is what else there is to see: tokens, cost, a server away."""

    def __call__(self, count: int, detail: str = "") -> None:
        """Count them."""


class Reporter(Protocol):
    """Shows how far a piece of work is."""

    def task(self, label: str, total: int | None) -> AbstractContextManager[Advance]:
        """Start a piece of work of `total` units; the yielded function says that some are done."""


class LogReporter:
    """Writes a line now and then, and one at the end."""

    def __init__(self, log: Callable[[str], None], every_seconds: float = _LOG_EVERY_SECONDS) -> None:
        self._log = log
        self._every_seconds = every_seconds

    @contextmanager
    def task(self, label: str, total: int | None) -> Iterator[Advance]:
        """Log the work's progress."""
        meter = Meter(total)
        last = time.monotonic()

        def advance(count: int, detail: str = "") -> None:
            nonlocal last
            meter.count(count, detail)
            if time.monotonic() - last >= self._every_seconds:
                last = time.monotonic()
                self._log(f"{label}: {meter.standing()}")

        yield advance
        self._log(f"{label}: {meter.result()}")


class Meter:
    """How much of a piece of work is done, how fast it goes, and when it may be finished."""

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._done = 0
        self._detail = ""
        self._start = time.monotonic()

    def count(self, done: int, detail: str) -> None:
        """So many more are done."""
        self._done += done
        self._detail = detail

    def standing(self) -> str:
        """Where the work stands, while it goes on."""
        rate = self._done / self._seconds
        parts = [self._share(), f"{rate:,.1f}/s"]
        if self._total is not None and rate > 0:
            parts.append(f"about {_duration((self._total - self._done) / rate)} left")
        return ", ".join([*parts, *filter(None, [self._detail])])

    def result(self) -> str:
        """What was done, at the end."""
        return ", ".join([f"{self._share()} in {self._seconds:.1f} s", *filter(None, [self._detail])])

    @property
    def _seconds(self) -> float:
        return max(time.monotonic() - self._start, 1e-9)

    def _share(self) -> str:
        return f"{self._done:,}" + (f" of {self._total:,}" if self._total is not None else "")


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


reporter: ContextVar[Reporter | None] = ContextVar("reporter", default=None)


@contextmanager
def reported_by(listener: Reporter) -> Iterator[None]:
    """Let somebody listen to all progress inside the block."""
    token = reporter.set(listener)
    try:
        yield
    finally:
        reporter.reset(token)


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Advance]:
    """Report a piece of work to whoever listens; silent when nobody does."""
    listener = reporter.get()
    if listener is None:
        yield lambda count, detail="": None
        return
    with listener.task(label, total) as advance:
        yield advance
