"""`aimsciqa journal`: what the reply journal holds, its replies into a file and back, empty answers away."""

from pathlib import Path
from typing import Annotated

import typer
from aimsciqa_resources.language_model.journal_places import JournalPlace

from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home

journal_app = typer.Typer(
    invoke_without_command=True,
    help="Show, export, import and clean the reply journal: every reply of a language model, found again "
    "when the same is asked. AIMSCIQA_JOURNAL names its file, or postgres:...; by default it lies in "
    "AIMSCIQA_HOME, or beside the catalogue of a lake.",
)


@journal_app.callback()
def journal_summary(context: typer.Context) -> None:
    """Tell what the journal holds, unless something else is asked of it."""
    if context.invoked_subcommand is None:
        from aimsciqa_assets.cli.costs import prices_in
        from aimsciqa_assets.cli.summary import print_journal
        from aimsciqa_assets.settings import Settings

        print_journal(_journal(), prices_in(Settings.of_environment()), console)


@journal_app.command("export")
def journal_export(
    file: Annotated[Path, typer.Argument(help="JSON lines; gzipped when the name ends in .gz")],
) -> None:
    """Write all replies into a file, for others or for safe keeping."""
    from aimsciqa_resources.language_model.journal_exchange import export_journal

    journal = _journal()
    console.print(
        f"{export_journal(journal, file):,} replies of {journal} are now in {file}.", soft_wrap=True
    )


@journal_app.command("import")
def journal_import(
    file: Annotated[Path, typer.Argument(help="a file that `aimsciqa journal export` made", exists=True)],
) -> None:
    """Take in the replies of a file; those that are known stay as they are."""
    from aimsciqa_resources.language_model.journal_exchange import import_journal

    journal = Home.from_environment().journal
    imported = import_journal(journal, file)
    console.print(f"{imported.new:,} new replies, {imported.known:,} known already.")
    if imported.bad_lines:
        some = ", ".join(str(line) for line in imported.bad_lines[:10])
        errors.print(f"{len(imported.bad_lines):,} lines are no replies and were left out: {some}")
        raise typer.Exit(1)


@journal_app.command("forget")
def journal_forget(
    task: Annotated[str, typer.Option(help="the task, as `aimsciqa journal` names it: single_hop")],
    _empty: Annotated[
        bool, typer.Option("--empty", help="the answers without text; nothing else is removed")
    ],
) -> None:
    """Remove answers without text that an earlier version kept; the next run sends their requests again."""
    from aimsciqa_resources.language_model.journal_exchange import forget_empty

    journal = _journal()
    removed = forget_empty(journal, task)
    console.print(f"Removed {removed:,} answers to {task} from {journal}.", soft_wrap=True)


def _journal() -> JournalPlace:
    from aimsciqa_resources.language_model.journal import JournalError

    journal = Home.from_environment().journal
    if not journal.exists():
        raise JournalError(
            f"There is no reply journal at {journal} yet: the first reply of a model makes it."
        )
    return journal
