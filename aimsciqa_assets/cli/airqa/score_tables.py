"""The tables of scores on the terminal, 80 columns wide: runs by number and short name, and in pairs."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from aimsciqa_assets.cli.terminal import console

Row = Mapping[str, Any]

_HASH = 6
"""Hex digits of a run's hash that tell runs apart on the screen."""


def run_name(baseline: str, model: str, run_id: str) -> str:
    """A run in short: baseline, model without vendor and address, the beginning of its hash."""
    short = model.partition("@")[0].rpartition("/")[2]
    return f"{baseline} {short} {run_id.rpartition('-')[2][:_HASH]}"


def tell_scores(scores: Sequence[Row], *, tags: bool = False) -> None:
    """Print a table of the scores of all examples, and of each tag where asked; what an answer took."""
    chosen = [row for row in scores if tags or row["family"] == "total"]
    totals = [row for row in scores if row["family"] == "total"]
    numbers = numbered(totals)
    for tag in dict.fromkeys(row["tag"] for row in chosen):
        of_tag = [row for row in chosen if row["tag"] == tag]
        if tag != "total":
            console.print(escape(f"\n{tag}"), highlight=False)
        console.print(_table(of_tag, numbers, _figures))
    for line in _differences(totals, numbers):
        console.print(escape(line), highlight=False)
    if totals:
        console.print("\nAn answer took, on average:")
        console.print(_table(totals, numbers, _spent, named=False))
        _tell_reservations(totals)


def tell_pairs(pairs: Sequence[Row], scores: Sequence[Row]) -> None:
    """Print the runs in pairs, by the numbers that `tell_scores` gives them."""
    if not pairs:
        return
    numbers = numbered([row for row in scores if row["family"] == "total"])
    table = Table(box=None, pad_edge=False)
    for name in ("pair", "n", "better", "worse", "difference", "95 %", "p"):
        table.add_column(name, justify="left" if name == "pair" else "right", no_wrap=True)
    for row in pairs:
        adjusted = "-" if row["p_adjusted"] is None else f"{row['p_adjusted']:.3f}"
        counts = (f"{row[name]:,}" for name in ("examples", "better", "worse"))
        named = f"{numbers[row['run_id']]} - {numbers[row['other']]}"
        ends = "-" if row["low"] is None else f"{row['low']:+.1%} to {row['high']:+.1%}"
        table.add_row(named, *counts, f"{row['difference']:+.1%}", ends, adjusted)
    console.print(
        "\nThe runs in pairs, by their numbers, on the n examples that both answered; p is adjusted by Holm "
        "over all pairs:",
        highlight=False,
    )
    console.print(table)


def numbered(totals: Sequence[Row]) -> dict[str, int]:
    """The numbers of runs on the screen, in the order of their rows."""
    return {row["run_id"]: number for number, row in enumerate(totals, 1)}


def _table(
    rows: Sequence[Row],
    numbers: Mapping[str, int],
    figures: Callable[[Row], dict[str, str]],
    *,
    named: bool = True,
) -> Table:
    """A line for each run. What no run has, repeats or a price, has no column."""
    lines = [figures(row) for row in rows]
    told = [name for name in lines[0] if any(line[name] != "-" for line in lines)]
    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right", no_wrap=True)
    if named:
        table.add_column("run", overflow="fold")
    for name in told:
        table.add_column(name, justify="right", no_wrap=True)
    for row, line in zip(rows, lines, strict=True):
        names = [escape(run_name(row["baseline"], row["model"], row["run_id"]))] if named else []
        table.add_row(str(numbers[row["run_id"]]), *names, *(line[name] for name in told))
    return table


def _differences(totals: Sequence[Row], numbers: Mapping[str, int]) -> Iterator[str]:
    """By which settings runs of the same baseline and model differ: their names tell nothing of it."""
    alike: dict[tuple[str, str], dict[int, dict[str, Any]]] = {}
    for row in totals:
        chosen = json.loads(row["settings"]) | ({"sampling": row["sampling"]} if row["sampling"] else {})
        alike.setdefault((row["baseline"], row["model"]), {})[numbers[row["run_id"]]] = chosen
    for runs in alike.values():
        names = dict.fromkeys(name for chosen in runs.values() for name in chosen)
        differing = [name for name in names if len({repr(one.get(name)) for one in runs.values()}) > 1]
        for number, chosen in runs.items() if differing else ():
            told = ", ".join(f"{name} {chosen.get(name, '-')}" for name in differing)
            yield f"{number}: {told}"


def _figures(row: Row) -> dict[str, str]:
    """The figures of a run by the heads of their columns."""
    passes = row["pass_k"]
    repeated = row["answers"] != row["count"]
    return {
        "n": f"{row['count']:,}" if repeated else "-",
        "correct": f"{row['correct']:,} of {row['answers']:,}",
        "judged": f"{row['judged']:,}{'*' if row['stand_in'] else ''}" if row["judged"] else "-",
        "score": f"{row['score']:.1%}",
        "95 %": "-" if row["low"] is None else f"{row['low']:.1%} to {row['high']:.1%}",
        "pass^k": f"{passes[-1]:.1%} (k={len(passes)})" if len(passes) > 1 else "-",
    }


def _spent(row: Row) -> dict[str, str]:
    return {
        "turns": f"{row['turns']:.1f}",
        "tokens": f"{row['tokens']:,.0f}" if row["tokens"] else "-",
        "seconds": f"{row['seconds']:.1f}",
        "cost": "-" if row["cost"] is None else f"{row['cost']:.4f}",
        "wrong actions": "-" if row["error_action_rate"] is None else f"{row['error_action_rate']:.1%}",
    }


def _way(row: Row) -> str:
    """How the interval of a score was found."""
    if row["low"] is None:
        return "no interval where all examples are about one paper"
    clusters = row["clusters"] or row["count"]
    over = "examples" if clusters == row["count"] else f"{clusters:,} groups of examples about the same paper"
    if row["correct"] in {0, row["answers"]} or row["answers"] == clusters:
        return f"Wilson's interval over the {over}"
    several = ", each answered several times" if row["answers"] != row["count"] else ""
    return f"bootstrap over the {over}{several}"


def _tell_reservations(totals: Sequence[Row]) -> None:
    """What the figures rest on, and what they do not say."""
    told = [f"95 %: {'; '.join(dict.fromkeys(map(_way, totals)))}."]
    if len({row["count"] for row in totals}) > 1:
        told.append("The runs answered different numbers of examples: only pairs compare them on the same.")
    if stand_in := sum(row["stand_in"] for row in totals):
        told.append(
            f"* {stand_in:,} verdicts are those of a stand-in that counts shared words: they are no "
            "measurement, and the scores rest on them. AIMSCIQA_JUDGE_MODEL_NAME names a judge."
        )
    if refused := sum(row["refused"] for row in totals):
        told.append(
            f"Answers that are not counted, as the judge is of their model's family: {refused:,}. "
            "AIMSCIQA_JUDGE_MODEL_NAME names another judge."
        )
    if failed := sum(row["failed"] for row in totals):
        told.append(f"Answers that were not given, and count as wrong: {failed:,}")
    for line in told:
        console.print(line, highlight=False)
