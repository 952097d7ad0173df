"""`aimsciqa extractor export`: trajectories as files to train agents on."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape

from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.tables.extractor import KINDS

if TYPE_CHECKING:
    from aimsciqa_resources.warehouse import Warehouse

    from aimsciqa_assets.airqa.extractor.reading import Picture


def export_command(
    folder: Annotated[
        Path, typer.Argument(help="a folder for the files; it is made, and must be empty if it exists")
    ],
    *,
    window: Annotated[
        int,
        typer.Option(
            min=0, help="turns that a sample shows before the one that is learnt; 0: whole trajectories"
        ),
    ] = 5,
    error_removal: Annotated[
        Literal["last", "none"] | None,
        typer.Option(
            help="last: leave out samples whose last action is wrong; none: keep them; default: what "
            "AIMSCIQA_EXTRACTOR_ERROR_REMOVAL says"
        ),
    ] = None,
    view: Annotated[
        bool, typer.Option("--view", help="keep samples that look at pictures, with the pictures")
    ] = False,
    correct: Annotated[
        bool, typer.Option("--correct", help="only trajectories whose answer is correct")
    ] = False,
    kind: Annotated[
        list[str] | None,
        typer.Option(help=f"only questions of this type: {', '.join(KINDS)}; may be given several times"),
    ] = None,
) -> None:
    """Write accepted trajectories for LLaMA-Factory (ShareGPT) and for TRL (tool calls), with a card.

    As it stands, samples are cut as in the paper: the last five turns, and no wrong action to learn.
    """
    from aimsciqa_assets.airqa.extractor.exporting import export
    from aimsciqa_assets.airqa.extractor.reading import Choice, choose
    from aimsciqa_assets.airqa.extractor.windows import Cut
    from aimsciqa_assets.platform.writing import adopt_tables
    from aimsciqa_assets.settings import Settings

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise typer.BadParameter(f"{folder} is not an empty folder", param_hint="FOLDER")
    if unknown := sorted({*(kind or ())} - {*KINDS}):
        raise typer.BadParameter(
            f"{unknown[0]} is none: choose one of {', '.join(KINDS)}", param_hint="--kind"
        )
    home = Home.from_environment()
    warehouse = home.warehouse
    adopt_tables(warehouse)
    choice = Choice(tuple(kind or ()), correct_only=correct)
    examples, refused = choose(warehouse, choice)
    if not examples:
        _tell_nothing(refused)
        raise typer.Exit(1)
    folder.mkdir(parents=True, exist_ok=True)
    removal = error_removal or Settings.of_environment(asking=False).extractor.error_removal
    cut = Cut(window, removes_errors=removal == "last", views=view)
    picture = _pictures(home, warehouse, folder) if view else None
    made = export(warehouse, folder, cut, choice, picture)
    console.print(
        f"{made.samples:,} samples of {made.trajectories:,} trajectories in {escape(str(folder))}",
        highlight=False,
        soft_wrap=True,
    )
    _tell_rates(made.told)


def _pictures(home: Home, warehouse: "Warehouse", folder: Path) -> "Picture":
    from aimsciqa_assets.airqa.baselines.running import pages_of
    from aimsciqa_assets.airqa.extractor.pictures import Pictures

    return Pictures(pages_of(warehouse, home.file_store.get), folder).keep


def _tell_nothing(refused: Mapping[str, int]) -> None:
    if not refused:
        errors.print("There is no trajectory yet: aimsciqa extractor make makes some.", soft_wrap=True)
        return
    told = ", ".join(f"{reason} {count:,}" for reason, count in sorted(refused.items()))
    errors.print(escape(f"No trajectory is left to export: {told}"), highlight=False, soft_wrap=True)


def _tell_rates(told: Mapping[str, Any]) -> None:
    """What was left out, and how often actions were wrong before and after."""
    total = told["counts"]["total"]
    for what, reasons in (
        ("trajectories", told["trajectories_left_out"]),
        ("samples", total["samples_left_out"]),
    ):
        for reason, count in reasons.items():
            console.print(f"  {count:,} {what} left out: {escape(reason)}", highlight=False)
    before, after = total["error_action_rate"], total["error_action_rate_of_samples"]
    if before is not None and after is not None:
        console.print(
            f"Wrong actions: {before:.2%} of the trajectories', {after:.2%} of what is learnt",
            highlight=False,
        )
    if longer := total["samples_over_cutoff"]:
        console.print(
            f"{longer:,} samples have more tokens than the cutoff of the configuration: "
            "their oldest turns, or more, will not be seen.",
            highlight=False,
            soft_wrap=True,
        )
