"""`aimsciqa answers`: people answer the questions of the benchmark, as models do."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from aimsciqa_assets.cli.terminal import console, errors, tell_not_taken
from aimsciqa_assets.platform.home import Home

if TYPE_CHECKING:
    from aimsciqa_assets.settings import Settings

answers_app = typer.Typer(
    no_args_is_help=True,
    help="Let people answer the questions, and measure their answers like those of a model: human:NAME.",
)


@answers_app.command("sheet")
def answers_sheet(
    file: Annotated[
        Path,
        typer.Argument(
            help="a new file: .csv for a spreadsheet, with links to the papers; .jsonl with their texts",
            dir_okay=False,
        ),
    ],
    name: Annotated[str, typer.Option("--by", help="who answers, one word such as anna")],
    settings: Annotated[
        str, typer.Option(help="what the person may read, several by blanks: oracle, realistic, alone, ...")
    ] = "oracle",
    n: Annotated[
        int | None, typer.Option("--n", help="items of each kind; default: those that models answer", min=1)
    ] = None,
    preset: Annotated[str | None, typer.Option(help="a preset, as for `aimsciqa run`")] = None,
) -> None:
    """Write a sheet of questions with empty answers; the same for everybody."""
    from aimsciqa_assets.cli.answer_sheets import as_csv, as_jsonl, links_of, questions_for

    if file.suffix not in (".csv", ".jsonl"):
        raise typer.BadParameter("give a name that ends in .csv or .jsonl", param_hint="FILE")
    if file.exists():
        errors.print(f"{escape(str(file))} is there already, and may hold answers: give another name.")
        raise typer.Exit(1)
    sample = {} if n is None else {"answering_items": n}
    resources = _resources(_settings(preset, answering_settings=settings, **sample))
    questions = questions_for(_answerer(name), resources)
    if not questions:
        errors.print("There is no question in these settings yet: run [bold]aimsciqa run[/bold] first.")
        raise typer.Exit(1)
    content = (
        as_csv(questions, links_of(resources["warehouse"])) if file.suffix == ".csv" else as_jsonl(questions)
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    console.print(
        f"{len(questions):,} questions are in {escape(str(file))}.", highlight=False, soft_wrap=True
    )
    console.print(
        "Fill in the column answer (I cannot tell. is an answer too), then\n"
        f"[bold]aimsciqa answers import {escape(str(file))} --by {name}[/bold]",
        highlight=False,
        soft_wrap=True,
    )


@answers_app.command("import")
def answers_import(
    file: Annotated[Path, typer.Argument(help="a sheet with answers", exists=True, dir_okay=False)],
    name: Annotated[str, typer.Option("--by", help="who answered")],
    preset: Annotated[str | None, typer.Option(help="a preset, as for `aimsciqa run`")] = None,
) -> None:
    """Take in answers; another answer to the same question takes the place of the first."""
    from aimsciqa_resources.language_model.opening import LanguageModels

    from aimsciqa_assets.cli.answer_sheets import questions_for, take_answers
    from aimsciqa_assets.platform.shared_recordings import adding_recordings

    home = Home.from_environment()
    answerer = _answerer(name)
    settings = _settings(preset, answering_settings="", answering_items=0)
    questions = questions_for(answerer, _resources(settings))
    recordings = LanguageModels(home.journal, recordings=home.recordings).recordings(
        settings.named_model("answering", answerer)
    )
    with adding_recordings(home, recordings.path):
        returned = take_answers(file, answerer, questions, recordings)
    console.print(
        f"{returned.new:,} new answers, {returned.changed:,} changed, {returned.known:,} known already; "
        f"{returned.open:,} questions without an answer, which count in no mean.",
        soft_wrap=True,
    )
    if answerer not in settings.answerer_names:
        console.print(
            f"Next: add {answerer} to AIMSCIQA_BENCHMARK_ANSWERERS, then [bold]aimsciqa run[/bold]",
            highlight=False,
            soft_wrap=True,
        )
    else:
        console.print("Next: [bold]aimsciqa run[/bold]")
    tell_not_taken(
        returned.problems, len(returned.problems), "rows were not taken; the other answers of the file were."
    )


def _answerer(name: str) -> str:
    from aimsciqa_resources.language_model.recordings import NAME
    from aimsciqa_resources.language_model.settings import HUMAN

    if not NAME.fullmatch(name):
        raise typer.BadParameter("give one word of letters, digits and . + : / - _", param_hint="--by")
    return f"{HUMAN}{name.removeprefix(HUMAN)}"


def _settings(preset: str | None, **chosen: Any) -> "Settings":
    """The settings with others for the benchmark; nothing is measured here."""
    from aimsciqa_assets.settings import Settings, chosen_preset

    return Settings.preset_of(
        preset or chosen_preset(),  # type: ignore[arg-type]
        chosen={"benchmark": chosen | {"bert_score_model": "", "bleurt_folder": ""}},
    )


def _resources(settings: "Settings") -> dict[str, Any]:
    from aimsciqa_assets.cli.pipeline import resources_at
    from aimsciqa_assets.platform.writing import create_tables

    resources = resources_at(Home.from_environment(), settings)
    create_tables(resources["warehouse"])
    return resources
