"""`aimsciqa reviews papers`: the versions of manuscripts that reviews are about."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home

if TYPE_CHECKING:
    from aimsciqa_assets.scidqa.manuscripts.fetching import FetchedManuscripts
    from aimsciqa_assets.scidqa.manuscripts.taking import TakenManuscripts

_SHOWN = 5


def papers_command(
    folder: Annotated[
        Path,
        typer.Argument(
            help="folder of manuscripts, PDF or JATS: FORUM.initial.pdf and FORUM.final.pdf (or .xml), where "
            "FORUM is the id that OpenReview shows behind forum?id="
        ),
    ],
) -> None:
    """Take in versions of reviewed manuscripts, each as a paper of its own.

    What is known is left alone; a newer file of a version takes the place of the older one. Other systems
    do not ask about manuscripts. Exits with 1 where a file could not be read.
    """
    from aimsciqa_assets.cli.pipeline import Pipeline

    pipeline = Pipeline.at(Home.from_environment(), None, console, asking=False)
    taken = pipeline.take_manuscripts(folder)
    _tell(taken)
    if taken.rejected or taken.found.unreadable:
        raise typer.Exit(1)


def tell_fetched(fetched: "FetchedManuscripts") -> None:
    """Say what became of the manuscripts of a venue."""
    console.print(
        f"{escape(fetched.venue)}: {fetched.new:,} new manuscripts, {fetched.replaced:,} replaced by newer "
        f"files, {fetched.known:,} known already.",
        highlight=False,
    )
    _list("forums show no PDF from before the deadline, so that they have no initial version", fetched.late)
    for name, reason in (fetched.rejected | fetched.failures).items():
        errors.print(f"[red]not read[/red] {escape(name)}: {escape(reason)}", highlight=False)
    if fetched.failure:
        told = f"[red]not fetched to the end[/red] {escape(fetched.venue)}: {escape(fetched.failure)}"
        errors.print(told, highlight=False, soft_wrap=True)


def _tell(taken: "TakenManuscripts") -> None:
    console.print(
        f"{taken.new:,} new manuscripts, {taken.replaced:,} replaced by newer files, {taken.known:,} known "
        f"already; {taken.forums:,} forums.",
        highlight=False,
    )
    found = taken.found
    _list("files are not named like a version (FORUM.initial.pdf, FORUM.final.xml)", found.wrong_names)
    _list("files are left out for others", [f"{one}: {other}" for one, other in found.passed_over.items()])
    _list(
        "files were papers of the corpus before and keep their ids",
        [f"{name}: {paper}" for name, paper in taken.as_papers.items()],
    )
    _list("forums have one version only, so that nothing can be compared", taken.one_version)
    _list(
        "forums are not among the review threads; their manuscripts are taken in all the same",
        taken.unknown_forums,
    )
    for name, reason in taken.rejected.items():
        errors.print(f"[red]not read[/red] {escape(name)}: {escape(reason)}", highlight=False)
    for told in found.unreadable:
        errors.print(f"[red]not read[/red] {escape(told)}", highlight=False)


def _list(what: str, names: Collection[str]) -> None:
    """How many there are of what, and the first of them."""
    if not names:
        return
    console.print(f"{len(names):,} {what}:", highlight=False)
    for name in list(names)[:_SHOWN]:
        console.print(f"  {escape(name)}", highlight=False)
    if len(names) > _SHOWN:
        console.print(f"  and {len(names) - _SHOWN:,} more", highlight=False)
