"""Asks a task until its reply can be used: what is wrong goes back to the model, a few times at most."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Task

T = TypeVar("T")

QUOTE_FAULTS: Final = frozenset(
    {
        "inexact_quote",
        "inexact_target_quote",
        "unnamed_entity",
        "unnamed_target_entity",
        "answer_not_in_quote",
        "found_without_bridge",
    }
)
"""Quotes that do not stand in their document, or do not say enough, are asked for again once only; so are
questions that need no bridge."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A reply to a task, and what is wrong with it; `paper_id` is the candidate that it is about."""

    task: str
    reply: str | None
    reason: str | None
    paper_id: str | None = None


@dataclass(frozen=True, slots=True)
class Asked(Generic[T]):
    """What asking gave: a value, or the reason why there is none, and all turns.

    `failure` says why the model gave no reply to the last of them.
    """

    value: T | None
    reason: str | None
    turns: tuple[Turn, ...]
    failure: str | None = None


def asked_until(
    task: Task[T],
    key: str,
    variables: Mapping[str, Any],
    check: Callable[[T], Fault[T] | None],
    tries: int,
    *,
    paper_id: str | None = None,
    after: tuple[str, Fault[T]] | None = None,
) -> Dialogue[Asked[T]]:
    """Ask `tries` times at most, until a reply can be read and `check` finds no fault in it.

    `after` is a reply that was fit, and why another one is wanted all the same.
    """
    request = task.request(key, **variables)
    if after is not None:
        request = task.repair(request, *after)
    turns: list[Turn] = []
    while True:
        outcome = task.outcome((yield request))
        if outcome.text is None:
            turns.append(Turn(task.name, None, outcome.reason, paper_id))
            return Asked(None, outcome.reason, tuple(turns), outcome.failure or outcome.reason)
        read = outcome.read
        fault = read if isinstance(read, Fault) else check(read)
        reason = outcome.reason or (fault.reason if fault else None)
        again = reason in QUOTE_FAULTS and any(turn.reason == reason for turn in turns)
        turns.append(Turn(task.name, outcome.text, reason, paper_id))
        if fault is None and not isinstance(read, Fault):
            return Asked(read, None, tuple(turns))
        # A reply that was cut off would be cut off again.
        if len(turns) >= tries or again or outcome.truncated or fault is None:
            return Asked(None, reason, tuple(turns))
        request = task.repair(task.request(key, **variables), outcome.text, fault)
