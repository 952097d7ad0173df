"""`aimsciqa airqa check`: what is wrong with the examples of a file."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from aimsciqa_assets.cli.airqa.files import examples_in
from aimsciqa_assets.cli.terminal import console


def check_command(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="examples, one a line (JSONL)")],
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="print each problem as a JSON object, one a line")
    ] = False,
) -> None:
    """Tell what is wrong with examples: fields, tags, papers, and evaluators that do not do what they should.

    Exits with 1 where anything is wrong.
    """
    from aimsciqa_assets.airqa.examples.checks import problems_of

    examples, bad = examples_in(file)
    problems = problems_of(examples)
    for problem in problems:
        if as_json:
            print(json.dumps(asdict(problem), ensure_ascii=False))  # noqa: T201
        else:
            told = escape(f"{problem.uuid}  {problem.rule}: {problem.told}")
            console.print(told, highlight=False, soft_wrap=True)
    if not as_json:
        faulty = len({problem.uuid for problem in problems})
        console.print(f"{len(examples):,} examples, {faulty:,} with problems", highlight=False)
        for rule, times in Counter(problem.rule for problem in problems).most_common():
            console.print(f"  {rule}: {times:,}", highlight=False)
    if problems or bad:
        raise typer.Exit(1)
