"""The terminal: whatever others wrote (titles, file names, messages of servers) is shown, never obeyed."""

from collections.abc import Iterable, Sequence
from typing import Any

import typer
from aimsciqa_resources.printable import printable
from rich.console import Console
from rich.markup import escape
from rich.segment import Segment

from aimsciqa.files import json_text

_PROBLEMS_SHOWN = 20


class Terminal(Console):
    """A console that shows control characters as escapes, wherever they come from; its own are sent."""

    def render(self, *arguments: Any, **options: Any) -> Iterable[Segment]:
        """What is printed, piece by piece."""
        for segment in super().render(*arguments, **options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


console = Terminal()
errors = Terminal(stderr=True)


def print_json(value: Any, indent: int | None = None) -> None:
    """Print a value as JSON, for programs; half of a surrogate pair stays the escape that it was."""
    told = json_text(value, indent)
    print(told.encode("utf-8", "backslashreplace").decode())  # noqa: T201


def tell_not_taken(problems: Sequence[str], number: int, told: str) -> None:
    """Name the first problems of a file that was taken in; if a `number` of them is left, end with 1.

    `told` says behind the number what became of the rest of the file.
    """
    for problem in problems[:_PROBLEMS_SHOWN]:
        errors.print(f"[red]not taken[/red] {escape(problem)}", highlight=False, soft_wrap=True)
    if number:
        errors.print(f"{number:,} {told}")
        raise typer.Exit(1)
