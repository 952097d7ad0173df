"""`aimsciqa prompts sample`: requests of every prompt in a file, for any model or person to reply to.

The requests are those that the present corpus gives: its paragraphs, relations, items and answers, whether
their steps are due or not. Nobody is asked, and no row is written.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from aimsciqa_assets.cli.config import ConfigOption
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home

if TYPE_CHECKING:
    # `aimsciqa status` answers in a second: it waits for nothing that it does not need.
    from aimsciqa_resources.language_model import ModelRequest
    from aimsciqa_resources.language_model.settings import ModelSettings


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

    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.cli.readable import FAULTS

    if task is not None and task not in FAULTS:
        raise typer.BadParameter(f"choose one of {', '.join(FAULTS)}", param_hint="--task")
    if not NAME.fullmatch(by):
        raise typer.BadParameter("give one word, such as jane-doe", param_hint="--by")
    pipeline = Pipeline.at(Home.from_environment(), preset, console, asking=False)
    drawn = draw(pipeline.resources, pipeline.batches(), by, n, seed)
    wanted = [task] if task else list(FAULTS)
    with RequestsFile(output) as out:
        for name in wanted:
            for request in drawn.get(name, []):
                out.write(request, by)
    for name in wanted:
        count = len(drawn.get(name, []))
        console.print(f"{count:>5,} requests of {name}{'' if count else _WITHOUT}", highlight=False)
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


_WITHOUT = ": the corpus has nothing yet that it asks about"


def draw(
    resources: Mapping[str, Any], batches: Sequence[str], by: str, most: int, seed: int
) -> "dict[str, list[ModelRequest]]":
    """So many requests of each task, drawn by a hash of seed and request, in the order of that hash."""
    from aimsciqa_resources.language_model.recordings import key_of_request

    from aimsciqa_assets.cli.due_requests import NotingModels
    from aimsciqa_assets.platform.steps import StepRun

    settings = _recorded_by(resources["settings"], by)
    kept: dict[str, list[tuple[int, str, ModelRequest]]] = defaultdict(list)

    def note(request: "ModelRequest", _model: "ModelSettings") -> None:
        if request.purpose != "answer":
            return
        key = key_of_request(request)
        rank = -int.from_bytes(blake2b(f"{seed} {key}".encode(), digest_size=6).digest())
        held = kept[request.task]
        # The same may be asked for several rows.
        if all(key != other for _, other, _ in held):
            push = heapq.heappush if len(held) < most else heapq.heappushpop
            push(held, (rank, key, request))

    for step, part in _asking(settings, resources, batches):
        run = StepRun.of(step, part, {**resources, "settings": settings})
        assert step.compute is not None
        step.compute(replace(run, models=NotingModels(run.models, note)))
    return {
        task: [request for *_, request in sorted(held, key=lambda one: one[:2], reverse=True)]
        for task, held in kept.items()
    }


def _recorded_by(settings: Any, by: str) -> Any:
    """The settings with a single model for everything, whose replies are recorded."""
    from aimsciqa_resources.language_model.settings import RECORDED, ModelSettings

    made = {name: getattr(settings, name) for name in type(settings).model_fields}
    models = {
        name: ModelSettings(backend="recorded", name=by)
        for name, value in made.items()
        if isinstance(value, ModelSettings)
    }
    label = f"{RECORDED}{by}"
    named = {"answerers": label, "judges": label, "quality_judges": label}
    benchmark = type(settings.benchmark)(**settings.benchmark.model_dump() | named)
    return type(settings)(**made | models | {"benchmark": benchmark})


def _asking(settings: Any, resources: Mapping[str, Any], batches: Sequence[str]) -> Iterator[tuple[Any, str]]:
    """The steps that ask a model, with their parts. Judges are asked about answers that there are."""
    from aimsciqa_assets.orchestration.partitions import parts_by
    from aimsciqa_assets.platform.phases import in_order
    from aimsciqa_assets.platform.steps import BY_MODEL, STEPS

    answered = resources["warehouse"].read("select distinct answerer from benchmark.answers order by 1")
    parts = {"": [""], "batch": list(batches), **parts_by(settings)}
    for step in in_order(STEPS.values()):
        if step.compute is None or not step.asks:
            continue
        about_answers = step.by == "answerer" and step.asks != BY_MODEL["answerer"]
        for part in answered["answerer"].to_list() if about_answers else parts[step.by]:
            yield step, part
