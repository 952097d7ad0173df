"""The order of the steps, and the phases in which `aimsciqa run` takes them, derived from what they read.

A phase is run for one part after another, in any order: what it looks at of other parts was finished by the
phases before it. A new phase therefore begins where a step reads tables that are written in other parts than
its own, or looks across all parts of a table.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter

from aimsciqa_assets.platform.steps import STEPS, Step
from aimsciqa_assets.tables import TABLES


@dataclass(frozen=True, slots=True)
class Phase:
    """Steps that are made together for a part, in their order. `by` says what a part is; "": all at once."""

    by: str
    on_request: bool
    steps: tuple[Step, ...]


def in_order(steps: Iterable[Step]) -> list[Step]:
    """The steps, each after those whose tables it reads."""
    chosen = dict.fromkeys(steps)
    writer = {table: step for step in chosen for table in step.writes}
    read = {step: [writer[table] for table in step.upstream if table in writer] for step in chosen}
    return list(TopologicalSorter(read).static_order())


def phases_of(steps: Iterable[Step]) -> tuple[Phase, ...]:
    """The phases: those of the nightly chain first, then what people ask for."""
    phases: list[Phase] = []
    # A table that no step writes is brought from outside.
    waiting = in_order(steps)
    for on_request in (False, True):
        left = [step for step in waiting if step.on_request == on_request]
        while left:
            # What is made part by part goes first: what is made of all parts then finds as much as it can.
            ready = sorted((_ready(left, by) for by in {step.by for step in left}), key=_least_first)
            together = next(found for found in ready if found)
            left = [step for step in left if step not in together]
            phases.append(Phase(together[0].by, on_request, tuple(together)))
    return tuple(phases)


def all_phases() -> tuple[Phase, ...]:
    """The phases of all steps that are declared."""
    return phases_of(STEPS.values())


def _least_first(ready: Sequence[Step]) -> tuple[bool, str]:
    return (not ready or not ready[0].by, ready[0].by if ready else "")


def _ready(left: Sequence[Step], by: str) -> list[Step]:
    """The steps whose parts are `by` this column and that wait for none of the others that are left."""
    missing = {table for step in left for table in step.writes}
    found: list[Step] = []
    for step in left:
        if step.by == by and not any(_is_missing(step, table, missing, found) for table in step.upstream):
            found.append(step)
    return found


def _is_missing(step: Step, table: str, missing: Collection[str], found: Sequence[Step]) -> bool:
    """Whether a table has not been made before a step's turn in the phase that begins with `found`."""
    if table not in missing:
        return False
    in_this_phase = any(table in earlier.writes for earlier in found)
    return not in_this_phase or TABLES[table].by != step.by or table in step.across
