"""Progress on the terminal: bars where a person looks on, one line per finished piece of work elsewhere."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from aimsciqa_assets.progress import Advance, Reporter


class Bars:
    """A bar for each piece of work."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars

    @contextmanager
    def task(self, label: str, total: int | None) -> Iterator[Advance]:
        """Show a bar until the work is done, and leave it standing."""
        bar = self._bars.add_task(label, total=total)
        yield lambda count: self._bars.advance(bar, count)


class Lines:
    """A line for each finished piece of work, for logs."""

    def __init__(self, console: Console) -> None:
        self._console = console

    @contextmanager
    def task(self, label: str, total: int | None) -> Iterator[Advance]:
        """Print what was done and how long it took."""
        done, start = 0, time.monotonic()

        def advance(count: int) -> None:
            nonlocal done
            done += count

        yield advance
        share = f"{done:,} of {total:,}" if total is not None else f"{done:,}"
        self._console.print(f"  {label}: {share} in {time.monotonic() - start:.1f} s", highlight=False)


@contextmanager
def reporter_for(console: Console) -> Iterator[Reporter]:
    """The reporter that suits the console."""
    if not console.is_terminal:
        yield Lines(console)
        return
    columns = (
        TextColumn("{task.description:<42}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bars:
        yield Bars(bars)
