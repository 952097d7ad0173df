"""Files are read in processes of their own, so that a file costs at most its own row.

lxml and MuPDF are C, and some files make any reader slow: a file may crash its process, hang in it or
outgrow it. That file is rejected (`reader_crashed`, `reader_too_slow`, `reader_out_of_memory`), and a new
process goes on with the next. The processes are plain, started anew: no Dagster or torch is in them, and the
threads of the parent do not matter to them, as they would after a fork.
"""

import json
import logging
import os
import signal
import subprocess
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import Any

from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.reading.reading_process import READY, Answer

READ_LIMIT = 100 * 2**20 + 1
"""So many bytes of a file are read: more than any reader takes, so that a longer file is rejected."""

_MOST_PROCESSES = 4
_AHEAD = 8
"""So many files per process are read ahead of the one that is waited for."""

_NO_THREAD_MEMORY = 127
"""How glibc ends a process that has no memory left for data of a thread: no exception reaches Python."""

Load = Callable[[str, int], bytes]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may use for one file.

    `memory` counts bytes of data; with the shared libraries it stays below a gigabyte. Of CPU time a paper
    takes a hundredth of `cpu_seconds`, and a busy machine does not count; `wall_seconds` is for what hangs
    without computing. A process that once held more than `grown` bytes reads no other file.
    """

    memory: int = 800 * 2**20
    cpu_seconds: float = 8.0
    wall_seconds: float = 120.0
    grown: int = 300 * 2**20


_LIMITS = Limits()
PDF_LIMITS = Limits(memory=3 * 2**30, cpu_seconds=600.0, wall_seconds=900.0, grown=3 * 2**29)
"""For three hundred pages on a slow machine: the layout model takes a third of a second for a page."""


def limits_of(data: bytes) -> Limits:
    """Return what a process may use for a file, by the format of its first bytes."""
    return PDF_LIMITS if b"%PDF-" in data[:1024] else _LIMITS


class UnfitReaderError(RuntimeError):
    """Reading processes do not work here, whatever the file; the message says why."""


def read_isolated(
    read: Callable[..., Any],
    files: Iterable[Mapping[str, Any]],
    load: Load,
    limits: Limits | None = None,
) -> Generator[Any, None, None]:
    """For each file, in order, what `read(data, **file)` returns, or the `RejectedFileError` that it raised.

    `read` is a function of a module that is quick to import, and returns what JSON can hold. Each file has a
    `file_id`, by which `load` gives its first bytes. Without `limits`, those of its format hold for a file.
    Closing the iterator ends the processes. Raises `UnfitReaderError`.
    """
    processes = min(_MOST_PROCESSES, os.cpu_count() or 1)
    waiting: deque[Future[Any]] = deque()
    with _Readers(read, limits, processes) as readers:
        for file in files:
            waiting.append(readers.submit(file, load))
            if len(waiting) > _AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


class _Readers:
    """The reading processes, each served by a thread; at the end none is left, whatever happened."""

    def __init__(self, read: Callable[..., Any], limits: Limits | None, processes: int) -> None:
        self._function = f"{read.__module__}:{read.__qualname__}"
        self._limits = limits
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="reading")
        self._lock = Lock()
        self._idle: defaultdict[Limits, list[_Reader]] = defaultdict(list)
        self._running: set[_Reader] = set()
        self._stopped = False

    def __enter__(self) -> "_Readers":
        return self

    def __exit__(self, *_exception: object) -> None:
        with self._lock:
            self._stopped = True
            for reader in self._running:
                reader.kill()
        self._threads.shutdown(cancel_futures=True)
        for reader in [*self._running]:
            self._end(reader)

    def submit(self, file: Mapping[str, Any], load: Load) -> "Future[Any]":
        """Have a file read as soon as a process is free."""
        return self._threads.submit(self._read, file, load)

    def _read(self, file: Mapping[str, Any], load: Load) -> Any:
        data = load(file["file_id"], READ_LIMIT)
        limits = self._limits or limits_of(data)
        reader = self._take(limits)
        answer = reader.answer(data, file)
        if answer.get("broke") and not reader.is_new:
            # What broke the process may be left over from the files before: a new one gives the verdict.
            self._end(reader)
            reader = self._start(limits)
            answer = reader.answer(data, file)
        if answer["last"]:
            self._end(reader)
        else:
            reader.is_new = False
            self._idle[limits].append(reader)
        return _outcome(file, answer)

    def _take(self, limits: Limits) -> "_Reader":
        with self._lock:
            if self._idle[limits]:
                return self._idle[limits].pop()
        return self._start(limits)

    def _start(self, limits: Limits) -> "_Reader":
        with self._lock:
            if self._stopped:
                raise UnfitReaderError("stopped")
            reader = _Reader(self._function, limits)
            self._running.add(reader)
        reader.wait_until_ready()
        return reader

    def _end(self, reader: "_Reader") -> None:
        reader.end()
        with self._lock:
            self._running.discard(reader)


class _Reader:
    """One reading process."""

    def __init__(self, function: str, limits: Limits) -> None:
        figures = map(str, (limits.memory, limits.cpu_seconds, limits.wall_seconds, limits.grown))
        self.is_new = True
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "aimsciqa_assets.reading.reading_process", function, *figures],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # What can be imported here can be imported there; threads of numpy would only take memory.
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                "OPENBLAS_NUM_THREADS": "1",
            },
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._questions, self._answers = self._process.stdin, self._process.stdout

    def wait_until_ready(self) -> None:
        """Raises `UnfitReaderError` when the process does not come up."""
        if self._answers.readline() != READY:
            raise UnfitReaderError(f"no reading process: it ended with {self._process.wait()}, see stderr")

    def answer(self, data: bytes, file: Mapping[str, Any]) -> Answer:
        """What the process says about a file, or why it says nothing."""
        question = json.dumps({"bytes": len(data), "arguments": dict(file)}).encode()
        try:
            self._questions.write(question + b"\n")
            self._questions.write(data)
            self._questions.flush()
        except BrokenPipeError:
            return _death(self._process.wait())
        line = self._answers.readline()
        if not line.endswith(b"\n"):
            return _death(self._process.wait())
        answer: Answer = json.loads(line)
        return answer

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def end(self) -> None:
        """Leave nothing of the process."""
        self._process.kill()
        self._process.wait()
        self._answers.close()
        with suppress(BrokenPipeError):
            self._questions.close()


def _death(status: int) -> Answer:
    """The answer of a process that ended without one."""
    if -status in {signal.SIGPROF, signal.SIGALRM}:
        return {"rejected": ["reader_too_slow", "its time to be read was over"], "last": True}
    if -status == signal.SIGKILL:  # what the system does when memory is short
        rejected = ["reader_out_of_memory", "the system ended the process that read it"]
    elif status == _NO_THREAD_MEMORY:
        rejected = ["reader_out_of_memory", "it needs too much memory"]
    else:
        name = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        rejected = ["reader_crashed", f"the process that read it ended with {name}"]
    return {"rejected": rejected, "last": True, "broke": True}


def _outcome(file: Mapping[str, Any], answer: Answer) -> Any:
    if "unfit" in answer:
        raise UnfitReaderError(answer["unfit"])
    if "rejected" not in answer:
        return answer["value"]
    reason, detail = answer["rejected"]
    if reason.startswith("reader_"):
        _log.warning("%s: %s: %s", file.get("file_name", file["file_id"]), reason, detail)
    return RejectedFileError(reason, detail)
