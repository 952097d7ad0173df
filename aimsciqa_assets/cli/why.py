"""`aimsciqa status`: the state of batches, and with `--why` what the next run would make, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from aimsciqa_assets.cli.phases import PHASES, plan_of_a_run
from aimsciqa_assets.cli.pipeline import resources_at
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.plans import Plan
from aimsciqa_assets.settings import Settings

_PARTS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Line:
    """Parts of a step that are in the same state for the same reasons."""

    step: str
    parts: tuple[str, ...]
    state: str
    why: str

    @property
    def of(self) -> str:
        """The parts, the first of many."""
        more = f" and {len(self.parts) - _PARTS_SHOWN:,} more" if len(self.parts) > _PARTS_SHOWN else ""
        return f"{', '.join(self.parts[:_PARTS_SHOWN])}{more}"


def state_of(lines: Sequence[Line]) -> str:
    """Return the state of some steps: the first that failed, else the first that a run would make."""
    first = {line.state: line.step for line in reversed(lines)}
    if "failed" in first:
        return f"failed at {first['failed']}"
    to_make = next((line.step for line in lines if line.state != "current"), "")
    return f"due from {to_make}" if to_make else "up to date"


def lines(home: Home, preset: str | None) -> list[Line]:
    """What every step has to do, in the order in which a run would do it; raises `SettingsError`."""
    settings = Settings.of_environment(preset).with_refresh(False)
    return lines_of(plan_of_a_run(resources_at(home, settings)))


def lines_of(now: Plan) -> list[Line]:
    """What every step of a plan has to do, in the order in which a run would do it."""
    found = [
        (step.writes[0], verdict.state, "; ".join(verdict.why), part)
        for phase in PHASES
        for step in phase.steps
        for part in now.graph.parts_of(step.by)
        if (verdict := now.verdicts.get((step.writes[0], part)))
    ]
    return list(_together(found))


def _together(found: Sequence[tuple[str, str, str, str]]) -> Iterator[Line]:
    """Parts of a step that stand beside each other and are alike."""
    for (step, state, why), alike in groupby(found, key=lambda one: one[:3]):
        yield Line(step, tuple(part for *_, part in alike), state, why)
