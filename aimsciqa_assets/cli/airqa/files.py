"""Examples from a file that somebody named, with every line that could not be read told on the terminal."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.markup import escape

from aimsciqa_assets.cli.terminal import errors

if TYPE_CHECKING:
    from aimsciqa_assets.airqa.examples.example import Example
    from aimsciqa_assets.airqa.examples.files import BadLine


def examples_in(path: Path) -> "tuple[list[Example], list[BadLine]]":
    """The examples of a file; ends the command where there is none."""
    from aimsciqa_assets.airqa.examples.files import read_examples

    examples, bad = read_examples(path)
    tell_bad_lines(path, bad)
    if not examples:
        errors.print(
            f"{escape(str(path))} has no example. "
            "Each line is a JSON object with uuid, question and evaluator."
        )
        raise typer.Exit(1)
    return examples, bad


def tell_bad_lines(path: Path, bad: "Sequence[BadLine]") -> None:
    """Name the lines of a file that could not be read."""
    for one in bad:
        told = escape(f"{path}, line {one.line}: {one.reason}")
        errors.print(f"[red]not read[/red] {told}", highlight=False, soft_wrap=True)
