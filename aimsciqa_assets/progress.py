"""Progress of long work: a bar on the command line, a line in the log now and then under Dagster."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol

Advance = Callable[[int], None]
_LOG_EVERY_SECONDS = 10.0


class Reporter(Protocol):
    """Shows how far a piece of work is."""

    def task(self, label: str, total: int | None) -> AbstractContextManager[Advance]:
        """Start a piece of work of `total` units; the yielded function says that some are done."""


class LogReporter:
    """Writes a line every ten seconds."""

    def __init__(self, log: Callable[[str], None]) -> None:
        self._log = log

    @contextmanager
    def task(self, label: str, total: int | None) -> Iterator[Advance]:
        """Log the work's progress."""
        done, last = 0, time.monotonic()

        def advance(count: int) -> None:
            nonlocal done, last
            done += count
            if time.monotonic() - last >= _LOG_EVERY_SECONDS:
                last = time.monotonic()
                self._log(f"{label}: {done:,}" + (f" of {total:,}" if total is not None else ""))

        yield advance
        self._log(f"{label}: {done:,} done")


reporter: ContextVar[Reporter | None] = ContextVar("reporter", default=None)


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Advance]:
    """Report a piece of work to whoever listens; silent when nobody does."""
    listener = reporter.get()
    if listener is None:
        yield lambda _count: None
        return
    with listener.task(label, total) as advance:
        yield advance
