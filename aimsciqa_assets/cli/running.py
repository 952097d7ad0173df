"""`aimsciqa run`: checks, the run itself, and what is told at its end."""

from collections.abc import Sequence

import typer
from rich.markup import escape

from aimsciqa_assets.cli.outcome import no_release, nothing_made, warn_of_small_clusters
from aimsciqa_assets.cli.phases import Failure
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.cli.readiness import check_readiness
from aimsciqa_assets.cli.run_record import recorded_run
from aimsciqa_assets.cli.summary import print_next, print_not_recorded, print_summary
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.cli.troubles import disk_trouble
from aimsciqa_assets.platform.home import Home


def run_all(
    preset: str | None,
    batches: Sequence[str] | None,
    at_once: int,
    *,
    refresh: bool,
    evaluate: bool,
    quiet: bool,
) -> None:
    """Run the pipeline and tell what came of it; raises `typer.Exit` where something failed."""
    pipeline = Pipeline.at(Home.from_environment(), preset, console, refresh=refresh)
    pipeline.batches(batches)
    for warning in check_readiness(pipeline, evaluate=evaluate):
        errors.print(f"[yellow]Warning[/yellow]: {escape(warning)}", highlight=False, soft_wrap=True)
    failures: list[Failure] = []
    with recorded_run(pipeline.instance, failures):
        failures += pipeline.run(batches, at_once, evaluate=evaluate)
    if not quiet:
        print_summary(pipeline.warehouse, console)
    print_not_recorded(pipeline.warehouse, console)
    warn_of_small_clusters(pipeline.warehouse, pipeline.settings, console)
    if failures:
        _tell_failures(failures, pipeline.home)
        raise typer.Exit(1)
    # Whoever asks for some batches only may well know that there are no items yet.
    if not batches and (said := nothing_made(pipeline.warehouse, pipeline.settings)):
        errors.print(f"[red]No benchmark[/red]: {escape(said)}", highlight=False)
        raise typer.Exit(1)
    first = no_release(pipeline.warehouse) if evaluate else ""
    if not quiet:
        print_next(pipeline.left, console, first)
    elif first:
        console.print(first, highlight=False)


def _tell_failures(failures: Sequence[Failure], home: Home) -> None:
    for failure in failures:
        errors.print(f"[red]failed[/red] {escape(str(failure))}", highlight=False)
    said = "\n".join(map(str, failures))
    advice = disk_trouble(said, home.folder)
    errors.print(advice or "What was finished is kept. The same command goes on from there.")
