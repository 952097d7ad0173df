"""`aimsciqa hopweaver export`: questions in the files of HopWeaver's authors."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home


def export_command(
    folder: Annotated[Path, typer.Argument(help="a folder for the files; one that is missing is made")],
    retrieval: Annotated[
        str, typer.Option(help="how second documents were found, as it stands in the names of the files")
    ] = "diverse",
) -> None:
    """Write questions in the files of HopWeaver's authors: results, original and polished sets."""
    from aimsciqa_assets.hopweaver.formats.exporting import files_of, write_files
    from aimsciqa_assets.platform.queries import query_of

    warehouse = Home.from_environment().warehouse
    rows = warehouse.read(query_of("cli.hopweaver_results").text)
    if rows.is_empty():
        errors.print(
            "There is no question yet. Name the kinds, then run: "
            '[bold]AIMSCIQA_HOPWEAVER_KINDS="bridge comparison" aimsciqa run[/bold]'
        )
        raise typer.Exit(1)
    made_at = datetime.now(UTC).strftime("%Y%m%d_%H%M%S")
    paths = write_files(files_of(rows.iter_rows(named=True), retrieval, made_at), folder)
    for path in paths:
        console.print(escape(str(path)), highlight=False, soft_wrap=True)
