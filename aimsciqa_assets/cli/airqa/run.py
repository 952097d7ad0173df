"""`aimsciqa airqa run`: a baseline answers the examples of the home."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from aimsciqa_assets.cli.airqa.scores import scores_in, tell_scores
from aimsciqa_assets.cli.config import ConfigOption
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.tables.airqa_runs import BASELINES

if TYPE_CHECKING:
    import polars as pl

    from aimsciqa_assets.cli.pipeline import Pipeline

_OF_RUN = """
select status, reason, count(*)::int as answers, sum(turns)::int as turns,
    sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens, sum(cost) as cost
from airqa.answers where run_id = $run_id group by all order by status, reason
"""
_NOT_RECORDED = "not_recorded"


def run_command(
    baseline: Annotated[
        list[str] | None,
        typer.Option(
            help=f"the baseline: {', '.join(BASELINES)}; may be given several times; default: those of the "
            "settings"
        ),
    ] = None,
    repeats: Annotated[
        int | None, typer.Option(help="how often each example is answered, each time anew", min=1, max=1000)
    ] = None,
    sample: Annotated[
        int | None, typer.Option(help="so many examples, drawn by airqa.seed; 0: all", min=0)
    ] = None,
    preset: Annotated[str | None, typer.Option(metavar="NAME", help="as for `aimsciqa run`")] = None,
    config: ConfigOption = None,
) -> None:
    """Have baselines answer the examples of the home, over its paper store, with the model of airqa_model.

    Rules can answer for the first four baselines; the others need a language model, or recorded replies.
    Every reply is in the journal: what was answered before is not asked again.
    """
    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.settings.airqa_runs import runs_of

    if unknown := [name for name in baseline or () if name not in BASELINES]:
        raise typer.BadParameter(
            f"{unknown[0]} is none: choose one of {', '.join(BASELINES)}", param_hint="--baseline"
        )
    given: dict[str, Any] = {"repeats": repeats, "sample": sample}
    given["baselines"] = " ".join(baseline) if baseline else None
    chosen = {"airqa": {name: value for name, value in given.items() if value is not None}}
    pipeline = Pipeline.at(Home.from_environment(), preset, console, chosen=chosen)
    if not pipeline.settings.airqa.baselines:
        raise typer.BadParameter("name a baseline, or set AIMSCIQA_AIRQA_BASELINES", param_hint="--baseline")
    failures = pipeline.answer_examples()
    for failure in failures:
        errors.print(f"[red]failed[/red] {escape(str(failure))}", highlight=False, soft_wrap=True)
    _tell(pipeline)
    tell_scores(scores_in(pipeline.warehouse, [*runs_of(pipeline.settings)]))
    if failures:
        raise typer.Exit(1)


def _tell(pipeline: "Pipeline") -> None:
    """What came of each run, and what to do about replies that are missing."""
    from aimsciqa_assets.settings.airqa_runs import runs_of

    table = Table(box=None, pad_edge=False)
    table.add_column("run", overflow="fold")
    table.add_column("model", overflow="fold")
    for name in ("answered", "out of turns", "failed", "turns", "input", "output", "cost"):
        table.add_column(name, justify="right")
    reasons: dict[str, int] = {}
    for run in runs_of(pipeline.settings).values():
        found = pipeline.warehouse.read(_OF_RUN, {"run_id": run.run_id})
        if found.is_empty():
            continue
        for reason, count in found.select("reason", "answers").iter_rows():
            if reason:
                reasons[reason] = reasons.get(reason, 0) + count
        table.add_row(run.run_id, escape(run.model.label or "extractive"), *_figures(found))
    if table.row_count:
        console.print(table)
    else:
        console.print("No example was answered: take some in with aimsciqa airqa examples FILE.jsonl.")
    for reason, count in sorted(reasons.items()):
        console.print(f"{count:,} failed: {escape(reason)}", highlight=False)
    if _NOT_RECORDED in reasons:
        console.print(
            "Replies are missing: aimsciqa record requests FILE writes what is asked next, where "
            f"AIMSCIQA_AIRQA_BASELINES names the baselines ({pipeline.settings.airqa.baselines}).",
            highlight=False,
            soft_wrap=True,
        )


def _figures(found: "pl.DataFrame") -> list[str]:
    answers = {
        status: sum(found.filter(status=status)["answers"])
        for status in ("answered", "out_of_turns", "failed")
    }
    costs = [cost for cost in found["cost"] if cost is not None]
    counts = [sum(found[name]) for name in ("turns", "input_tokens", "output_tokens")]
    return [*(f"{count:,}" for count in (*answers.values(), *counts)), f"{sum(costs):,.2f}" if costs else "-"]
