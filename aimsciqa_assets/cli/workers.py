"""Several batches at once: processes that run a phase for one batch after another.

What they do they tell line by line. They end with the process that started them, whatever ends it.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.util import Finalize
from typing import Protocol

from rich.console import Console

from aimsciqa_assets.cli.phases import PHASES, Failure
from aimsciqa_assets.cli.terminal import console
from aimsciqa_assets.platform.progress import LogReporter, reporter


class Worker(Protocol):
    """Whoever runs phases in a process: a pipeline."""

    def run_phase(self, number: int, part: str) -> list[Failure]:
        """Run a phase for a part; returns what failed."""


Crew = Callable[[int, Sequence[str]], Iterator[tuple[str, list[Failure]]]]
"""Runs a phase for some batches; gives each with its failures, as it is finished."""

_LINE_EVERY_SECONDS = 60.0
_opened: list[Worker] = []


@contextmanager
def worker_processes(open_worker: Callable[[Console], Worker], at_once: int) -> Iterator[Crew]:
    """A crew of so many processes, each of which opens a worker: a function that can be pickled."""
    workers = ProcessPoolExecutor(at_once, get_context("spawn"), _begin, (open_worker, os.getpid(), at_once))

    def crew(number: int, batches: Sequence[str]) -> Iterator[tuple[str, list[Failure]]]:
        running = {workers.submit(_run_phase, number, batch): batch for batch in batches}
        try:
            for future in as_completed(running):
                yield running[future], _result(future, number, running[future])
        finally:
            for future in running:
                future.cancel()

    try:
        yield crew
    finally:
        workers.shutdown(cancel_futures=True)


def _result(future: Future[list[Failure]], number: int, batch: str) -> list[Failure]:
    try:
        return future.result()
    except BrokenProcessPool:
        lost = "A process was killed from outside, perhaps for lack of memory: try fewer batches at once."
        return [Failure(PHASES[number].steps[0].writes[0], batch, lost)]


def _begin(open_worker: Callable[[Console], Worker], parent: int, at_once: int) -> None:
    """Open the worker of this process, once."""
    share_cores(at_once)
    # Last of all: a regular exit would let DuckDB 2.0 print pages about leaks in its Python binding.
    Finalize(None, _leave, exitpriority=-1000)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _opened.append(open_worker(console))
    reporter.set(LogReporter(_tell, _LINE_EVERY_SECONDS))


def _tell(line: str) -> None:
    console.print(f"  {line}", highlight=False, markup=False)


def share_cores(at_once: int) -> None:
    """In one of so many processes: torch, once it is loaded, takes its share of the cores and no more."""
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // at_once)))


def _run_phase(number: int, batch: str) -> list[Failure]:
    return _opened[0].run_phase(number, batch)


def _leave() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _end_with(parent: int) -> None:
    """A pool does not notice that its owner was killed."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
