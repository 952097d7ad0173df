"""The terminal: whatever others wrote (titles, file names, messages of servers) is shown, never obeyed."""

from collections.abc import Iterable
from typing import Any

from aimsciqa_resources.printable import printable
from rich.console import Console
from rich.segment import Segment


class Terminal(Console):
    """A console that shows control characters as escapes, wherever they come from; its own are sent."""

    def render(self, *arguments: Any, **options: Any) -> Iterable[Segment]:
        """What is printed, piece by piece."""
        for segment in super().render(*arguments, **options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


console = Terminal()
errors = Terminal(stderr=True)
