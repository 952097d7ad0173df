"""`aimsciqa airqa examples`: examples of a file taken into the home, and those of the home as a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from aimsciqa_assets.cli.terminal import console, errors, tell_not_taken
from aimsciqa_assets.platform.home import Home

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SHOWN = 5


def examples_command(
    file: Annotated[
        Path | None,
        typer.Argument(
            exists=True, dir_okay=False, metavar="FILE.jsonl", help="examples to take in, one a line"
        ),
    ] = None,
    *,
    replace: Annotated[
        bool, typer.Option("--replace", help="put examples in the place of earlier ones with their uuid")
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(help="write all examples of the home to this file, which must not exist"),
    ] = None,
) -> None:
    """Take examples into the home, where runs find them, or write those of the home as AirQA's JSONL.

    A file can be taken in again. Lines that are no example, and examples whose uuid another one has, are
    told and stand in airqa.rejected_examples. Exits with 1 where there are any.
    """
    from aimsciqa_assets.cli.pipeline import Pipeline

    if (file is None) == (export is None):
        raise typer.BadParameter("name a file to take in, or --export FILE")
    if export and export.exists():
        raise typer.BadParameter(f"{export} exists already", param_hint="--export")
    pipeline = Pipeline.at(Home.from_environment(), None, console, asking=False)
    if export:
        count = pipeline.export_examples(export)
        told = f"{count:,} examples in {escape(str(export))}"
        console.print(told, highlight=False, soft_wrap=True)
        return
    if file is None:
        return
    taken = pipeline.take_examples(file, replace=replace)
    console.print(
        f"{taken.new:,} new examples, {taken.changed:,} changed, {taken.known:,} known; "
        f"{taken.examples:,} in all.",
        highlight=False,
    )
    _tell_missing(taken.missing)
    tell_not_taken(taken.problems, taken.reasons.total(), "lines were not taken in; the others were.")


def _tell_missing(missing: "Mapping[str, Sequence[str]]") -> None:
    """Name the first examples whose papers are not in the paper store."""
    if not missing:
        return
    papers = {paper for lacking in missing.values() for paper in lacking}
    errors.print(
        f"{len(missing):,} examples need {len(papers):,} papers that are not in the paper store:",
        highlight=False,
    )
    for uuid, lacking in list(missing.items())[:_SHOWN]:
        errors.print(escape(f"  {uuid}: {', '.join(lacking)}"), highlight=False, soft_wrap=True)
    if len(missing) > _SHOWN:
        errors.print(f"  and {len(missing) - _SHOWN:,} more", highlight=False)
