"""`aimsciqa prompts sample`: requests of every prompt in a file, for any model or person to reply to.

The requests are those that the present corpus gives: its paragraphs, relations, items and answers, whether
their steps are due or not. Repairs are asked of bad replies that are made up. Answers to choose from are
those of the rules to the segments of a paper. Of HopWeaver, RAG baselines and models of the ledger, where
they are on, what follows the replies that are known is drawn, too. Nobody is asked, and no row is written.
"""

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from aimsciqa_resources.language_model.journal_places import JournalPlace
from rich.markup import escape

from aimsciqa_assets.cli.config import ConfigOption
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home

if TYPE_CHECKING:
    # `aimsciqa prompts` waits for nothing that it does not need.
    from aimsciqa_resources.language_model import ModelRequest

    from aimsciqa_assets.platform.steps import Step


def sample_command(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="a new file: JSON lines; gzipped when the name ends in .gz", dir_okay=False
        ),
    ],
    *,
    n: Annotated[int, typer.Option("--n", help="requests of each prompt", min=1)] = 60,
    task: Annotated[
        str | None, typer.Option(help="only this prompt: single_hop, multi_hop, answering, ...")
    ] = None,
    by: Annotated[str, typer.Option(help="who will reply: a person or a model, one word")] = "anybody",
    seed: Annotated[int, typer.Option(help="another seed draws others")] = 20241,
    preset: Annotated[str | None, typer.Option(help="a preset, as for `aimsciqa run`")] = None,
    config: ConfigOption = None,
) -> None:
    """Write requests of each prompt into a file, drawn at random, to try models and prompts on.

    Fill in the field reply of each line, then `aimsciqa record replies FILE --by NAME` takes them in.
    """
    from aimsciqa_resources.language_model.record_files import RequestsFile
    from aimsciqa_resources.language_model.recordings import NAME
    from aimsciqa_resources.variables import SettingsError

    from aimsciqa_assets.asking.task import REPAIR
    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.cli.readable import FAULTS

    prompts = [*FAULTS, REPAIR]
    if task is not None and task not in prompts:
        raise typer.BadParameter(f"choose one of {', '.join(prompts)}", param_hint="--task")
    if not NAME.fullmatch(by):
        raise typer.BadParameter("give one word, such as jane-doe", param_hint="--by")
    try:
        pipeline = Pipeline.at(Home.from_environment(), preset, console)
    except SettingsError:
        # Models that are not fully set have no replies; a sample is drawn all the same.
        pipeline = Pipeline.at(Home.from_environment(), preset, console, asking=False)
    wanted = [task] if task else prompts
    journal = pipeline.home.journal
    drawn = draw(pipeline.resources, pipeline.batches(), wanted, by=by, most=n, seed=seed, journal=journal)
    with RequestsFile(output) as out:
        for name in wanted:
            for request in drawn.get(name, []):
                out.write(request, by)
    for name in wanted:
        count = len(drawn.get(name, []))
        why = "" if count else f": {why_none(name, pipeline.settings)}"
        console.print(f"{count:>5,} requests of {name}{escape(why)}", highlight=False, soft_wrap=True)
    if not any(drawn.get(name) for name in wanted):
        errors.print("No file was written: `aimsciqa run` first makes what the prompts ask about.")
        raise typer.Exit(1)
    console.print(
        f"They are in {escape(str(output))}. Fill in the field reply of each line, then\n"
        f"[bold]aimsciqa record replies {escape(str(output))} --by {by}[/bold]\n"
        f"AIMSCIQA_MODEL_BACKEND=recorded AIMSCIQA_MODEL_NAME={by} makes `aimsciqa run` use them.",
        highlight=False,
        soft_wrap=True,
    )


_WITHOUT = "the corpus has nothing yet that it asks about"
_LATER = (
    "what it asks about follows replies to earlier prompts, which are not there yet: `aimsciqa run` gets "
    "them from the models that are set"
)
_ALL: Final = 1_000_000_000

Resources = Mapping[str, Any]


def draw(
    resources: Resources,
    batches: Sequence[str],
    prompts: Collection[str],
    *,
    by: str,
    most: int,
    seed: int,
    journal: JournalPlace,
) -> "dict[str, list[ModelRequest]]":
    """So many requests of each prompt, drawn by a hash of seed and request, in the order of that hash.

    Repairs are drawn of all tasks in turn. `journal` has the replies so far.
    """
    from aimsciqa_assets.asking.task import REPAIR
    from aimsciqa_assets.cli.bad_replies import BadlyReplyingModels
    from aimsciqa_assets.cli.due_requests import NotingModels
    from aimsciqa_assets.cli.readable import FAULTS
    from aimsciqa_assets.platform.steps import StepRun

    drawn = _Drawn(most, seed)
    tasks = set(FAULTS if REPAIR in prompts else prompts)
    with _with_documents(resources, batches, tasks) as there:
        given = {**there, "settings": _recorded_by(there["settings"], by)}
        for step, part in _steps(given, batches, tasks):
            run = StepRun.of(step, part, given)
            assert step.compute is not None
            models: Any = NotingModels(run.models, lambda request, _model: drawn.note(request))
            if REPAIR in prompts:
                models = BadlyReplyingModels(models)
            step.compute(replace(run, models=models))
        _draw_what_follows(drawn, there, batches, tasks, by=by, journal=journal)
        _draw_selections(drawn, there, batches, tasks, journal)
    return {name: found for name in prompts if (found := drawn.of(name))}


