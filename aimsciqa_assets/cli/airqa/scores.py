"""`aimsciqa airqa scores`: the scores of the runs of this home, by tag, and the runs in pairs."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home

if TYPE_CHECKING:
    from aimsciqa_resources.warehouse import Warehouse

Row = dict[str, Any]


def scores_command(
    *,
    tags: Annotated[bool, typer.Option("--tags", help="a table for each tag, too")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="print scores and comparisons of all tags as one JSON object")
    ] = False,
) -> None:
    """Print the scores of the runs: correct answers, 95 % interval, pass^k, and what an answer took.

    `aimsciqa airqa run` and `aimsciqa run` make them.
    """
    from aimsciqa_resources.warehouse import Warehouse

    from aimsciqa_assets.platform.writing import adopt_tables

    warehouse = Warehouse(database=str(Home.from_environment().database))
    adopt_tables(warehouse)
    scores, compared = scores_in(warehouse), _asked(warehouse, "airqa_comparisons")
    if as_json:
        told = {"scores": scores, "comparisons": compared}
        print(json.dumps(told, ensure_ascii=False))  # noqa: T201
        return
    if not scores:
        errors.print("There is no score yet: aimsciqa airqa run --baseline NAME makes one.")
        raise typer.Exit(1)
    tell_scores(scores, tags=tags)
    _tell_pairs([row for row in compared if row["family"] == "total"])


def scores_in(warehouse: "Warehouse", runs: Sequence[str] | None = None) -> list[Row]:
    """The scores of all runs, or of these; those of all examples first, and of these the best first."""
    rows = _asked(warehouse, "airqa_scores")
    return [row for row in rows if runs is None or row["run_id"] in runs]


def tell_scores(scores: Sequence[Row], *, tags: bool = False) -> None:
    """Print a table of the scores of all examples, and of each tag where asked."""
    chosen = [row for row in scores if tags or row["family"] == "total"]
    for tag in dict.fromkeys(row["tag"] for row in chosen):
        of_tag = [row for row in chosen if row["tag"] == tag]
        figures = [_figures(row) for row in of_tag]
        if tag != "total":
            console.print(escape(f"\n{tag}"), highlight=False)
        table = Table(box=None, pad_edge=False)
        table.add_column("run", overflow="fold")
        # What no run has, repeats or a price, has no column.
        told = [name for name in figures[0] if any(one[name] != "-" for one in figures)]
        for name in told:
            table.add_column(name, justify="right", no_wrap=True)
        for row, one in zip(of_tag, figures, strict=True):
            table.add_row(escape(row["run_id"]), *(one[name] for name in told))
        console.print(table)
    totals = [row for row in chosen if row["family"] == "total"]
    if stand_in := sum(row["stand_in"] for row in totals):
        console.print(
            f"Verdicts of a stand-in that counts shared words, which are no measurement: {stand_in:,}. "
            "AIMSCIQA_JUDGE_MODEL_NAME names a judge.",
            highlight=False,
        )
    if failed := sum(row["failed"] for row in totals):
        console.print(f"Answers that were not given, and count as wrong: {failed:,}", highlight=False)


def _tell_pairs(rows: Sequence[Row]) -> None:
    if not rows:
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("in pairs", overflow="fold")
    for name in ("difference", "95 %", "p adjusted"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        adjusted = "-" if row["p_adjusted"] is None else f"{row['p_adjusted']:.3f}"
        named = escape(f"{row['run_id']} - {row['other']}")
        table.add_row(named, f"{row['difference']:+.1%}", _interval(row, "+.1%"), adjusted)
    console.print(table)


def _figures(row: Row) -> dict[str, str]:
    """The figures of a run by the heads of their columns."""
    passes = row["pass_k"]
    return {
        "correct": f"{row['correct']:,} of {row['answers']:,}",
        "score": f"{row['score']:.1%}",
        "95 %": _interval(row, ".1%"),
        "pass^k": f"{passes[-1]:.1%} (k = {len(passes)})" if len(passes) > 1 else "-",
        "turns": f"{row['turns']:.1f}",
        "tokens": f"{row['tokens']:,.0f}",
        "cost": "-" if row["cost"] is None else f"{row['cost']:.4f}",
    }


def _interval(row: Row, form: str) -> str:
    return "-" if row["low"] is None else f"{row['low']:{form}} to {row['high']:{form}}"


def _asked(warehouse: "Warehouse", name: str) -> list[Row]:
    from aimsciqa_assets.platform.queries import query_of

    return warehouse.read(query_of(f"report.{name}").text).to_dicts()
