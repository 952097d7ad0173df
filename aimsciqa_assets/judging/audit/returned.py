"""What came back from a rater, before anybody has looked at it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Returned:
    """A row as it came back: its `place` in the file, who rated where the file says so, and its cells."""

    place: str
    person: str | None
    cells: Mapping[str, str]
