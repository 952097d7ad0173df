"""Async work behind a plain iterator: it runs in its own thread, and yields results as they are made."""

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_MOST_UNREAD = 1000
_LOOK_AGAIN_SECONDS = 0.02


class Outlet(Generic[T]):
    """Where async work puts its results; the work can wait until they are taken."""

    def __init__(self) -> None:
        self._made: queue.SimpleQueue[T | _End] = queue.SimpleQueue()

    def put(self, result: T) -> None:
        """Hand a result over."""
        self._made.put(result)

    async def has_room(self) -> None:
        """Wait until the reader has taken most of what was put."""
        while self._made.qsize() > _MOST_UNREAD:
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)

    def end(self, error: BaseException | None) -> None:
        """Say that nothing more will come."""
        self._made.put(_End(error))

    def take(self) -> "T | _End":
        """The next result, as soon as there is one."""
        return self._made.get()


class _End:
    def __init__(self, error: BaseException | None) -> None:
        self.error = error


def stream(work: Callable[[Outlet[T]], Awaitable[None]]) -> Generator[T, None, None]:
    """Yield what `work` puts, and raise what it raises. Leaving the iterator cancels the work."""
    outlet: Outlet[T] = Outlet()
    loop = asyncio.new_event_loop()
    task: list[asyncio.Task[Any]] = []

    async def run() -> None:
        await work(outlet)

    def serve() -> None:
        error: BaseException | None = None
        try:
            task.append(loop.create_task(run()))
            loop.run_until_complete(task[0])
        except BaseException as raised:
            error = raised
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
            outlet.end(error)

    thread = threading.Thread(target=serve, name="language-model", daemon=True)
    thread.start()
    ended = False
    try:
        while not isinstance(result := outlet.take(), _End):
            yield result
        ended = True
        if result.error is not None:
            raise result.error
    finally:
        if not ended:
            # The work may have ended by itself and closed its loop.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: [one.cancel() for one in task])
        thread.join()