def why_none(prompt: str, settings: Any) -> str:
    """Why there is no request of a prompt, and which setting turns its system on where it is off."""
    kinds = settings.hopweaver.kind_names
    off = {
        "hopweaver_bridge": ("bridge" not in kinds, "AIMSCIQA_HOPWEAVER_KINDS=bridge turns it on"),
        "hopweaver_comparison": (
            "comparison" not in kinds,
            "AIMSCIQA_HOPWEAVER_KINDS=comparison turns it on",
        ),
        **dict.fromkeys(
            ("airqa_summary", "airqa_tldr", "airqa_tags"),
            (
                not settings.airqa.summarises,
                "AIMSCIQA_AIRQA_SUMMARIES=true turns it on, with AIMSCIQA_AIRQA_STORE=true",
            ),
        ),
        "scidqa_evidence": (
            not settings.scidqa.versions,
            "AIMSCIQA_SCIDQA_EVIDENCE_VERSIONS='initial final' turns it on, with manuscripts in the home",
        ),
        "scidqa_": (
            not settings.scidqa.extraction,
            "AIMSCIQA_SCIDQA_EXTRACTION=true turns it on, with review threads in the home",
        ),
        **dict.fromkeys(
            ("findings_", "fact_judge"),
            (
                not settings.makes_findings,
                "AIMSCIQA_SYSTEMS=findings turns it on, with a language model",
            ),
        ),
        "rag_": (not settings.benchmark.rag, "AIMSCIQA_BENCHMARK_RAG names RAG baselines that ask it"),
        "extractor_": (not settings.extractor.examples, "AIMSCIQA_EXTRACTOR_EXAMPLES says how many to make"),
        "necessity_": (not settings.necessity.models, "AIMSCIQA_NECESSITY_MODELS names models that ask it"),
    }
    for beginning, (is_off, what_to_set) in off.items():
        if prompt.startswith(beginning):
            return f"off; {what_to_set}" if is_off else _LATER
    if prompt == "answer_selection":
        return (
            "it chooses among answers to the segments of a manuscript that is longer than "
            "AIMSCIQA_BENCHMARK_CONTEXT_TOKENS"
        )
    if not settings.systems.aim_sciqa and prompt.startswith(("single_hop", "multi_hop", "refusal")):
        return "off; AIMSCIQA_SYSTEMS=aim-sciqa turns it on"
    return _WITHOUT


@contextmanager
def _with_documents(
    resources: Resources, batches: Sequence[str], tasks: Collection[str]
) -> Iterator[Resources]:
    """Resources in whose warehouse HopWeaver's documents are made, where it is on and asked for."""
    from aimsciqa_assets.cli.foretelling import ready
    from aimsciqa_assets.platform.phases import in_order
    from aimsciqa_assets.platform.steps import STEPS

    wanted = any(task.startswith("hopweaver_") for task in tasks)
    if not wanted or not resources["settings"].hopweaver.kinds:
        yield resources
        return
    before = ("corpus", "hopweaver.documents", "hopweaver.document_vectors", "hopweaver.attempts")
    steps = [
        step
        for step in in_order(STEPS.values())
        if step.compute is not None and step.writes[0].startswith(before)
    ]
    with ready(resources, steps, batches) as found:
        yield found


def _draw_what_follows(
    drawn: "_Drawn",
    resources: Resources,
    batches: Sequence[str],
    tasks: Collection[str],
    *,
    by: str,
    journal: JournalPlace,
) -> None:
    """Draw what the models that are set would be asked after the replies that they gave already."""
    from aimsciqa_assets.cli.watching import WatchedModels, patient
    from aimsciqa_assets.platform.steps import StepRun

    systems = ("findings_", "hopweaver_", "rag_", "necessity_", "extractor_")
    ours = {task for task in tasks if task.startswith(systems)}
    given = {**resources, "settings": patient(_with_models(resources["settings"], by))}

    def note(_model: Any, request: "ModelRequest", _reply: Any) -> None:
        if request.task in ours:
            drawn.note(request)

    watched = WatchedModels(resources["language_models"], journal, note)
    for step, part in _steps(given, batches, ours) if ours else ():
        assert step.compute is not None
        step.compute(replace(StepRun.of(step, part, given), models=watched))


