"""Processes that run untrusted SQL on one file: kept warm, used by many threads, killed when they are late.

A statement waits for a free process, and its time counts from when it has one. A process that was killed, or
died, or grew, is followed by a new one when the next statement needs it.
"""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Semaphore
from typing import Any

from aimsciqa_resources.untrusted_sql.cells import LONGEST_RESULT, LONGEST_TEXT, READY, Column

_TO_START = 60.0
_LONGEST_ANSWER = 16 * LONGEST_RESULT
"""A character may take six bytes in JSON, and each cell some more."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one statement may use.

    `process_bytes` is all memory that its process maps, DuckDB's code and the idle process (350 MB) included;
    `duckdb_bytes` what DuckDB takes for tables, sorting and joins, of which it keeps account itself.
    """

    seconds: float = 600.0
    process_bytes: int = 1024 * 2**20
    duckdb_bytes: int = 384 * 2**20


class StatementError(ValueError):
    """A statement that gave no result; the message says why."""


class RefusedStatementError(StatementError):
    """A statement that may not run."""


class LateStatementError(StatementError):
    """A statement that was not ready at its deadline; its process was killed."""


class CrashedStatementError(StatementError):
    """A statement that ended its process, by its memory or by a defect of DuckDB."""


class UnfitWorkerError(RuntimeError):
    """No statement can run: the file cannot be opened, or processes do not start here."""


class SqlPool:
    """Runs statements on one file in at most so many processes at once; threads may share it. Close it."""

    def __init__(self, database: Path, limits: Limits | None = None, processes: int | None = None) -> None:
        self._database = database.resolve()
        self._limits = limits or Limits()
        self._free = Semaphore(processes or min(4, os.cpu_count() or 1))
        self._lock = Lock()
        self._idle: list[_Worker] = []
        self._closed = False

    def __enter__(self) -> "SqlPool":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def run(self, sql: str, rows: int, seconds: float | None = None) -> list[Column]:
        """The first rows of the last SELECT in a text, all of whose statements only read.

        Raises `StatementError` for a text without a result, `UnfitWorkerError` when nothing can run.
        """
        if len(sql) > LONGEST_TEXT:
            raise RefusedStatementError(f"The text is longer than {LONGEST_TEXT:,} characters.")
        question = {"sql": sql, "rows": rows, "seconds": self._limits.seconds if seconds is None else seconds}
        with self._free:
            worker = self._take()
            try:
                answer = worker.answer(question)
            except BaseException:
                worker.end()
                raise
            if answer["last"]:
                worker.end()
            else:
                self._give_back(worker)
        if "forbidden" in answer:
            raise RefusedStatementError(answer["forbidden"])
        if "error" in answer:
            raise StatementError(answer["error"].replace(str(self._database), self._database.name))
        columns: list[Column] = answer["columns"]
        return columns

    def close(self) -> None:
        """End the idle processes; those at work end with their statement."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.end()

    def _take(self) -> "_Worker":
        with self._lock:
            if self._closed:
                raise UnfitWorkerError("The pool is closed.")
            while self._idle:
                worker = self._idle.pop()
                if worker.lives():
                    return worker
                worker.end()
        return _Worker(self._database, self._limits)

    def _give_back(self, worker: "_Worker") -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(worker)
                return
        worker.end()


class _Worker:
    """One process."""

    def __init__(self, database: Path, limits: Limits) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "aimsciqa_resources.untrusted_sql.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            # No key of any service, and no folder of the user. One arena: each would map 64 MB.
            env={
                "PYTHONPATH": os.pathsep.join(filter(None, map(os.path.abspath, sys.path))),
                "HOME": "/nowhere",
                "MALLOC_ARENA_MAX": "1",
                "OPENBLAS_NUM_THREADS": "1",
            },
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._questions, self._answers = self._process.stdin, self._process.stdout
        os.set_blocking(self._answers.fileno(), False)
        os.set_blocking(self._questions.fileno(), False)
        given = {
            "database": str(database),
            "duckdb_bytes": limits.duckdb_bytes,
            "process_bytes": limits.process_bytes,
        }
        try:
            said = self._exchange(given, _TO_START)
            if said != READY:
                raise UnfitWorkerError(f"{database} cannot be asked: {said.get('unfit', said)}")
        except StatementError as error:
            self.end()
            raise UnfitWorkerError(f"No process can be started that runs SQL: {error}") from error
        except BaseException:
            self.end()
            raise

    def lives(self) -> bool:
        """Whether the process still waits for a question."""
        return self._process.poll() is None

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """What the process says; raises `LateStatementError` and `CrashedStatementError`."""
        return self._exchange(question, question["seconds"])

    def _exchange(self, question: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        unsent = memoryview(json.dumps(question).encode() + b"\n")
        said = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self._questions, selectors.EVENT_WRITE)
            selector.register(self._answers, selectors.EVENT_READ)
            while not said.endswith(b"\n"):
                ready = selector.select(max(0.0, deadline - time.monotonic()))
                if not ready:
                    raise LateStatementError(f"{seconds:g} seconds were not enough.")
                for key, _ in ready:
                    if key.fileobj is self._answers:
                        said += self._heard(seconds, len(said))
                    elif unsent := self._sent(unsent):
                        pass
                    else:
                        selector.unregister(self._questions)
        try:
            answer: dict[str, Any] = json.loads(said)
        except (ValueError, RecursionError) as error:
            raise CrashedStatementError(f"The result cannot be sent: {error}") from error
        return answer

    def _sent(self, unsent: memoryview) -> memoryview:
        """What of a question the pipe did not take yet; nothing when nobody is there to take it."""
        try:
            return unsent[os.write(self._questions.fileno(), unsent) :]
        except BrokenPipeError:
            return unsent[:0]

    def _heard(self, seconds: float, before: int) -> bytes:
        part = os.read(self._answers.fileno(), 2**20)
        if not part:
            status = self._process.wait()
            if status == -signal.SIGALRM:
                raise LateStatementError(f"{seconds:g} seconds were not enough.")
            raise CrashedStatementError(f"The statement ended its process ({_told(status)}).")
        if before + len(part) > _LONGEST_ANSWER:
            raise CrashedStatementError("The result is too large to be sent.")
        return part

    def end(self) -> None:
        """Leave nothing of the process."""
        self._process.kill()
        self._process.wait()
        self._answers.close()
        with suppress(BrokenPipeError):
            self._questions.close()


def _told(status: int) -> str:
    if -status in {signal.SIGKILL, signal.SIGABRT}:
        return f"{signal.Signals(-status).name}; it may have needed too much memory"
    return signal.Signals(-status).name if status < 0 else f"exit status {status}"
