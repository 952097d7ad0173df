"""`aimsciqa findings`: the comparison table of a measure, and questions that users want covered."""

from pathlib import Path
from typing import Annotated, Final, Literal

import polars as pl
import typer
from rich.markup import escape

from aimsciqa_assets.cli.config import ConfigOption, PresetOption
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home

findings_app = typer.Typer(
    no_args_is_help=True,
    help="Findings: compare what papers report of a measure; ask for questions that matter to you.",
)
_LONGEST_SEED: Final = 500


@findings_app.command("table")
def table_command(
    *,
    measure: Annotated[str, typer.Option("--measure", help="a measure, or a part of its name: 'grain zinc'")],
    format: Annotated[
        Literal["table", "csv", "json"], typer.Option("--format", help="how to print the rows")
    ] = "table",
    config: ConfigOption = None,
) -> None:
    """Show what papers report of a measure: value, unit, spread, count, conditions and quote.

    If no measure is called so, the table shows those that are most like it.
    """
    from aimsciqa_resources.encoder import SentenceEncoder

    from aimsciqa_assets.cli.printed_rows import print_rows
    from aimsciqa_assets.findings.comparison import comparison_of
    from aimsciqa_assets.platform.writing import adopt_tables
    from aimsciqa_assets.settings import Settings

    settings = Settings.of_environment(asking=False)
    warehouse = Home.from_environment().warehouse
    adopt_tables(warehouse)
    chosen = settings.encoder
    compared = comparison_of(
        measure,
        warehouse,
        lambda: SentenceEncoder(chosen.model, chosen.revision, chosen.precision),
        settings.findings.measure_similarity,
    )
    if not compared.rows.is_empty():
        if compared.nearest:
            shown = "; ".join(compared.rows["measure"].unique(maintain_order=True))
            errors.print(f"No measure is called {escape(measure)}. Most like it: {escape(shown)}.")
        print_rows(compared.rows, format, console)
        return
    if not compared.known:
        errors.print(
            "No paper was read yet. Next: [bold]aimsciqa run[/bold]",
            highlight=False,
        )
        raise typer.Exit(1)
    near = f" The nearest: {'; '.join(compared.nearest)}." if compared.nearest else ""
    told = f"None of the {compared.known:,} measures is like {measure}.{near}"
    errors.print(escape(told), highlight=False, soft_wrap=True)
    raise typer.Exit(1)


@findings_app.command("ask")
def ask_command(
    file: Annotated[
        Path,
        typer.Argument(
            help="a text file with a question in each line; lines that begin with # do not count",
            exists=True,
            dir_okay=False,
        ),
    ],
    *,
    preset: PresetOption = None,
    config: ConfigOption = None,
) -> None:
    """Keep questions that you want covered; the next run drafts for the groups that fit them best.

    What is drafted for them passes the same trials as other drafts. A question that is known already stays
    as it is. `aimsciqa sql "select seed, question from findings.drafts where seed is not null"` shows drafts.
    """
    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.cli.printed_rows import print_table
    from aimsciqa_assets.findings.inputs import shown_groups
    from aimsciqa_assets.findings.seeds import groups_for, take_seeds
    from aimsciqa_assets.platform.steps import STEPS, StepRun

    questions = _questions(file)
    pipeline = Pipeline.at(Home.from_environment(), preset, console, asking=False)
    batches = pipeline.batches()
    new = take_seeds(questions, pipeline.warehouse)
    console.print(f"{new:,} new questions, {len(questions) - new:,} known already.")
    matching = dict.fromkeys(questions, 0)
    for batch in batches:
        run = StepRun.of(STEPS["findings.drafts"], batch, pipeline.resources)
        groups = [group for _, group in shown_groups(run)[0]]
        for question, fitting in groups_for(questions, groups, run.encoder).items():
            matching[question] += len(fitting)
    rows = {"question": list(matching), "groups that fit": list(matching.values())}
    print_table(pl.DataFrame(rows), console)
    if not pipeline.settings.makes_findings:
        console.print(
            "Findings is off: name it in AIMSCIQA_SYSTEMS, and set a language model (docs/models.md)."
        )
    console.print("Next: [bold]aimsciqa run[/bold] drafts for these groups, and tries the drafts.")


def _questions(file: Path) -> list[str]:
    """Return the questions of a file, each once. Raises `typer.BadParameter`."""
    from aimsciqa.files import NotUtf8Error, read_lines, text_of

    questions = list[str]()
    for number, line in read_lines(file):
        try:
            question = " ".join(text_of(line).split())
        except NotUtf8Error as error:
            raise typer.BadParameter(f"{file}, line {number:,}: {error}. Save the file as UTF-8.") from None
        if len(question) > _LONGEST_SEED:
            raise typer.BadParameter(
                f"{file}, line {number:,} has {len(question):,} characters; a question has at most "
                f"{_LONGEST_SEED}."
            )
        if question and not question.startswith("#"):
            questions.append(question)
    if not questions:
        raise typer.BadParameter(f"{file} has no question.")
    return list(dict.fromkeys(questions))
