"""What is kept of a turn, and of the way to an answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from aimsciqa_resources.language_model import ModelReply
from aimsciqa_resources.tokens import first_tokens

from aimsciqa.files import json_text
from aimsciqa_assets.airqa.actions import Call

Status = Literal["answered", "out_of_turns", "failed"]

UNPARSABLE: Final = "unparsable"


@dataclass(frozen=True, slots=True)
class Turn:
    """A reply, the action in it, and what came of that.

    `said` is the turn as later turns show it. `error` says in a word what is wrong with the action.
    """

    number: int
    reply: str
    thought: str | None = None
    call: Call | None = None
    said: str | None = None
    observation: str | None = None
    error: str | None = None
    image: bytes | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """What a baseline came to for an example: its answer, or the `reason` why it has none.

    `failure` says why the model gave no reply. `task` is the message that gave the task, `system` the one
    before it.
    """

    example_id: str
    repeat: int
    status: Status
    answer: Any
    turns: tuple[Turn, ...]
    system: str | None = None
    task: str = ""
    was_cut: bool = False
    failure: str | None = None

    @property
    def reason(self) -> str | None:
        """Why there is no answer."""
        return self.failure if self.status == "failed" else None


def spent(reply: ModelReply) -> dict[str, Any]:
    """What a reply took: the fields of a `Turn` for tokens, seconds and cost."""
    costs = [call.cost for call in reply.calls if call.cost is not None]
    return {
        "input_tokens": sum(call.usage.prompt for call in reply.calls),
        "output_tokens": sum(call.usage.reply for call in reply.calls),
        "seconds": sum(call.latency_seconds for call in reply.calls),
        "cost": sum(costs) if costs else None,
    }


def total_cost(turns: Iterable[Turn]) -> float | None:
    """The price of all replies; None where no price is known."""
    costs = [turn.cost for turn in turns if turn.cost is not None]
    return sum(costs) if costs else None


def cut(answer: Any, tokens: int) -> tuple[Any, bool]:
    """The answer, and whether it was cut: a longer one ends after so many tokens, as a text."""
    text = answer if isinstance(answer, str) else json_text(answer)
    shortened = first_tokens(text, tokens)
    return (answer, False) if shortened == text else (shortened, True)
