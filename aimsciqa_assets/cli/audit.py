"""`aimsciqa audit`: sheets for people, and the ratings that come back."""

from pathlib import Path
from typing import Annotated

import typer

from aimsciqa_assets.cli.terminal import console, tell_not_taken
from aimsciqa_assets.items import FORMS
from aimsciqa_assets.platform.home import Home

audit_app = typer.Typer(
    no_args_is_help=True,
    help="Let people rate a sample of QA pairs or items, and take in what they say.",
)
_KINDS = ", ".join(["single_hop", *FORMS])


def _known_kind(kind: str) -> str:
    if kind not in _KINDS.split(", "):
        raise typer.BadParameter(f"{kind!r} is not one of {_KINDS}")
    return kind


@audit_app.command("sample")
def audit_sample(
    kind: Annotated[
        str,
        typer.Option(
            help=f"what to rate: QA pairs, or the items of a system ({_KINDS})",
            callback=_known_kind,
        ),
    ],
    n: Annotated[int, typer.Option("--n", help="how many, drawn at random", min=1)] = 210,
    out: Annotated[
        Path | None, typer.Option(help="folder for the sheet; default: audit in AIMSCIQA_HOME")
    ] = None,
    seed: Annotated[int, typer.Option(help="another seed draws others")] = 20241,
) -> None:
    """Write a sheet for raters: CSV for a spreadsheet, and imports for Argilla and Label Studio.

    AIMSCIQA_AUDIT_SPLIT=test draws items of the test split only, AIMSCIQA_AUDIT_PAIRS=both QA pairs of both
    sides of the alignment filter.
    """
    from aimsciqa_assets.judging.audit.handing_out import hand_out
    from aimsciqa_assets.judging.audit.sampling import sample
    from aimsciqa_assets.settings import Settings

    home = Home.from_environment()
    chosen = Settings.of_environment().audit
    drawn = sample(kind, n, seed, home.warehouse, chosen)
    file = hand_out(drawn.sheet, out or home.folder / "audit")
    count = len(drawn.sheet.subjects)
    if count < n:
        console.print(
            f"There are only {drawn.available:,} {drawn.drawn_from}, so all of them are in the sheet."
        )
    else:
        console.print(f"{count:,} of {drawn.available:,} {drawn.drawn_from}.")
    console.print(f"{file}", highlight=False, soft_wrap=True)
    console.print(
        "Beside it: guidelines.md for the raters; argilla/ and label-studio/ for those who use these.\n"
        "Give each rater a copy, then: [bold]aimsciqa audit import FILE --rater NAME[/bold]"
    )


@audit_app.command("import")
def audit_import(
    file: Annotated[
        Path,
        typer.Argument(
            help="a CSV sheet, Label Studio's JSON export, or Argilla's records", exists=True, dir_okay=False
        ),
    ],
    rater: Annotated[
        str | None, typer.Option(help="who rated; Label Studio and Argilla know the people themselves")
    ] = None,
) -> None:
    """Take in ratings; a rating that is known already is replaced. Rows that cannot be used are named."""
    from aimsciqa_assets.cli.pipeline import Pipeline

    imported = Pipeline.at(Home.from_environment(), None, console, asking=False).import_ratings(file, rater)
    console.print(
        f"{imported.new:,} new ratings, {imported.changed:,} changed, {imported.known:,} known already; "
        f"{imported.unrated:,} rows without a rating. In all {imported.all_ratings:,} ratings."
    )
    console.print("Next: [bold]aimsciqa run[/bold] compares the raters (benchmark.audit_agreement)")
    tell_not_taken(
        imported.problems, len(imported.problems), "problems; the other ratings of the file were taken in."
    )
