"""What a run would ask, found without asking anybody and without writing into the home.

Steps that ask no model, such as the reading of papers, may have to be made first. They are made in a copy of
the warehouse, which is thrown away.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aimsciqa_resources.language_model import ModelReply, ModelRequest
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.warehouse_resource import WarehouseResource

from aimsciqa_assets.cli.later_requests import later_requests
from aimsciqa_assets.cli.later_turns import CHARACTERS_PER_TOKEN, Later, LaterTurns, verdicts_at_most
from aimsciqa_assets.cli.phases import plan_of_a_run
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.cli.watching import NO_REPLY_YET, WatchedModels, patient
from aimsciqa_assets.platform.phases import in_order
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, Step, StepRun
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.settings.airqa_runs import runs_of

_MOST_ROUNDS = 20


@dataclass(slots=True)
class Asked:
    """What a task asks of a model: the number of requests, and of those the number with a `known` reply.

    `characters` are those of the requests to send. `first` are the first requests with their replies.
    """

    task: str
    model: ModelSettings
    requests: int = 0
    known: int = 0
    characters: int = 0
    first: list[tuple[ModelRequest, ModelReply]] = field(default_factory=list)

    @property
    def to_send(self) -> int:
        """Requests without a known reply."""
        return self.requests - self.known

    @property
    def prompt_tokens(self) -> int:
        """About how many tokens these requests have: a quarter of their characters."""
        return self.characters // CHARACTERS_PER_TOKEN


def foretold(
    pipeline: Pipeline,
    shown: int,
    batches: Sequence[str] | None = None,
    *,
    evaluate: bool,
    only: Collection[Step] = (),
) -> tuple[list[Asked], list[Later]]:
    """What the steps that are due now would ask, by task and model, and later steps at most.

    Of each task that is due so many first requests are kept as are `shown`. `batches` are those that the run
    shall make, all by default; `only` are the steps that it makes, none of which waits for a model.
    """
    steps = [
        step
        for step in in_order(only or STEPS.values())
        if step.compute is not None and (evaluate or not step.on_request)
    ]
    noted = _Noted(shown, LaterTurns(pipeline.settings.airqa))
    with ready(pipeline.resources, steps, batches) as resources:
        watched = WatchedModels(resources["language_models"], pipeline.home.journal, noted.note)
        asking = [step for step in steps if step.asks_for(pipeline.settings)]
        for step, part in _due(asking, resources, batches):
            run = StepRun.of(step, part, resources)
            assert step.compute is not None
            step.compute(replace(run, models=watched, settings=patient(run.settings)))
        if only:
            return list(noted.asked.values()), list(noted.turns.found.values())
        now = plan_of_a_run(resources, batches, evaluate=evaluate)
        later = later_requests(now, resources, evaluate=evaluate)
    return list(noted.asked.values()), [*noted.turns.found.values(), *later]


def foretold_runs(pipeline: Pipeline, shown: int) -> tuple[list[Asked], list[Later]]:
    """The same for the runs of AirQA's baselines that the settings name, over the store as it is."""
    answers, verdicts = STEPS["airqa.answers"], STEPS["airqa.verdicts"]
    assert answers.compute is not None
    noted = _Noted(shown, LaterTurns(pipeline.settings.airqa))
    watched = WatchedModels(pipeline.resources["language_models"], pipeline.home.journal, noted.note)
    now = plan_of_a_run(pipeline.resources)
    judged: dict[str, Later] = {}
    for run_id in runs_of(pipeline.settings):
        run = StepRun.of(answers, run_id, pipeline.resources)
        answers.compute(replace(run, models=watched, settings=patient(run.settings)))
        if now.of(verdicts, run_id).state != "current":
            for later in verdicts_at_most(StepRun.of(verdicts, run_id, pipeline.resources)):
                judged[later.task] = judged[later.task].plus(later) if later.task in judged else later
    found = [*noted.turns.found.values(), *judged.values()]
    return list(noted.asked.values()), [later for later in found if later.to_send]


@dataclass(frozen=True, slots=True)
class _Noted:
    """What models are asked, by task and model; `shown` requests of each are kept."""

    shown: int
    turns: LaterTurns
    asked: dict[tuple[str, str], Asked] = field(default_factory=dict)

    def note(self, model: ModelSettings, request: ModelRequest, reply: ModelReply) -> None:
        """Told of each request, in the order of its dialogue."""
        label = model.label or model.backend
        asked = self.asked.setdefault((request.task, label), Asked(request.task, model))
        known = reply.failure not in NO_REPLY_YET
        asked.requests += 1
        asked.known += known
        if not known:
            asked.characters += sum(len(message.text) for message in request.messages)
        if len(asked.first) < self.shown and request.purpose == "answer":
            asked.first.append((request, reply))
        self.turns.note(model, request, known=known)


@contextmanager
def ready(
    given: Mapping[str, Any], steps: Sequence[Step], batches: Sequence[str] | None
) -> Iterator[Mapping[str, Any]]:
    """Resources with a warehouse in which everything is made that must be made before a model is asked."""
    free = _needed_by_models(steps, given["settings"])
    if not _due(free, given, batches):
        yield given
        return
    with TemporaryDirectory(prefix="aimsciqa-preview-") as folder:
        database = Path(folder) / "warehouse.duckdb"
        given["warehouse"].publish(database)
        resources = {**given, "warehouse": WarehouseResource(database=str(database))}
        for _ in range(_MOST_ROUNDS):
            due = _due(free, resources, batches)
            for step, part in due:
                bring_up_to_date(step, StepRun.of(step, part, resources))
            if not due:
                break
        yield resources


def _needed_by_models(steps: Sequence[Step], settings: Settings) -> list[Step]:
    """The steps that ask nobody and whose tables a step that asks somebody reads, directly or not."""
    asking = [step for step in steps if step.asks_for(settings)]
    needed = {table for step in asking for table in step.upstream}
    for step in reversed(steps):
        if needed.intersection(step.writes):
            needed |= set(step.upstream)
    return [step for step in steps if step not in asking and needed.intersection(step.writes)]


def _due(
    steps: Sequence[Step], resources: Mapping[str, Any], batches: Sequence[str] | None
) -> list[tuple[Step, str]]:
    """The steps, with their parts, that can be made now."""
    now = plan_of_a_run(resources, batches)
    return [
        (step, part)
        for step in steps
        for part in now.graph.parts_of(step.by)
        if now.may_be_made(step, part, ())
    ]
