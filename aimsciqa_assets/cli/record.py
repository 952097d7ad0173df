"""`aimsciqa record`: what a model would be asked goes out in a file, and replies come back."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from aimsciqa_assets.cli.config import ConfigOption
from aimsciqa_assets.cli.terminal import console, errors, tell_not_taken
from aimsciqa_assets.platform.home import Home

record_app = typer.Typer(
    no_args_is_help=True,
    help="Let people, or models of any kind, reply in a file to what a model would be asked. "
    "AIMSCIQA_MODEL_BACKEND=recorded and AIMSCIQA_MODEL_NAME=NAME choose the replies of NAME; for one task "
    "alone: AIMSCIQA_SINGLE_HOP_MODEL_BACKEND and so on.",
)

_RANGES_SHOWN = 20


@record_app.command("requests")
def record_requests(
    file: Annotated[
        Path, typer.Argument(help="a new file: JSON lines; gzipped when the name ends in .gz", dir_okay=False)
    ],
    task: Annotated[
        str | None, typer.Option(help="only requests of this task: single_hop, multi_hop, answering, ...")
    ] = None,
    limit: Annotated[int | None, typer.Option(help="so many requests at most", min=1)] = None,
    preset: Annotated[str | None, typer.Option(help="a preset, as for `aimsciqa run`")] = None,
    config: ConfigOption = None,
) -> None:
    """Write what would be asked now and has no recorded reply: a line each, with an empty `reply`.

    Nobody is asked, and no row is written. What later steps ask depends on the replies to earlier ones: take
    the replies, run, and write requests again.
    """
    from aimsciqa_resources.language_model import ModelRequest
    from aimsciqa_resources.language_model.record_files import RequestsFile
    from aimsciqa_resources.language_model.settings import ModelSettings

    from aimsciqa_assets.cli.due_requests import extractor_is_idle, note_requests, recorded_models
    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.cli.readable import FAULTS

    if task is not None and task not in FAULTS:
        raise typer.BadParameter(f"choose one of {', '.join(FAULTS)}", param_hint="--task")
    pipeline = Pipeline.at(Home.from_environment(), preset, console)
    models = recorded_models(pipeline.settings)
    if not models:
        errors.print(
            "No model is chosen whose replies are recorded. Set AIMSCIQA_MODEL_BACKEND=recorded, and "
            "AIMSCIQA_MODEL_NAME to the name of who replies, such as jane-doe.",
            highlight=False,
        )
        raise typer.Exit(1)
    counts: Counter[tuple[str, str]] = Counter()
    left_out = 0
    with RequestsFile(file) as out:

        def note(request: ModelRequest, model: ModelSettings) -> None:
            nonlocal left_out
            asked_of = ",".join(model.recorded_by)
            if task is not None and request.task != task:
                return
            if limit is not None and out.written >= limit:
                left_out += not out.holds(request, asked_of)
            elif out.write(request, asked_of):
                counts[request.task, asked_of] += 1

        waiting = note_requests(pipeline.resources, pipeline.batches(), note)
    for (of_task, asked_of), count in counts.items():
        console.print(f"{count:>7,} requests of {of_task} to {asked_of}", highlight=False)
    if left_out:
        console.print("There are more; --limit left them out.")
    for table, count in Counter(one.table for one in waiting).items():
        which = f"{count:,} batches of it wait" if count > 1 else "it waits"
        console.print(
            f"{table} is not asked about yet: {which} for earlier steps of `aimsciqa run`.", soft_wrap=True
        )
    if extractor_is_idle(pipeline.settings, task):
        console.print(
            "EXTRACTOR is asked for nothing: set AIMSCIQA_EXTRACTOR_EXAMPLES to the number that you give to "
            "[bold]aimsciqa extractor make --examples[/bold].",
            highlight=False,
            soft_wrap=True,
        )
    if not counts:
        console.print("Nothing that can be asked now lacks a reply; no file was written.")
        return
    name = next(iter(models.values())).recorded_by[0] if len(models) == 1 else "NAME"
    console.print(
        f"They are in {escape(str(file))}: fill in the field reply of each line, then\n"
        f"[bold]aimsciqa record replies {escape(str(file))} --by {name}[/bold]",
        highlight=False,
        soft_wrap=True,
    )


@record_app.command("replies")
def record_replies(
    file: Annotated[
        Path,
        typer.Argument(
            help="a file of `record requests` with replies filled in", exists=True, dir_okay=False
        ),
    ],
    by: Annotated[
        str, typer.Option(help="who replied, a person or a model, where the lines do not say so in `by`")
    ] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="take other replies in place of those that are recorded")
    ] = False,
) -> None:
    """Take in replies. Lines without one are left for another time; lines that cannot be used are named."""
    from aimsciqa_resources.language_model.opening import LanguageModels
    from aimsciqa_resources.language_model.record_files import take_replies
    from aimsciqa_resources.language_model.recordings import NAME

    from aimsciqa_assets.cli.due_requests import recorded_models
    from aimsciqa_assets.cli.readable import FAULTS
    from aimsciqa_assets.platform.shared_recordings import adding_recordings
    from aimsciqa_assets.settings import Settings

    if by and not NAME.fullmatch(by):
        raise typer.BadParameter(
            "give one word of letters, digits and . + : / - _, such as jane-doe", param_hint="--by"
        )
    home = Home.from_environment()
    models = recorded_models(Settings.of_environment()).values()
    opener = LanguageModels(home.journal, recordings=home.recordings)
    chosen = {recordings.path: recordings for recordings in map(opener.recordings, models)}
    if len(chosen) > 1:
        errors.print(
            f"The settings name several files of recordings ({', '.join(map(str, chosen))}): set "
            "AIMSCIQA_MODEL_RECORDINGS to the one that shall take these.",
            highlight=False,
            markup=False,
        )
        raise typer.Exit(1)
    recordings = next(iter(chosen.values()), opener.recordings())
    with adding_recordings(home, recordings.path):
        taken = take_replies(file, recordings, FAULTS, by=by, replace=replace)
    console.print(
        f"{taken.new:,} new replies, {taken.replaced:,} replaced, {taken.known:,} known already; "
        f"{len(taken.without_reply):,} lines without a reply yet{_listed(taken.without_reply)}.",
        soft_wrap=True,
    )
    asked = {name for model in models for name in model.recorded_by}
    for name in sorted(taken.names - asked):
        console.print(f"The settings ask for no replies of {name}: set AIMSCIQA_MODEL_NAME={name}.")
    if taken.new or taken.replaced:
        console.print("Next: [bold]aimsciqa run[/bold]")
    tell_not_taken(taken.problems, taken.not_taken, "lines were not taken; the others of the file were.")


def _listed(lines: Sequence[int]) -> str:
    """Line numbers as ranges: `: 3-7, 9`, the first ones only where there are many."""
    ranges: list[list[int]] = []
    for line in lines:
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    shown = [f"{first}-{last}" if last > first else f"{first}" for first, last in ranges[:_RANGES_SHOWN]]
    more = ", ..." if len(ranges) > _RANGES_SHOWN else ""
    return f": {', '.join(shown)}{more}" if shown else ""
