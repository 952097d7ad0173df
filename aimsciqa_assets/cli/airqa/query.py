"""`aimsciqa airqa query`: run one SQL statement as the agent would, and print what it would read."""

from pathlib import Path
from typing import Annotated

import typer

from aimsciqa_assets.cli.terminal import errors


def query_command(
    file: Annotated[Path, typer.Argument(help="a file with one SELECT", exists=True, dir_okay=False)],
    database: Annotated[
        Path | None,
        typer.Option("--database", help="the papers' store; by default airqa/papers.duckdb in AIMSCIQA_HOME"),
    ] = None,
    output_format: Annotated[
        str, typer.Option("--format", help="how rows are shown: json, markdown, string or html")
    ] = "json",
    seconds: Annotated[
        float, typer.Option("--seconds", help="the statement's time; then it is killed")
    ] = 600.0,
) -> None:
    """Run one SQL statement exactly as the agent's action Query would, and print its observation.

    The statement can do no more than read the tables of the store: docs/airqa-sandbox.md.
    """
    from aimsciqa_resources.untrusted_sql.cells import LONGEST_TEXT
    from aimsciqa_resources.untrusted_sql.pool import UnfitWorkerError

    from aimsciqa_assets.airqa.sandbox.observations import FORMATS, Query
    from aimsciqa_assets.platform.home import Home

    if output_format not in FORMATS:
        raise typer.BadParameter(f"choose one of {', '.join(FORMATS)}", param_hint="--format")
    store = database or Home.from_environment().folder / "airqa" / "papers.duckdb"
    if not store.is_file():
        told = f"There is no paper store at {store}. `aimsciqa airqa store FOLDER` makes it."
        errors.print(told, soft_wrap=True, highlight=False, markup=False)
        raise typer.Exit(1)
    with file.open("rb") as opened:  # a text that is too long is not read to its end
        sql = opened.read(4 * LONGEST_TEXT + 4).decode("utf-8-sig", "surrogateescape")
    try:
        with Query(store, processes=1) as query:
            observation = query.observe(sql, output_format=output_format, max_timeout=seconds)
    except UnfitWorkerError as error:
        errors.print(str(error), soft_wrap=True, highlight=False, markup=False)
        raise typer.Exit(1) from None
    # An error is an observation, too: the agent reads it and goes on.
    typer.echo(observation.text)
