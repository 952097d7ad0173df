"""A trajectory: what the actor was told, and every turn that it took (AirQA, EXTRACTOR).

A turn's action is wrong when none could be read, or when what came of it is an error.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from aimsciqa_assets.airqa.actions import ACTIONS, ActionError, Format, Style, read_action

VIEW: Final = "View"
ACTOR_ACTIONS: Final = ("Retrieve", "Query", VIEW, "Answer")
"""What an actor may do; View only where it is allowed to look at pictures."""


@dataclass(frozen=True, slots=True)
class ActorTurn:
    """A turn of the actor. `said` is the turn as later turns show it, `action` None where none was read.

    `observation` is None for the answer. `error` says in a word what is wrong with the action. `has_picture`:
    a picture was observed; `shows` is its file in an export.
    """

    number: int
    said: str
    thought: str = ""
    action: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    observation: str | None = None
    error: str | None = None
    has_picture: bool = False
    shows: str | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether the action counts for the error action rate."""
        return self.error is not None

    @property
    def views(self) -> bool:
        """Whether the action looks at a page as a picture."""
        return self.action is not None and (ACTIONS[self.action].does or self.action) == VIEW


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The way of the actor to the answer of an example; `kind` is the type of its question."""

    example_id: str
    kind: str
    system: str
    task: str
    turns: tuple[ActorTurn, ...]
    form: Format = "markdown"
    score: int | None = None


def thought_in(said: str, form: Format) -> str:
    """What a turn says before its action; "" where it has no action."""
    style: Style = "react" if said.startswith("[Thought]") else "fenced"
    try:
        return read_action(said, list(ACTIONS), form, style)[0]
    except ActionError:
        return ""
