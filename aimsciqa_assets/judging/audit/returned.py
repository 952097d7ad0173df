"""A row that came back from a rater, before it is checked."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Returned:
    """A row as it came back: its `place` in the file, the `person` if the file names one, and its cells."""

    place: str
    person: str | None
    cells: Mapping[str, str]
