"""`aimsciqa airqa check`: what is wrong with the examples of a file."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from aimsciqa_assets.cli.airqa.files import examples_in
from aimsciqa_assets.cli.terminal import console, errors, print_json
from aimsciqa_assets.platform.home import Home

if TYPE_CHECKING:
    from aimsciqa_assets.airqa.examples.checks import Problem
    from aimsciqa_assets.airqa.examples.example import Example


def check_command(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="examples, one a line (JSONL)")],
    *,
    database: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="the paper store to compare with; by default that of AIMSCIQA_HOME, where there is one",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="print each problem as a JSON object, one a line")
    ] = False,
) -> None:
    """Tell what is wrong with examples: fields, tags, papers, and evaluators that do not do what they should.

    Papers and conferences that the paper store lacks are told, too. Exits with 1 where anything is wrong.
    """
    from aimsciqa_assets.airqa.examples.checks import problems_of
    from aimsciqa_assets.airqa.store.publishing import STORE, papers_file

    examples, bad = examples_in(file)
    home = Home.from_environment()
    if not database:
        home.fetch(STORE)
    store = database or papers_file(home.folder)
    papers = _papers_in(store)
    problems = [*problems_of(examples), *_lacking(examples, papers)]
    for problem in problems:
        if as_json:
            print_json(asdict(problem))
        else:
            told = escape(f"{problem.uuid}  {problem.rule}: {problem.told}")
            console.print(told, highlight=False, soft_wrap=True)
    if not as_json:
        faulty = len({problem.uuid for problem in problems})
        console.print(f"{len(examples):,} examples, {faulty:,} with problems", highlight=False)
        for rule, times in Counter(problem.rule for problem in problems).most_common():
            console.print(f"  {rule}: {times:,}", highlight=False)
        _tell_store(store, papers, examples)
    if problems or bad:
        raise typer.Exit(1)


def _papers_in(store: Path) -> dict[str, str] | None:
    """The conferences of the store's papers, by their ids; None without a store."""
    from aimsciqa_resources.warehouse import WarehouseBrokenError
    from aimsciqa_resources.warehouse.paper_texts import paper_conferences

    if not store.is_file():
        return None
    try:
        return paper_conferences(store)
    except WarehouseBrokenError as error:
        errors.print(escape(str(error)), soft_wrap=True, highlight=False)
        raise typer.Exit(1) from None


def _lacking(examples: "Sequence[Example]", papers: dict[str, str] | None) -> "list[Problem]":
    from aimsciqa_assets.airqa.examples.stored import problems_with_store

    return [] if papers is None else [*problems_with_store(examples, papers)]


def _tell_store(store: Path, papers: dict[str, str] | None, examples: "Sequence[Example]") -> None:
    """How much of what the examples are about the store has."""
    from aimsciqa_assets.airqa.examples.stored import coverage, papers_by_conference

    if papers is None:
        told = "Papers and conferences were not compared: there is no paper store at "
        console.print(
            f"{told}{escape(str(store))}. `aimsciqa airqa store FOLDER` makes it.",
            highlight=False,
            soft_wrap=True,
        )
        return
    told = f"In the paper store {escape(str(store))}, of {len(papers):,} papers:"
    console.print(told, highlight=False, soft_wrap=True)
    for one in coverage(examples, papers):
        console.print(f"  {one.field}: {one.stored:,} of {one.named:,}", highlight=False)
    for conference, count in papers_by_conference(examples, papers).items():
        papers_of_it = "1 paper" if count == 1 else f"{count:,} papers"
        console.print(f"    {escape(conference)}: {papers_of_it}", highlight=False)
