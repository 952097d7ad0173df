"""`aimsciqa airqa store`: papers as files become the paper store that agents search."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from aimsciqa_resources.settings_file import CONFIG, FILE_NAME, settings_file
from rich.markup import escape

from aimsciqa_assets.cli.config import ConfigOption
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home

if TYPE_CHECKING:
    from aimsciqa_resources.warehouse import Warehouse

_PUBLISHED = """
select count(*)::int as papers, count(*) filter (p.source = 'pdf')::int as pdfs, sum(p.pages)::int as pages,
    sum(p.tables)::int as tables, sum(p.images)::int as figures, sum(p.equations)::int as equations
from airqa.store as s join airqa.papers as p on p.uuid = s.uuid and p.batch = s.from_batch
"""
_REJECTED = """
select f.file_name, p.rejection_reason, p.detail
from airqa.papers as p join corpus.input_files as f on f.file_id = p.file_id and f.batch = p.batch
where p.rejection_reason is not null order by f.file_name
"""
_SHOWN = 10
_VARIABLE = "AIMSCIQA_AIRQA_STORE"


def store_command(
    folder: Annotated[
        Path | None,
        typer.Argument(
            exists=True, help="folder of PDF and JATS files to take in first; without it: those of the home"
        ),
    ] = None,
    preview: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="make and ask nothing: show what would be made of the papers of the home, the first N "
            "requests for summaries, and what all would cost",
            min=0,
        ),
    ] = None,
    preset: Annotated[str | None, typer.Option(metavar="NAME", help="as for `aimsciqa run`")] = None,
    config: ConfigOption = None,
) -> None:
    """Read papers into the paper store, airqa/papers.duckdb, and encode what agents retrieve.

    Nothing else is made of the papers. What was read before is not read again. A model is asked for
    summaries only where AIMSCIQA_AIRQA_SUMMARIES is true. The settings file of the home then says
    `store = true`, so that `aimsciqa run` keeps the store up to date.
    """
    from aimsciqa_resources.warehouse.checked_copy import check_paper_store

    from aimsciqa_assets.airqa.store.publishing import STORE, papers_file
    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.cli.preview import preview_store
    from aimsciqa_assets.cli.summary import print_ingested
    from aimsciqa_assets.orchestration.partitions import NoPapersError
    from aimsciqa_assets.settings import Settings

    home = Home.from_environment()
    chosen = {"airqa": {"store": True}}
    # Without summaries no model is asked, and those of the settings need not be complete.
    asking = Settings.of_environment(preset, asking=False, chosen=chosen).airqa.summaries
    pipeline = Pipeline.at(home, preset, console, asking=asking, chosen=chosen)
    if preview is not None:
        if folder:
            raise typer.BadParameter(
                f"the preview is about papers of the home: aimsciqa ingest {folder} takes these in",
                param_hint="--preview",
            )
        preview_store(pipeline, preview)
        return
    if folder:
        print_ingested(pipeline.ingest(folder), console, errors, goes_on=True)
    try:
        failures = pipeline.publish_store()
    except NoPapersError:
        errors.print("No paper was taken in yet: name a folder of them, aimsciqa airqa store FOLDER.")
        raise typer.Exit(1) from None
    for failure in failures:
        errors.print(f"[red]failed[/red] {escape(str(failure))}", highlight=False, soft_wrap=True)
    if not failures:
        # One that was published before and is current is not made again, whatever became of the file.
        home.fetch(STORE)
        check_paper_store(papers_file(home.folder))
    _tell(pipeline.warehouse, papers_file(home.folder))
    console.print(_kept(home), highlight=False, soft_wrap=True)
    console.print("Next: aimsciqa airqa examples FILE.jsonl, then aimsciqa airqa run --baseline rag")
    if failures:
        raise typer.Exit(1)


def _tell(warehouse: "Warehouse", file: Path) -> None:
    """What is published, and which files are not in it."""
    found = warehouse.read(_PUBLISHED).row(0, named=True)
    console.print(
        f"{found['papers']:,} papers in {escape(str(file))}, {found['pdfs']:,} of them from PDFs: "
        + ", ".join(f"{found[name] or 0:,} {name}" for name in ("pages", "tables", "figures", "equations"))
        + ".",
        highlight=False,
        soft_wrap=True,
    )
    rejected = warehouse.read(_REJECTED).rows()
    for name, reason, detail in rejected[:_SHOWN]:
        errors.print(f"  {escape(name)}: {reason} {escape(detail or '')}".rstrip(), highlight=False)
    if len(rejected) > _SHOWN:
        errors.print(f"  and {len(rejected) - _SHOWN:,} more files in airqa.papers", highlight=False)


def _kept(home: Home) -> str:
    """Have later runs keep the store, which a run withdraws where the setting is false; says how."""
    said = settings_file()
    if os.environ.get(_VARIABLE) or "store" in said.of("airqa"):
        return f"`aimsciqa run` withdraws the store where {_VARIABLE} or the settings file says false."
    if "airqa" in said.sections or CONFIG in os.environ:
        return f"Set {_VARIABLE}=true, or store = true in [airqa]: else `aimsciqa run` withdraws the store."
    with (home.folder / FILE_NAME).open("a", encoding="utf-8") as file:
        file.write("\n[airqa]\nstore = true\n")
    return (
        f"{escape(str(home.folder / FILE_NAME))} says `store = true` now: `aimsciqa run` keeps it up to date."
    )
