"""`aimsciqa airqa mineru`: papers that MinerU read, for the paper store."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from aimsciqa_assets.cli.terminal import console, errors, tell_not_taken


def mineru_command(
    folder: Annotated[
        Path,
        typer.Argument(
            exists=True,
            file_okay=False,
            help="a folder with processed_data/UUID.json and metadata/UUID.json, as AirQA's authors publish",
        ),
    ],
) -> None:
    """Take in what MinerU read of papers; `aimsciqa airqa store` then puts them into the paper store.

    Files that are known are left alone. They serve the paper store only; the corpus names them as rejected.
    """
    from aimsciqa_assets.airqa.store.mineru import PROCESSED, SUFFIX, bundles_in
    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.cli.summary import print_ingested
    from aimsciqa_assets.platform.home import Home

    if not any((folder / PROCESSED).glob("*.json")):
        errors.print(
            f"There is no {PROCESSED}/UUID.json in {escape(str(folder))}.", soft_wrap=True, highlight=False
        )
        raise typer.Exit(1)
    pipeline = Pipeline.at(Home.from_environment(), None, console, asking=False)
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as made:
        for name, bundle in bundles_in(folder):
            if isinstance(bundle, str):
                problems.append(f"{name}: {bundle}")
            else:
                (Path(made) / name).with_suffix(SUFFIX).write_bytes(bundle)
        if any(Path(made).iterdir()):
            print_ingested(pipeline.ingest(Path(made)), console, errors)
    if not pipeline.settings.airqa.store:
        console.print("The store is off: `aimsciqa airqa store` turns it on, and reads the papers into it.")
    tell_not_taken(problems, len(problems), "papers were not taken in.")
