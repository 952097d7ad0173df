"""`aimsciqa report` serves the report and the review page; `aimsciqa review` takes reviews in and out."""

import errno
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from aimsciqa_assets.cli.terminal import console, errors, tell_not_taken
from aimsciqa_assets.platform.home import REPORT_PORT, Home

review_app = typer.Typer(
    no_args_is_help=True,
    help="Take reviews of items to another machine and back. `aimsciqa report` serves the page to review on.",
)


def report_command(
    *,
    port: Annotated[
        int, typer.Option(help="port of 127.0.0.1; 0: any that is free", min=0, max=65535)
    ] = REPORT_PORT,
    open_it: Annotated[bool, typer.Option("--open", help="open it in the browser")] = False,
) -> None:
    """Serve the report and the review page on this machine, until Ctrl-C.

    On the review page people accept, reject, edit and rate items; the next `aimsciqa run` obeys.
    """
    from aimsciqa_resources.warehouse import WarehouseMissingError

    from aimsciqa_assets.cli.serving.desk import Desk
    from aimsciqa_assets.cli.serving.server import ReportServer
    from aimsciqa_assets.platform.writing import create_tables
    from aimsciqa_assets.settings import Settings

    home = Home.from_environment()
    warehouse = home.warehouse
    try:
        warehouse.must_exist()
    except WarehouseMissingError as error:
        console.print(str(error))
    else:
        create_tables(warehouse)
    try:
        server = ReportServer(Desk(warehouse, Settings.of_environment()), port)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        errors.print(f"Port {port} is taken, perhaps by another `aimsciqa report`: add --port 0.")
        raise typer.Exit(1) from None
    with server:
        console.print(f"The report: {server.address}", highlight=False)
        console.print(f"The review page: {server.address}review", highlight=False)
        console.print("Ctrl-C ends it.")
        if open_it:
            webbrowser.open(server.address)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


@review_app.command("export")
def export_command(
    file: Annotated[Path, typer.Argument(help="JSON lines, one review a line", dir_okay=False)],
) -> None:
    """Write all reviews into a file."""
    from aimsciqa_assets.judging.review.reviews import export_reviews

    warehouse = Home.from_environment().warehouse
    with warehouse.reading():
        pass
    console.print(f"{export_reviews(file, warehouse):,} reviews are now in {file}.", soft_wrap=True)


@review_app.command("import")
def import_command(
    file: Annotated[
        Path, typer.Argument(help="a file of `aimsciqa review export`", exists=True, dir_okay=False)
    ],
) -> None:
    """Take in the reviews of a file; those that are known stay as they are."""
    from aimsciqa_assets.judging.review.reviews import import_reviews

    added = import_reviews(file, Home.from_environment().warehouse)
    console.print(f"{len(added.new):,} new reviews, {added.known:,} known already.")
    console.print("Next: [bold]aimsciqa run[/bold] makes the release anew")
    tell_not_taken(
        added.problems, len(added.problems), "problems; the other reviews of the file were taken in."
    )
