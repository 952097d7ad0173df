"""The commands of `aimsciqa` and their groups; the few that need no module of their own stand here."""

import os
import re
import sys
import traceback
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from aimsciqa_resources.variables import NO_SETTINGS, ours, refuse_unknown
from rich.markup import escape
from typer.core import TyperCommand

from aimsciqa.command_line import evaluate
from aimsciqa_assets.cli.airqa import airqa_app
from aimsciqa_assets.cli.answers import answers_app
from aimsciqa_assets.cli.audit import audit_app
from aimsciqa_assets.cli.baseline import baseline_command
from aimsciqa_assets.cli.browsing import items_command, show_command
from aimsciqa_assets.cli.config import ConfigOption, PresetOption, settings_command
from aimsciqa_assets.cli.doctor.command import doctor_command
from aimsciqa_assets.cli.extractor import extractor_app
from aimsciqa_assets.cli.hopweaver import hopweaver_app
from aimsciqa_assets.cli.ingesting import corpus_app, ids_command, ingest_command
from aimsciqa_assets.cli.journal import journal_app
from aimsciqa_assets.cli.metrics.command import metrics_command
from aimsciqa_assets.cli.prompts import prompts_app
from aimsciqa_assets.cli.record import record_app
from aimsciqa_assets.cli.release import release_app
from aimsciqa_assets.cli.report import report_command, review_app
from aimsciqa_assets.cli.reviews import reviews_app
from aimsciqa_assets.cli.servers import servers_command
from aimsciqa_assets.cli.shared import shared_app
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.cli.warehouse import maintain_command, warehouse_app
from aimsciqa_assets.cli.yields import yield_command
from aimsciqa_assets.findings.commands import findings_app
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.stages import STAGE_NAMES

if TYPE_CHECKING:
    from aimsciqa_resources.warehouse import Warehouse

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Turn scientific papers into multi-document, multi-hop questions (AIM-SciQA on Dagster and DuckDB). "
    "Everything lies in AIMSCIQA_HOME, by default ./data.",
)
app.add_typer(journal_app, name="journal")
app.add_typer(corpus_app, name="corpus")
app.add_typer(answers_app, name="answers")
app.add_typer(audit_app, name="audit")
app.add_typer(record_app, name="record")
app.add_typer(prompts_app, name="prompts")
app.add_typer(findings_app, name="findings")
app.add_typer(hopweaver_app, name="hopweaver")
app.add_typer(airqa_app, name="airqa")
app.add_typer(reviews_app, name="reviews")
app.add_typer(extractor_app, name="extractor")
app.add_typer(release_app, name="release")
app.add_typer(review_app, name="review")
app.add_typer(warehouse_app, name="warehouse")
app.add_typer(shared_app, name="shared")
_INTERRUPTED = 130

Format = Literal["table", "csv", "json"]


def _interruptible(command: Callable[..., None]) -> Callable[..., None]:
    """Ctrl-C ends a command with its own exit code, which `main` explains."""

    @wraps(command)
    def run_until_interrupted(*arguments: object, **options: object) -> None:
        try:
            command(*arguments, **options)
        except KeyboardInterrupt:
            raise typer.Exit(_INTERRUPTED) from None

    return run_until_interrupted


app.command("report")(report_command)
app.command()(_interruptible(evaluate))


def _print_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"aimsciqa {version('aimsciqa')}")  # noqa: T201
        raise typer.Exit


