"""`aimsciqa airqa convert`: examples of other benchmarks' questions."""

import csv
import io
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape

from aimsciqa.files import json_of, read_lines, read_text
from aimsciqa_assets.cli.terminal import console, tell_not_taken

if TYPE_CHECKING:
    from aimsciqa_assets.airqa.examples.example import Example

_Source = Literal["scidqa", "m3sciqa", "litsearch"]


def convert_command(
    source: Annotated[_Source, typer.Argument(help="the benchmark that the questions come from")],
    rows: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="its questions: .jsonl, or .csv with a header")
    ],
    output: Annotated[Path, typer.Argument(help="the file of examples to write; it must not exist")],
    *,
    papers: Annotated[
        Path,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="JSON object: UUID by the benchmark's id of a paper; "
            "for litsearch an object with title and conference (acl2023)",
        ),
    ],
) -> None:
    """Make examples of the questions of SciDQA, M3SciQA, or LitSearch (those that authors wrote)."""
    from aimsciqa_assets.airqa.examples.conversions import converted
    from aimsciqa_assets.airqa.examples.files import write_examples

    if output.exists():
        raise typer.BadParameter(f"{escape(str(output))} exists already", param_hint="OUTPUT")
    try:
        read, known = _rows(rows), json_of(read_text(papers))
        convert = _converter(source, known)
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise typer.BadParameter(f"a file is not as described in --help: {escape(str(error))}") from error
    examples, left = converted(read, convert)
    write_examples(output, examples)
    console.print(f"{len(examples):,} examples in {escape(str(output))}", highlight=False, soft_wrap=True)
    told = [f"row {number}: {reason}" for number, reason in left]
    tell_not_taken(told, len(left), "rows did not become examples.")


def _rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".csv":
        return list(csv.DictReader(io.StringIO(read_text(path), newline="")))
    return [json_of(line) for _, line in read_lines(path)]


def _converter(source: _Source, papers: Mapping[str, Any]) -> "Callable[[Mapping[str, Any]], Example]":
    from aimsciqa_assets.airqa.examples import conversions

    if source == "scidqa":
        return partial(conversions.of_scidqa, papers=papers)
    if source == "m3sciqa":
        return partial(conversions.of_m3sciqa, papers=papers)
    known = {key: conversions.Paper(one["title"], one["conference"]) for key, one in papers.items()}
    return partial(conversions.of_litsearch, papers=known)
