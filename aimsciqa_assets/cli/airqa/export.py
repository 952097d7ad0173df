"""`aimsciqa airqa export`: results of runs in the files of AirQA's authors."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home


def export_command(
    folder: Annotated[
        Path, typer.Argument(help="a folder for the files; it is made, and must be empty if it exists")
    ],
) -> None:
    """Write every run as AirQA's authors do: result.jsonl, trajectories and evaluation.txt.

    Each repetition of a run gets a folder. inspect.json beside them is the same as a log of inspect_ai.
    """
    from aimsciqa_assets.airqa.results.files import write_runs
    from aimsciqa_assets.platform.writing import adopt_tables

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise typer.BadParameter(f"{folder} is not an empty folder", param_hint="FOLDER")
    warehouse = Home.from_environment().warehouse
    adopt_tables(warehouse)
    written = 0
    for place in write_runs(warehouse, folder, datetime.now(UTC).isoformat(timespec="seconds")):
        console.print(escape(str(place)), highlight=False, soft_wrap=True)
        written += 1
    if not written:
        errors.print("There is no run yet: aimsciqa airqa run --baseline NAME makes one.")
        raise typer.Exit(1)
