"""`aimsciqa warehouse copy`, `backup` and `restore`, and `aimsciqa maintain`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from aimsciqa_resources.settings_file import general

from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home

if TYPE_CHECKING:
    from aimsciqa_resources.warehouse import Warehouse

warehouse_app = typer.Typer(
    no_args_is_help=True,
    help="Move the tables between the DuckDB file of one machine and a lake for several; back up a corpus "
    "and restore it (docs/clusters.md).",
)
_KEEP_DAYS = 7.0
_SIDE = "the path of a DuckDB file, or ducklake:postgres:... with its data in AIMSCIQA_WAREHOUSE_DATA"


@warehouse_app.command("copy")
def copy_command(
    source: Annotated[str, typer.Argument(metavar="FROM", help=_SIDE)],
    target: Annotated[str, typer.Argument(metavar="TO", help=_SIDE)],
) -> None:
    """Copy all tables from a file to a lake or back, and compare them by hashes; nobody writes meanwhile.

    TO must have no rows, or those that an interrupted copy has put there: the same command goes on.
    """
    from aimsciqa_assets.platform.writing import declared_as

    copied = 0
    for one in _named(source).copy_to(_named(target), declared_as):
        copied += one.new
        told = "copied" if one.new else "there already"
        console.print(f"  {one.table}: {one.digest.rows:,} rows {told}", highlight=False)
    console.print(f"Both sides are the same. {copied:,} tables were copied.", highlight=False)


@warehouse_app.command("backup")
def backup_command(
    folder: Annotated[Path, typer.Argument(help="a new folder, or that of an earlier backup")],
) -> None:
    """Back up tables, replies and files into a folder; others may go on writing to a lake meanwhile.

    Into the folder of an earlier backup only new files are copied. That one stays until this one is whole.
    """
    from aimsciqa_assets.platform.backups import back_up

    made = back_up(Home.from_environment(), folder)
    console.print(
        f"{folder} has all tables, {made.replies:,} replies, and {made.copied + made.known:,} files, "
        f"of which {made.copied:,} were copied.",
        highlight=False,
        soft_wrap=True,
    )
    if made.altered:
        for key in made.altered:
            errors.print(f"{key} was altered before, and is not in the backup.", soft_wrap=True)
        errors.print("Ingest these files again, then back up again.")
        raise typer.Exit(1)


@warehouse_app.command("restore")
def restore_command(
    folder: Annotated[Path, typer.Argument(help="the folder of a backup", exists=True, file_okay=False)],
) -> None:
    """Put a backup where the settings say: into an empty home, or an empty lake and AIMSCIQA_SHARED.

    All files are compared with their hashes first, and tables again when they are there. Rows and files that
    are there stay as they are: where they are others, nothing is restored.
    """
    from aimsciqa_assets.platform.backups import restore

    home = Home.from_environment()
    put = restore(home, folder)
    console.print(
        f"{home.warehouse.place.name} has all tables of {folder}; {put.replies:,} replies and {put.files:,} "
        "files were put back.",
        highlight=False,
        soft_wrap=True,
    )
    if put.settings:
        console.print(
            f"The settings of then are in {put.settings}; they may name places that are gone.",
            highlight=False,
            soft_wrap=True,
        )


def maintain_command() -> None:
    """Compact the warehouse: rewrite the file, or merge the files of a lake and delete what is out of use.

    Of a lake, states older than AIMSCIQA_WAREHOUSE_KEEP_DAYS (7) are forgotten, and published files that are
    out of use for as long are removed from AIMSCIQA_SHARED. Nobody writes meanwhile.
    """
    from aimsciqa_assets.platform.backups import UPKEEP

    home, days = Home.from_environment(), _keep_days()
    home.warehouse.must_exist()
    with home.warehouse.one_at_a_time(UPKEEP):
        for line in home.warehouse.maintain(days):
            console.print(line, highlight=False, soft_wrap=True)
        if published := home.published:
            files, size = published.remove_unnamed(days)
            console.print(
                f"{files:,} published files that are out of use were removed, {size:,} bytes", highlight=False
            )


def _keep_days() -> float:
    said = general("AIMSCIQA_WAREHOUSE_KEEP_DAYS")
    try:
        days = float(said or _KEEP_DAYS)
    except ValueError:
        days = -1.0
    if days < 0:
        raise typer.BadParameter(f"AIMSCIQA_WAREHOUSE_KEEP_DAYS={said!r} must be a number of days, 0 or more")
    return days


def _named(side: str) -> "Warehouse":
    from aimsciqa_resources.warehouse import Warehouse

    named = Warehouse(side)
    if not named.is_lake:
        return named
    return Warehouse(side, general("AIMSCIQA_WAREHOUSE_DATA"), str(Home.from_environment().folder))
