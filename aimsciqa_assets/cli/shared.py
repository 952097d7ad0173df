"""`aimsciqa shared`: files between this home and the place that workers share (docs/clusters.md)."""

from typing import TYPE_CHECKING, Annotated

import typer

from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import SNAPSHOT, Home

if TYPE_CHECKING:
    from aimsciqa_assets.platform.published import Published

shared_app = typer.Typer(
    no_args_is_help=True,
    help="Bring files from the place that workers share (AIMSCIQA_SHARED), or take those of a home there.",
)


@shared_app.command("fetch")
def fetch_command(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="what to fetch; default: all there is")
    ] = None,
) -> None:
    """Fetch what any worker published: inspect.duckdb, report, releases, the paper store, trained models.

    Steps and commands that need one of these fetch it themselves.
    """
    from aimsciqa_assets.platform.shared_recordings import NAME, fetch_recordings

    home = Home.from_environment()
    published = _published(home)
    known = published.names()
    if unknown := sorted({*(names or ())} - {*known}):
        raise typer.BadParameter(
            f"nobody published {', '.join(unknown)}; there are {', '.join(known) or 'none'}"
        )
    for name in names or known:
        if name == NAME:
            fetch_recordings(home)
        for path in published.fetch(name, home.folder):
            console.print(str(path), highlight=False, soft_wrap=True)


@shared_app.command("upload")
def upload_command(
    preset: Annotated[str | None, typer.Option(help="a preset, as for `aimsciqa run`")] = None,
) -> None:
    """Take along what this home has from before: ingested files, recordings, and what its steps left.

    What is there already is not sent again: the same command goes on after it was stopped.
    """
    from aimsciqa_resources.shared_file_store import SharedFileStore

    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.platform.left import publish_as_recorded
    from aimsciqa_assets.platform.shared_recordings import merge_recordings

    home = Home.from_environment()
    published = _published(home)
    store = home.file_store
    uploaded = [*store.upload()] if isinstance(store, SharedFileStore) else []
    altered = [file_id for file_id, taken in uploaded if not taken]
    console.print(
        f"{len(uploaded) - len(altered):,} ingested files are in the shared place.", highlight=False
    )
    console.print(f"{merge_recordings(home):,} recorded replies of this home were added.", highlight=False)
    pipeline = Pipeline.at(home, preset, console, asking=False)
    for table in publish_as_recorded(pipeline.resources):
        console.print(f"  published what {table} left", highlight=False)
    if home.snapshot.exists() and not published.find(SNAPSHOT):
        published.publish(SNAPSHOT, home.folder, [home.snapshot])
        console.print("  published inspect.duckdb", highlight=False)
    for file_id in altered:
        errors.print(
            f"{home.files / file_id[:2] / file_id} was altered, and was not sent: ingest this file again.",
            soft_wrap=True,
        )
    if altered:
        raise typer.Exit(1)


def _published(home: Home) -> "Published":
    if published := home.published:
        return published
    errors.print(
        "AIMSCIQA_SHARED names no place: set it to s3://bucket/prefix, or to the whole path of a folder that "
        "all workers share.",
        soft_wrap=True,
    )
    raise typer.Exit(1)
