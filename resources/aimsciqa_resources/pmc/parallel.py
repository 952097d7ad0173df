"""Runs many requests at once; few wait in memory, and each failure comes with its item."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from aimsciqa_resources.pmc.errors import PmcError

Item = TypeVar("Item")
Result = TypeVar("Result")


def each(
    work: Callable[[Item], Result], items: Iterable[Item], at_once: int
) -> Iterator[tuple[Item, Result | PmcError]]:
    """Every item with its result or its `PmcError`, in the order of the items; any other error is raised."""
    remaining = iter(items)
    executor = ThreadPoolExecutor(at_once, thread_name_prefix="pmc")
    running: deque[tuple[Item, Future[Result | PmcError]]] = deque()

    def attempt(item: Item) -> Result | PmcError:
        try:
            return work(item)
        except PmcError as error:
            return error

    try:
        while True:
            for item in islice(remaining, 2 * at_once - len(running)):
                running.append((item, executor.submit(attempt, item)))
            if not running:
                return
            item, outcome = running.popleft()
            yield item, outcome.result()
    finally:
        executor.shutdown(cancel_futures=True)
