"""`aimsciqa yield`: what requests to models gave, and why rows were rejected."""

from typing import Annotated, Final, Literal

import polars as pl
import typer

from aimsciqa_assets.cli.printed_rows import print_rows, print_table
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.queries import query_of

_LISTS: Final = {
    "tasks": "requests by task",
    "funnel": "from papers to items",
    "reasons": "most frequent reasons for rejection",
}


def yield_command(
    *,
    format: Annotated[
        Literal["table", "csv", "json"],
        typer.Option("--format", help="how to print it; csv and json have a row for each system"),
    ] = "table",
) -> None:
    """Show the requests, tokens and cost of each system and task, and the items that they gave.

    Accepted items passed all checks of their system. A judge has to say which of them are good. Cost is
    what the replies cost when they were made.
    """
    from aimsciqa_assets.platform.writing import adopt_tables

    warehouse = Home.from_environment().warehouse
    adopt_tables(warehouse)
    systems = warehouse.read(query_of("report.yield").text)
    if format != "table":
        print_rows(systems, format, console)
        return
    if systems.is_empty():
        errors.print("No model was asked yet. Next: [bold]aimsciqa run --preview 1[/bold]")
        raise typer.Exit(1)
    print_table(systems.drop(*_LISTS), console)
    for system in systems.iter_rows(named=True):
        for name, title in _LISTS.items():
            if system[name]:
                console.rule(f"{system['system']}: {title}")
                print_table(pl.DataFrame(system[name]), console)
