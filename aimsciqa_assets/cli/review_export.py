"""`aimsciqa reviews export`: accepted pairs as files for other programs."""

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
    """Write accepted pairs in SciDQA's columns (Excel, Parquet) and as JSON lines like those of PeerQA.

    Text is written where the licences of review and reply allow it; elsewhere ids and offsets stand alone.
    """
    from aimsciqa_assets.platform.writing import adopt_tables
    from aimsciqa_assets.scidqa.exporting import export

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise typer.BadParameter(f"{folder} is not an empty folder", param_hint="FOLDER")
    warehouse = Home.from_environment().warehouse
    adopt_tables(warehouse)
    if warehouse.read("select 1 from scidqa.qa_pairs where status = 'accepted' limit 1").is_empty():
        errors.print("There is no accepted pair yet: docs/scidqa.md says how pairs are made.")
        raise typer.Exit(1)
    folder.mkdir(parents=True, exist_ok=True)
    made = export(warehouse, folder)
    console.print(
        f"{made.pairs:,} pairs in {escape(str(folder))}, {made.with_text:,} of them with text.",
        highlight=False,
        soft_wrap=True,
    )
    for told, reasons in (("left out", made.left_out), ("not accepted", made.rejected)):
        for reason, count in reasons.items():
            console.print(f"  {count:,} {told}: {escape(reason)}", highlight=False, soft_wrap=True)
