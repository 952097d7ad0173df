"""`aimsciqa reviews import` and `fetch`: the notes of files and of OpenReview taken into the home."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from aimsciqa_assets.cli.manuscripts import tell_fetched
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home

if TYPE_CHECKING:
    from aimsciqa_assets.scidqa.intake.writing import Written


def import_command(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="JSON lines, also as .gz or .zst: a line is a forum with notes, or a note of OpenReview",
        ),
    ],
) -> None:
    """Take in review threads: submissions, reviews, replies of authors.

    A file can be taken in again: the newest version of each note counts. Lines that hold no note stand in
    scidqa.rejected_lines, notes that may not be read in scidqa.notes, with the reason. A file that is
    damaged is left out whole, and the exit code is 1.
    """
    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.scidqa.intake.importing import UnreadableNotesError

    pipeline = Pipeline.at(Home.from_environment(), None, console, asking=False)
    unreadable = 0
    for file in files:
        try:
            imported = pipeline.import_notes(file)
        except UnreadableNotesError as error:
            unreadable += 1
            errors.print(f"[red]not taken[/red] {escape(str(error))}", highlight=False, soft_wrap=True)
            continue
        told = f"{escape(file.name)}: {imported.lines:,} lines, {imported.written.came:,} notes."
        console.print(told, highlight=False, soft_wrap=True)
        tell_written(imported.written)
        if imported.rejected:
            console.print(f"{imported.rejected.total():,} lines or parts of lines hold no note:")
            _tell_reasons(imported.rejected)
            for example in imported.examples:
                console.print(escape(f"  {example}"), highlight=False, soft_wrap=True)
            console.print('aimsciqa sql "from scidqa.rejected_lines" lists them.', highlight=False)
    if unreadable:
        raise typer.Exit(1)


def fetch_command(
    *,
    venues: Annotated[
        str | None,
        typer.Option(metavar="VENUES", help="instead of AIMSCIQA_OPENREVIEW_VENUES, written in the same way"),
    ] = None,
    years: Annotated[str | None, typer.Option(help="instead of AIMSCIQA_OPENREVIEW_YEARS: 2018-2022")] = None,
    news: Annotated[
        bool,
        typer.Option(
            "--news",
            help="ask only for what changed since the last fetch of each venue; every "
            "AIMSCIQA_OPENREVIEW_WHOLE_DAYS days for everything",
        ),
    ] = False,
    manuscripts: Annotated[
        bool,
        typer.Option(
            "--manuscripts",
            help="fetch the PDFs of the forums as well: the last before the deadline, and the last of all",
        ),
    ] = False,
) -> None:
    """Fetch the review threads of venues from OpenReview; what is known and unchanged stays as it is.

    Nothing is asked until AIMSCIQA_OPENREVIEW_BASE_URL_V1 or _V2 is set. A venue that cannot be fetched
    changes nothing, and the exit code is 1.
    """
    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.settings import SettingsError

    given = {name: value for name, value in {"venues": venues, "years": years}.items() if value is not None}
    pipeline = Pipeline.at(Home.from_environment(), None, console, asking=False, chosen={"openreview": given})
    chosen = pipeline.settings.openreview
    if not (chosen.base_url_v1 or chosen.base_url_v2):
        raise SettingsError(
            "No address of OpenReview is set: AIMSCIQA_OPENREVIEW_BASE_URL_V2=https://api2.openreview.net, "
            "and AIMSCIQA_OPENREVIEW_BASE_URL_V1=https://api.openreview.net for venues until about 2023."
        )
    try:
        named = chosen.venue_ids
    except ValueError as error:
        raise SettingsError(f"AIMSCIQA_OPENREVIEW_VENUES: {error}") from None
    if not named:
        raise SettingsError("No venue is named: set AIMSCIQA_OPENREVIEW_VENUES, or give --venues.")
    failed = 0
    for fetched in pipeline.fetch_notes(news=news):
        if fetched.written is None:
            failed += 1
            told = f"[red]not fetched[/red] {escape(fetched.venue)}: {escape(fetched.failure)}"
            errors.print(told, highlight=False, soft_wrap=True)
            continue
        what = "notes" if fetched.whole else "notes that changed since the last fetch"
        console.print(f"{escape(fetched.venue)}: {fetched.written.came:,} {what}.", highlight=False)
        tell_written(fetched.written)
    if manuscripts:
        for got in pipeline.fetch_manuscripts():
            tell_fetched(got)
            failed += bool(got.failure or got.failures or got.rejected)
    if failed:
        raise typer.Exit(1)


def tell_written(written: "Written") -> None:
    """Say what became of the notes that came."""
    console.print(
        f"{written.new:,} new notes, {written.replaced:,} in a newer version, {written.known:,} known; "
        f"{written.new_forums:,} new forums, {written.forums:,} in all.",
        highlight=False,
    )
    if written.reasons:
        console.print("Notes that are not used:")
        _tell_reasons(written.reasons)
    if written.problems:
        console.print(
            f"{written.problems:,} forums lack notes or have replies in a circle: scidqa.forums.problems",
            highlight=False,
        )


def _tell_reasons(reasons: "dict[str, int]") -> None:
    for reason, count in sorted(reasons.items()):
        console.print(f"  {escape(reason)}: {count:,}", highlight=False)
