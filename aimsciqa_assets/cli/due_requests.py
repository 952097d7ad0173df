"""The requests without a recorded reply that a run would make now, found without writing a row.

Each step that asks a model with recorded replies computes its rows from what the warehouse holds, as in a
run, and the rows are thrown away. Models of other backends are not asked. A step waits when what it reads is
not up to date: what it would ask now is not what it will ask.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from aimsciqa_resources.language_model import LanguageModel, ModelReply, ModelRequest
from aimsciqa_resources.language_model.opening import ModelSource
from aimsciqa_resources.language_model.recorded import NOT_RECORDED, RecordedModel
from aimsciqa_resources.language_model.settings import RECORDED, ModelSettings
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.cli.phases import PHASES
from aimsciqa_assets.orchestration.partitions import parts_by
from aimsciqa_assets.platform.ledger import Ledger
from aimsciqa_assets.platform.plans import Graph, all_changes, plan
from aimsciqa_assets.platform.steps import BY_MODEL, Resources, Step, StepRun
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.settings.airqa_runs import agent_models
from aimsciqa_assets.tables import LLM_CALLS

Note = Callable[[ModelRequest, ModelSettings], None]
"""Told of each request without a recording, and of the model that was asked."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A step that cannot say yet what it will ask: its table, and the part of it ("": the whole)."""

    table: str
    part: str


def recorded_models(settings: Settings) -> dict[str, ModelSettings]:
    """The models whose replies are recorded, by their label."""
    named = [
        *settings.models.values(),
        *agent_models(settings),
        *(settings.named_model("answering", name) for name in settings.answerer_names if _is_recorded(name)),
        *settings.recorded_judges,
        *settings.recorded_aspect_judges,
        *(settings.named_model("judge", name) for name in settings.quality_judge_names if _is_recorded(name)),
    ]
    return {model.label: model for model in named if model.backend == "recorded"}


def extractor_is_idle(settings: Settings, task: str | None = None) -> bool:
    """Whether EXTRACTOR is asked nothing, though its replies are recorded and it has a store or is asked for.

    `task` is the one whose requests are wanted, None: all.
    """
    wanted = task.startswith("extractor_") if task else settings.airqa.store
    recorded = settings.models["extractor"].backend == "recorded"
    return wanted and recorded and not settings.extractor.examples


def note_requests(resources: Resources, batches: Sequence[str], note: Note) -> list[Waiting]:
    """Tell `note` of every request without a recording, in the order of the method; returns what waits."""
    asking, waiting = _asking_steps(resources, batches)
    for step, part in asking:
        run = StepRun.of(step, part, resources)
        if step.compute is not None:
            step.compute(replace(run, models=NotingModels(run.models, note)))
    return waiting


def _asking_steps(
    resources: Resources, batches: Sequence[str]
) -> tuple[list[tuple[Step, str]], list[Waiting]]:
    """The steps that may lack recordings, with their parts, and those that wait for others."""
    warehouse: Warehouse = resources["warehouse"]
    settings: Settings = resources["settings"]
    steps = [step for phase in PHASES for step in phase.steps]
    asking: list[tuple[Step, str]] = []
    waiting: list[Waiting] = []
    with warehouse.one_state():
        ledger = Ledger.read(warehouse, steps, settings)
        graph = Graph({"batch": batches, **parts_by(settings)}, ledger, settings)
        now = plan(steps, graph, all_changes(ledger, resources), ledger.failures)
        unanswered = _unanswered(warehouse)
    for step in steps:
        table = step.writes[0]
        for part in graph.parts_of(step.by):
            if not _asks_recorded(StepRun.of(step, part, resources), step):
                continue
            current = now.of(step, part).state == "current"
            if now.may_be_made(step, part, ()) or (current and (table, part) in unanswered):
                asking.append((step, part))
            elif not current:
                waiting.append(Waiting(table, part))
    return asking, waiting


def _asks_recorded(run: StepRun, step: Step) -> bool:
    no_examples = step.writes[0].startswith("extractor.") and not run.settings.extractor.examples
    if no_examples or not step.asks_for(run.settings):
        return False
    # A step by answerer whose task is another names its models itself.
    names_others = step.by in BY_MODEL and BY_MODEL[step.by] != step.asks
    own = run.model_settings.backend == "recorded" and not names_others
    own = own or any(model.backend == "recorded" for model in run.other_models.values())
    return own or bool(step.recorded(run.settings))


def _unanswered(warehouse: Warehouse) -> set[tuple[str, str]]:
    """Tables and their parts with rows that lack a recording."""
    query = f"select distinct table_name, part from {LLM_CALLS.name} where outcome = $reason"
    return set(warehouse.read(query, {"reason": NOT_RECORDED}).iter_rows())


def _is_recorded(name: str) -> bool:
    return name.startswith(RECORDED)


@dataclass(frozen=True, slots=True)
class NotingModels:
    """Models that note what has no recording, and ask nobody."""

    models: ModelSource
    note: Note

    def open(self, settings: ModelSettings, tasks: Collection[str] = ()) -> LanguageModel:
        """The model of the settings, or one that says nothing."""
        if settings.backend != "recorded":
            return _Silent(settings.label)
        model = self.models.open(settings, tasks)
        if not isinstance(model, RecordedModel):
            raise TypeError(f"{model.name} keeps no recordings, so it cannot tell which are missing.")
        return model.noting(lambda request: self.note(request, settings))

    def close(self) -> None:
        """Nothing was loaded."""


@dataclass(frozen=True, slots=True)
class _Silent:
    """A model that is not asked: it gives no reply to anything."""

    name: str
    revision: str = ""
    sampling: str = ""

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """None."""
        return iter(())
