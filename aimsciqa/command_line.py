"""`aimsciqa evaluate`: the measures of a run or of answers on a release, from its files alone."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

import typer

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # "[platform]" would be taken for markup
)


def evaluate(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="release folder")],
    *,
    run: Annotated[
        Path | None, typer.Option("--run", help="rankings: a TREC run file, or JSON as ranx writes it")
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option("--answers", help='answers: JSON lines of {"item_id": "...", "answer": "..."}'),
    ] = None,
    bm25: Annotated[bool, typer.Option("--bm25", help="rank with the BM25 of this package")] = False,
    setting: Annotated[
        Literal["cluster", "full"],
        typer.Option(
            "--setting", help="which papers are ranked: those of the item's cluster, or all but its source"
        ),
    ] = "cluster",
    split: Annotated[
        Literal["dev", "test"] | None, typer.Option("--split", help="only this split; default: each")
    ] = None,
    variant: Annotated[
        str | None, typer.Option("--variant", help="only this variant, such as im or cim; default: each")
    ] = None,
    format: Annotated[Literal["table", "json"], typer.Option("--format", help="how to print")] = "table",
    output: Annotated[
        Path | None, typer.Option("--output", help="write the result into this file instead")
    ] = None,
) -> None:
    """Evaluate rankings or answers on a release, from its files alone."""
    from aimsciqa.evaluation import EvaluationError
    from aimsciqa.release import ReleaseFolderError, load

    if sum((run is not None, answers is not None, bm25)) != 1:
        raise typer.BadParameter("give one of --run, --answers and --bm25")
    try:
        release = load(folder)
        if answers is not None:
            found = release.evaluate_answers(answers, split, variant)
        elif run is not None:
            found = release.evaluate_retriever(run, setting, split, variant)
        else:
            from aimsciqa.retrieving import Bm25

            found = release.evaluate_retriever(Bm25(), setting, split, variant)
    except (EvaluationError, ReleaseFolderError) as error:
        typer.echo(_printable(f"Not evaluated: {error}"), err=True)
        raise typer.Exit(1) from None
    if not found.scores:
        asked = " and ".join(filter(None, (split and f"split {split}", variant and f"variant {variant}")))
        said = f"Not evaluated: {release.name} has no items{asked and f' of {asked}'} to evaluate."
        typer.echo(_printable(said), err=True)
        raise typer.Exit(1)
    for note in found.notes:
        typer.echo(_printable(f"Note: {note}."), err=True)
    text = found.as_json() if format == "json" else str(found)
    if output is None:
        typer.echo(_printable(text))
    else:
        output.write_text(f"{text}\n", encoding="utf-8")


def main() -> None:
    """Run the command of an environment that has the light package alone."""
    app()


@app.callback()
def only_the_light_package() -> None:
    """Evaluate on a release of a multi-hop benchmark.

    This is the light package. To make benchmarks, install `.[platform]` in a checkout.
    """


def platform_is_installed() -> bool:
    """Whether the packages are there that the platform needs."""
    return find_spec("dagster") is not None


def _printable(text: str) -> str:
    """The text without control characters, which a terminal would obey: ids and names come from files."""
    return "".join(character if character.isprintable() or character == "\n" else "?" for character in text)


app.command()(evaluate)
