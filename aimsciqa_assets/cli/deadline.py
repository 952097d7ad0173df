"""Work of a command that may last too long, inside a library that cannot be interrupted.

DuckDB looks for an interruption between two blocks of rows, and one block may take minutes. So the work
is done in a thread, and the command waits for it: at its deadline, or at Ctrl-C, the command ends, and the
thread with it.
"""

from collections.abc import Callable
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


class LateError(RuntimeError):
    """The work was not done in time."""


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """What the work returns or raises; `LateError` at the deadline, and the work ends with the process."""
    done: SimpleQueue[tuple[Result | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            done.put((work(), None))
        except BaseException as error:
            done.put((None, error))

    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    try:
        result, error = done.get(timeout=seconds)
    except Empty:
        raise LateError(f"{seconds:g} seconds were not enough; give it more with --seconds.") from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]