def _draw_selections(
    drawn: "_Drawn",
    resources: Resources,
    batches: Sequence[str],
    tasks: Collection[str],
    journal: JournalPlace,
) -> None:
    """Draw the choices among answers to the segments of papers, with the answers of the extractive reader."""
    from aimsciqa_resources.language_model.settings import ModelSettings

    from aimsciqa_assets.benchmark.answering.segments import ANSWER_SELECTION
    from aimsciqa_assets.cli.watching import WatchedModels
    from aimsciqa_assets.platform.steps import StepRun

    if ANSWER_SELECTION.name not in tasks:
        return
    settings = resources["settings"]
    answering = {"answerers": "", "answering_settings": "segments", "rag": ""}
    benchmark = type(settings.benchmark)(**settings.benchmark.model_dump() | answering)
    made = {name: getattr(settings, name) for name in type(settings).model_fields}
    extractive = made | {"benchmark": benchmark, "answering_model": ModelSettings(backend="scripted")}
    given = {**resources, "settings": type(settings)(**extractive)}

    def note(_model: Any, request: "ModelRequest", _reply: Any) -> None:
        if request.task == ANSWER_SELECTION.name:
            drawn.note(request)

    watched = WatchedModels(resources["language_models"], journal, note)
    for step, part in _steps(given, batches, {ANSWER_SELECTION.name}):
        assert step.compute is not None
        step.compute(replace(StepRun.of(step, part, given), models=watched))


def _with_models(settings: Any, by: str) -> Any:
    """The settings with recorded replies in the place of the scripted model."""
    from aimsciqa_resources.language_model.settings import ModelSettings

    made = {name: getattr(settings, name) for name in type(settings).model_fields}
    recorded = {
        name: ModelSettings(backend="recorded", name=by)
        for name, value in made.items()
        if isinstance(value, ModelSettings) and value.backend == "scripted"
    }
    return type(settings)(**made | recorded)


@dataclass(slots=True)
class _Drawn:
    """The `most` requests of each task with the lowest hashes, those for a repair by themselves."""

    most: int
    seed: int
    kept: "dict[tuple[str, str], list[tuple[int, str, ModelRequest]]]" = field(
        default_factory=lambda: defaultdict(list)
    )

    def note(self, request: "ModelRequest") -> None:
        """Keep a request, if its hash is low enough. Parts of long prompts are not kept."""
        from aimsciqa_resources.language_model.recordings import key_of_request

        if request.purpose == "part":
            return
        key = key_of_request(request)
        rank = -int.from_bytes(blake2b(f"{self.seed} {key}".encode(), digest_size=6).digest())
        held = self.kept[request.purpose, request.task]
        # The same may be asked for several rows.
        if all(key != other for _, other, _ in held):
            push = heapq.heappush if len(held) < self.most else heapq.heappushpop
            push(held, (rank, key, request))

    def of(self, prompt: str) -> "list[ModelRequest]":
        """The requests that use a prompt, in the order of their hashes; repairs of all tasks in turn."""
        from aimsciqa_assets.asking.task import REPAIR

        if prompt != REPAIR:
            return self._sorted("answer", prompt)
        tasks = [task for purpose, task in self.kept if purpose == "repair"]
        in_turn = chain.from_iterable(zip_longest(*(self._sorted("repair", task) for task in tasks)))
        return [request for request in in_turn if request is not None][: self.most]

    def _sorted(self, purpose: str, task: str) -> "list[ModelRequest]":
        held = self.kept.get((purpose, task), [])
        return [request for *_, request in sorted(held, key=lambda one: one[:2], reverse=True)]


def _steps(
    resources: Resources, batches: Sequence[str], tasks: Collection[str]
) -> "Iterator[tuple[Step, str]]":
    """The steps that ask some tasks, with their parts. Judges are asked about answers that there are."""
    from aimsciqa_assets.orchestration.partitions import parts_by
    from aimsciqa_assets.platform.phases import in_order
    from aimsciqa_assets.platform.steps import BY_MODEL, STEPS

    answered = resources["warehouse"].read("select distinct answerer from benchmark.answers order by 1")
    parts = {"": [""], "batch": list(batches), **parts_by(resources["settings"])}
    for step in in_order(STEPS.values()):
        if step.compute is None or not step.asks or not set(tasks).intersection(step.prompts):
            continue
        about_answers = step.by == "answerer" and step.asks != BY_MODEL["answerer"]
        for part in answered["answerer"].to_list() if about_answers else parts[step.by]:
            yield step, part


def _recorded_by(settings: Any, by: str) -> Any:
    """The settings with a single model for everything, whose replies are recorded.

    It judges all refused pairs.
    """
    from aimsciqa_resources.language_model.settings import RECORDED, ModelSettings

    made = {name: getattr(settings, name) for name in type(settings).model_fields}
    models = {
        name: ModelSettings(backend="recorded", name=by)
        for name, value in made.items()
        if isinstance(value, ModelSettings)
    }
    label = f"{RECORDED}{by}"
    asked = {
        "answerers": label,
        "judges": label,
        "aspect_judges": label,
        "quality_judges": label,
        "refusals": _ALL,
    }
    benchmark = type(settings.benchmark)(**settings.benchmark.model_dump() | asked)
    changed = {"benchmark": benchmark}
    if settings.necessity.models:
        necessity = settings.necessity.model_dump() | {"models": label}
        changed["necessity"] = type(settings.necessity)(**necessity)
    return type(settings)(**made | models | changed)
