"""A DuckDB file that stays open between its uses, while nobody else wants it.

To open and close a file with many tables takes ten times as long as to write a few rows. Whoever goes from
step to step therefore keeps it open. A thread watches: the file is closed when others wait for it, or when it
was not used for a moment.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import duckdb

from aimsciqa_resources.warehouse.opening import Attached

Open = Callable[[bool], AbstractContextManager[Attached]]
"""Opens the file, to be read only or not, under the lock for that."""

_LOOKS_EVERY_SECONDS = 0.003
_IDLE_SECONDS = 0.1
# While a file is open for writing, no other process can read it. Queries on one of this size are quick.
_SMALL_BYTES = 2**28


class KeptOpen:
    """A file as the threads of a process share it: one writes, or several read.

    `is_waited_for` says whether anybody waits for the lock.
    """

    def __init__(self, file: Path, open_file: Open, is_waited_for: Callable[[], bool]) -> None:
        self._file = file
        self._open_file = open_file
        self._is_waited_for = is_waited_for
        self._turn = threading.Condition()
        self._opened = ExitStack()
        self._attached: Attached | None = None
        self._is_read_only = True
        self._is_written = False
        self._users = 0
        self._used_at = 0.0
        self._ended = False
        self._error: Exception | None = None
        self._is_open = threading.Event()
        threading.Thread(target=self._watch, name="kept open", daemon=True).start()

    @contextmanager
    def writing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The only connection."""

        def suits() -> bool:
            return not self._is_read_only and not self._users

        with self._used(suits, writes=True) as attached, attached.connection() as connection:
            yield connection

    @contextmanager
    def reading(self, *, brief: bool) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection that only reads; where that is `brief`, the file may stay open for writing."""

        def suits() -> bool:
            return self._is_read_only or (brief and not self._is_written)

        with self._used(suits, writes=False) as attached, attached.connection() as connection:
            connection.execute("begin transaction read only")
            yield connection

    def close(self) -> None:
        """Close it unless it is being used; the next use opens it again. Raises what went wrong with that."""
        with self._turn:
            if not self._users:
                self._shut()
            self._tell()

    def end(self) -> None:
        """Close it for good, behind its last use."""
        self._ended = True
        self._is_open.set()
        self.close()

    @contextmanager
    def _used(self, suits: Callable[[], bool], *, writes: bool) -> Iterator[Attached]:
        with self._turn:
            self._turn.wait_for(lambda: not self._users or suits())
            self._tell()
            if self._attached and not suits():
                self._shut()
            attached = self._attached or self._attach(read_only=not writes)
            self._users += 1
            self._is_written = writes
        went_well = False
        try:
            yield attached
            went_well = True
        finally:
            with self._turn:
                self._users -= 1
                self._is_written = False
                self._used_at = time.monotonic()
                try:
                    if not self._users and not (went_well and self._may_stay()):
                        self._shut()
                finally:
                    self._turn.notify_all()

    def _attach(self, *, read_only: bool) -> Attached:
        with ExitStack() as opening:
            attached = opening.enter_context(self._open_file(read_only))
            self._opened = opening.pop_all()
        self._attached, self._is_read_only = attached, read_only
        self._is_open.set()
        return attached

    def _may_stay(self) -> bool:
        if self._ended or self._is_waited_for():
            return False
        try:
            return self._is_read_only or self._file.stat().st_size <= _SMALL_BYTES
        except OSError:
            return False  # it is gone

    def _shut(self) -> None:
        self._attached = None
        if not self._ended:
            self._is_open.clear()
        self._opened.close()

    def _tell(self) -> None:
        error, self._error = self._error, None
        if error:
            raise error

    def _watch(self) -> None:
        while self._is_open.wait() and not self._ended:
            time.sleep(_LOOKS_EVERY_SECONDS)
            with self._turn:
                try:
                    idle = time.monotonic() - self._used_at > _IDLE_SECONDS
                    if self._attached and not self._users and (idle or self._is_waited_for()):
                        self._shut()
                except Exception as error:
                    self._error = error  # whoever uses it next is told
