"""Progress on the terminal: bars where a person looks on, one line per finished piece of work elsewhere."""

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

from aimsciqa_assets.platform.progress import Advance, LogReporter, Reporter

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


@contextmanager
def reporter_for(console: Console) -> Iterator[Reporter]:
    """The reporter that suits the console."""
    if not console.is_terminal:
        yield LogReporter(
            lambda line: console.print(f"  {line}", highlight=False, markup=False, soft_wrap=True),
            _LINE_EVERY_SECONDS,
        )
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
