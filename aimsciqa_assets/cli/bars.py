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

from aimsciqa_assets.progress import Advance, Meter, Reporter

_LINE_EVERY_SECONDS = 60.0


class Bars:
    """A bar for each piece of work."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars

    @contextmanager
    def task(self, label: str, total: int | None) -> Iterator[Advance]:
        """Show a bar until the work is done, and leave it standing."""
        bar = self._bars.add_task(label, total=total, detail="")

        def advance(count: int, detail: str = "") -> None:
            self._bars.update(bar, advance=count, detail=detail)

        yield advance


class Lines:
    """A line for each finished piece of work, for logs."""

    def __init__(self, console: Console) -> None:
        self._console = console

    @contextmanager
    def task(self, label: str, total: int | None) -> Iterator[Advance]:
        """Print what was done and how long it took, and for long work now and then how far it is."""
        meter = Meter(total)
        last = time.monotonic()

        def advance(count: int, detail: str = "") -> None:
            nonlocal last
            meter.count(count, detail)
            if time.monotonic() - last >= _LINE_EVERY_SECONDS:
                last = time.monotonic()
                self._print(f"  {label}: {meter.standing()}")

        yield advance
        self._print(f"  {label}: {meter.result()}")

    def _print(self, line: str) -> None:
        self._console.print(line, highlight=False, soft_wrap=True)


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
        TextColumn("{task.fields[detail]}", style="dim"),
    )
    with Progress(*columns, console=console) as bars:
        yield Bars(bars)