@app.callback()
def refuse_misspelt_settings(
    context: typer.Context,
    *,
    config: ConfigOption = None,
    version: Annotated[
        bool, typer.Option("--version", help="print the version", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Every command refuses a variable that is none of ours: it would be ignored otherwise.

    Only `doctor` goes on, and tells it among what else it finds.
    """
    if context.invoked_subcommand != "doctor" and set(ours(os.environ)) - NO_SETTINGS:
        from aimsciqa_assets.settings import variables

        refuse_unknown(os.environ, variables())


app.command("servers")(_interruptible(servers_command))
app.command("ingest")(_interruptible(ingest_command))
app.command("ids")(_interruptible(ids_command))


@app.command()
@_interruptible
def run(
    *,
    preset: PresetOption = None,
    config: ConfigOption = None,
    batch: Annotated[
        list[str] | None, typer.Option(help="only this paper batch; may be given several times")
    ] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="let finished batches look at papers ingested since")
    ] = False,
    at_once: Annotated[
        int, typer.Option(help="so many paper batches at once, each in a process of its own", min=1)
    ] = 1,
    evaluate: Annotated[
        bool,
        typer.Option(
            "--evaluate/--only-items", help="also benchmark, release and report; or only up to the items"
        ),
    ] = True,
    preview: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="make and ask nothing: show what would be made and why, the first N requests of each task "
            "(with the replies of the journal, or of the scripted model), and the cost",
            min=0,
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="no summary at the end")] = False,
) -> None:
    """Run the whole pipeline over all paper batches. What is done already is not done again."""
    if preview is not None:
        from aimsciqa_assets.cli.preview import preview as show_preview

        show_preview(preset, preview, batch, refresh=refresh, evaluate=evaluate)
        return
    from aimsciqa_assets.cli.running import run_all

    run_all(preset, batch, at_once, refresh=refresh, evaluate=evaluate, quiet=quiet)


@app.command()
def status(
    *,
    why: Annotated[
        bool, typer.Option("--why", help="also what `aimsciqa run` would make now, step by step, and why")
    ] = False,
    preset: PresetOption = None,
    config: ConfigOption = None,
) -> None:
    """Tell what is there per paper batch, and in which state: up to date, due or failed."""
    from aimsciqa_assets.cli.summary import print_status

    print_status(Home.from_environment(), preset, console, why=why)


app.command("baseline")(_interruptible(baseline_command))
app.command("items")(items_command)
app.command("show")(show_command)
app.command("yield")(yield_command)


class _SqlCommand(TyperCommand):
    """A command whose argument may begin with a comment of SQL, which looks like an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take what has a blank after two hyphens, or goes over several lines, for no option."""
        return super().parse_args(ctx, [f" {one}" if re.match(r"--(\s|.*\n)", one) else one for one in args])


@app.command(cls=_SqlCommand)
def sql(
    query: Annotated[str, typer.Argument(help="one SELECT; tables are schema.table")],
    format: Annotated[
        Format,
        typer.Option(
            "--format",
            help="how to print the rows; in csv an apostrophe stands before a text that a spreadsheet would "
            "run, json has every text as it is",
        ),
    ] = "table",
    seconds: Annotated[
        float, typer.Option("--seconds", help="the time of the query; then the command ends", min=0.1)
    ] = 3600.0,
) -> None:
    """Ask the warehouse a question in SQL; it cannot be changed that way."""
    from aimsciqa_assets.cli.deadline import within
    from aimsciqa_assets.cli.printed_rows import print_rows

    print_rows(within(seconds, lambda: _warehouse().ask(query)), format, console)


@app.command()
def inspect() -> None:
    """Publish `inspect.duckdb`, a copy of the warehouse for long SQL sessions that block no run."""
    home = Home.from_environment()
    home.publish_snapshot()
    console.print(f"{home.snapshot}\nOpen it with DuckDB: [bold]duckdb -readonly {home.snapshot}[/bold]")


@app.command()
def reset(
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
    stage: Annotated[
        str | None,
        typer.Option(
            "--from",
            help=f"only forget what this stage and later ones made: {', '.join(STAGE_NAMES)}",
        ),
    ] = None,
) -> None:
    """Delete the data in AIMSCIQA_HOME, or what was made from some stage on; report and releases with it.

    The reply journal, the recorded replies and the sheets of `aimsciqa audit` stay: what was paid for, or
    filled in by people, is not thrown away with what was made of it.
    """
    from aimsciqa_assets.cli.forgetting import files_made, forget_from, remove

    home = Home.from_environment()
    if stage is not None and stage not in STAGE_NAMES:
        raise typer.BadParameter(f"choose one of {', '.join(STAGE_NAMES)}", param_hint="--from")
    place = home.warehouse.place.name
    if stage is None and home.warehouse.is_lake:
        errors.print(
            f"The tables lie in {place}, which other machines share. To begin anew, drop this database, and "
            "remove what lies in AIMSCIQA_WAREHOUSE_DATA, in AIMSCIQA_SHARED and in each worker's folder; "
            "or give --from.",
            soft_wrap=True,
        )
        raise typer.Exit(1)
    what = f"everything from {stage} on in {place}" if stage else f"all data in {home.folder}"
    paths = files_made(home, stage)
    if not yes:
        for path in paths:
            _print_path(path)
        typer.confirm(f"Delete {what}{', and these' if stage and paths else ''}?", abort=True)
    if stage:
        with _warehouse().reading():
            pass  # tells what to do when there is no warehouse, and makes none
        for table in forget_from(_warehouse(), stage):
            console.print(f"  removed the rows of {table}", highlight=False)
    for path in paths:
        remove(path)
        _print_path(path, "removed ")
    console.print(f"Deleted {escape(what)}.", soft_wrap=True)
    for kept in (home.journal, home.recordings, home.folder / "audit"):
        if kept.exists():
            _print_path(kept, "kept ")


app.command("settings")(settings_command)
app.command("doctor")(_interruptible(doctor_command))
app.command("metrics")(_interruptible(metrics_command))
app.command("maintain")(_interruptible(maintain_command))


def main() -> None:
    """Run the command line; an error that a user can mend is told in one message, without a traceback."""
    try:
        code = _exit_code()
    except KeyboardInterrupt:
        code = _INTERRUPTED
    if code == _INTERRUPTED:
        errors.print("Interrupted. What was finished is kept; the same command goes on from there.")
    sys.stdout.flush()
    sys.stderr.flush()
    # Everything is written and closed by now. A regular exit would let DuckDB 2.0 print pages about leaks
    # in its Python binding.
    os._exit(code)


def _exit_code() -> int:
    os.environ.setdefault("DAGSTER_DISABLE_TELEMETRY", "1")
    try:
        app()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    except Exception as error:
        _print_error(error)
        return 1
    return 0


def _print_error(error: Exception) -> None:
    from aimsciqa_assets.cli.troubles import told_of

    if told := told_of(error, Home.from_environment()):
        first, _, rest = told.partition(":")
        errors.print(f"[red]{escape(first)}[/red]:{escape(rest)}", highlight=False, soft_wrap=True)
    else:
        trace = "".join(traceback.format_exception(error))
        errors.print(trace, highlight=False, markup=False, soft_wrap=True)


def _warehouse() -> "Warehouse":

    return Home.from_environment().warehouse


def _print_path(path: object, what: str = "") -> None:
    console.print(f"  {what}{escape(str(path))}", highlight=False, soft_wrap=True)
