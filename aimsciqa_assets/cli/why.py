"""`aimsciqa status --why`: what the next run would make, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.cli.pipeline import resources_at
from aimsciqa_assets.definitions import MODULES
from aimsciqa_assets.orchestration.partitions import parts_by
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.ledger import Ledger
from aimsciqa_assets.platform.phases import phases_of
from aimsciqa_assets.platform.plans import Graph, all_changes, plan
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.settings import Settings

_PARTS_SHOWN = 3

assert MODULES, "the steps are declared"


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


def lines(home: Home, preset: str | None) -> list[Line]:
    """What every step has to do, in the order in which a run would do it; raises `SettingsError`."""
    settings = Settings.of_environment(preset).with_refresh(False)
    resources = resources_at(home, settings)
    warehouse: Warehouse = resources["warehouse"]
    steps = [step for phase in phases_of(STEPS.values()) for step in phase.steps]
    with warehouse.one_state():
        ledger = Ledger.read(warehouse, steps, explained=True)
        graph = Graph({"batch": ledger.batches, **parts_by(settings)}, ledger, settings)
        now = plan(steps, graph, all_changes(ledger, resources), ledger.failures)
    found = [
        (step.writes[0], verdict.state, "; ".join(verdict.why), part)
        for step in steps
        for part in graph.parts_of(step.by)
        for verdict in [now.of(step, part)]
    ]
    return list(_together(found))


def _together(found: Sequence[tuple[str, str, str, str]]) -> Iterator[Line]:
    """Parts of a step that stand beside each other and are alike."""
    for (step, state, why), alike in groupby(found, key=lambda one: one[:3]):
        yield Line(step, tuple(part for *_, part in alike), state, why)
