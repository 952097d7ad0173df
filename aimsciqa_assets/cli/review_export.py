"""`aimsciqa reviews export`: accepted pairs as files for other programs."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home


def export_command(
    folder: Annotated[
        Path,
        typer.Argument(help="a folder for the files: a new or empty one, or that of an earlier export"),
    ],
) -> None:
    """Write accepted pairs in SciDQA's columns (Excel, Parquet) and as JSON lines like those of PeerQA.

    Text is written where the licences of review and reply allow it; elsewhere ids and offsets stand alone.
    Answers of models to them are written as SciDQA's response files.
    """
    from aimsciqa_assets.platform.writing import adopt_tables
    from aimsciqa_assets.scidqa.exporting import export
    from aimsciqa_assets.scidqa.files.exported import not_ours

    if why := not_ours(folder):
        raise typer.BadParameter(
            f"{folder} is not written over: {why}. Give a new folder, or empty this one.", param_hint="FOLDER"
        )
    warehouse = Home.from_environment().warehouse
    adopt_tables(warehouse)
    if warehouse.read("select 1 from scidqa.qa_pairs where status = 'accepted' limit 1").is_empty():
        errors.print("There is no accepted pair yet: docs/scidqa.md says how pairs are made.")
        raise typer.Exit(1)
    made = export(warehouse, folder)
    console.print(
        f"{made.pairs:,} pairs in {escape(str(folder))}, {made.with_text:,} of them with text.",
        highlight=False,
        soft_wrap=True,
    )
    for told, reasons in (("left out", made.left_out), ("not accepted", made.rejected)):
        for reason, count in reasons.items():
            console.print(f"  {count:,} {told}: {escape(reason)}", highlight=False, soft_wrap=True)


def verify_command(
    folder: Annotated[Path, typer.Argument(help="a folder that `reviews export` wrote")],
) -> None:
    """Check an export from its files alone: checksums, equal rows, no text that a licence forbids."""
    from aimsciqa_assets.scidqa.files.exported import problems_of

    problems = list(problems_of(folder))
    for problem in problems:
        errors.print(escape(problem), highlight=False, soft_wrap=True)
    if problems:
        raise typer.Exit(1)
    console.print(f"{escape(str(folder))} is sound.", highlight=False, soft_wrap=True)
