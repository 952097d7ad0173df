"""`aimsciqa airqa run`: a baseline answers the examples of the home."""

from collections.abc import Collection
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from aimsciqa_assets.cli.airqa.score_tables import run_name, tell_scores
from aimsciqa_assets.cli.airqa.scores import scores_in
from aimsciqa_assets.cli.config import ConfigOption
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.tables.airqa_runs import BASELINES

if TYPE_CHECKING:
    import polars as pl

    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.settings import Settings

_OF_RUN = """
select status, reason, count(*)::int as answers, sum(turns)::int as turns,
    sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens, sum(cost) as cost
from airqa.answers where run_id = $run_id group by all order by status, reason
"""
_EXAMPLES = "select count(*) as examples from airqa.examples"
_NOT_RECORDED = "not_recorded"
_WITHOUT_SUMMARIES = (
    "select distinct baseline from airqa.runs where run_id in $runs and summaries = 0 order by 1"
)


def run_command(
    *,
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
    preview: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="ask nothing: show the first N requests of each task, how many there would be at most with "
            "all turns of agents, and what they would cost",
            min=0,
        ),
    ] = None,
) -> None:
    """Have baselines answer the examples of the home, over its paper store, with the model of airqa_model.

    Rules can answer for the first four baselines; the others need a language model, or recorded replies.
    Every reply is in the journal: what was answered before is not asked again.
    """
    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.platform.writing import create_tables
    from aimsciqa_assets.settings.airqa_runs import runs_of

    if unknown := [name for name in baseline or () if name not in BASELINES]:
        near = get_close_matches(unknown[0], BASELINES, n=1, cutoff=0.6)
        raise typer.BadParameter(
            f"there is no baseline {unknown[0]!r}"
            + (f": did you mean {near[0]}?" if near else f". Choose one of {', '.join(BASELINES)}"),
            param_hint="--baseline",
        )
    given: dict[str, Any] = {"repeats": repeats, "sample": sample}
    given["baselines"] = " ".join(baseline) if baseline else None
    chosen = {"airqa": {name: value for name, value in given.items() if value is not None}}
    pipeline = Pipeline.at(Home.from_environment(), preset, console, chosen=chosen)
    if not pipeline.settings.airqa.baselines:
        raise typer.BadParameter("name a baseline, or set AIMSCIQA_AIRQA_BASELINES", param_hint="--baseline")
    create_tables(pipeline.warehouse)
    if not pipeline.warehouse.read(_EXAMPLES)["examples"][0]:
        errors.print(
            "There is no example in this home: aimsciqa airqa examples FILE.jsonl takes some in.",
            highlight=False,
            soft_wrap=True,
        )
        raise typer.Exit(1)
    warn_of_families(pipeline.settings)
    if preview is not None:
        _preview(pipeline, preview)
        return
    failures = pipeline.answer_examples()
    for failure in failures:
        errors.print(f"[red]failed[/red] {escape(str(failure))}", highlight=False, soft_wrap=True)
    _tell(pipeline)
    tell_scores(scores_in(pipeline.warehouse, [*runs_of(pipeline.settings)]))
    if failures:
        raise typer.Exit(1)


def warn_of_families(settings: "Settings") -> None:
    """Say before anything is paid for that answers will get no verdict."""
    from aimsciqa_assets.cli.later_turns import may_not_judge
    from aimsciqa_assets.settings.airqa_runs import runs_of

    refused = {run.model.label for run in runs_of(settings).values() if may_not_judge(settings, run)}
    for model in sorted(refused):
        errors.print(
            escape(
                f"The judge {settings.judge_model.label} is of the family of {model}: answers that need a "
                "judge will not be counted. AIMSCIQA_JUDGE_MODEL_NAME names another judge, "
                "AIMSCIQA_BENCHMARK_SAME_FAMILY=true lets this one."
            ),
            highlight=False,
            soft_wrap=True,
        )


def _preview(pipeline: "Pipeline", shown: int) -> None:
    from aimsciqa_assets.airqa.store.publishing import STORE
    from aimsciqa_assets.airqa.store.searching import StoreSearchError
    from aimsciqa_assets.cli.foretelling import foretold_runs
    from aimsciqa_assets.cli.preview import print_asked

    pipeline.home.fetch(STORE)
    try:
        asked, later = foretold_runs(pipeline, shown)
    except StoreSearchError as error:
        errors.print(escape(str(error)), highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None
    print_asked(asked, later, shown, pipeline.warehouse)


def _tell(pipeline: "Pipeline") -> None:
    """What came of each run, and what to do about replies that are missing."""
    from aimsciqa_assets.settings.airqa_runs import runs_of

    table = Table(box=None, pad_edge=False)
    table.add_column("run", overflow="fold")
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
        name = run_name(run.baseline, run.model.label or "scripted", run.run_id)
        table.add_row(escape(name), *_figures(found))
    if table.row_count:
        console.print(table)
    for reason, count in sorted(reasons.items()):
        console.print(f"{count:,} failed: {escape(reason)}", highlight=False)
    _tell_summaries(pipeline, runs_of(pipeline.settings))
    if _NOT_RECORDED in reasons:
        console.print(
            "Replies are missing: aimsciqa record requests FILE writes what is asked next, where "
            f"AIMSCIQA_AIRQA_BASELINES names the baselines ({pipeline.settings.airqa.baselines}).",
            highlight=False,
            soft_wrap=True,
        )


def _tell_summaries(pipeline: "Pipeline", runs: Collection[str]) -> None:
    """Which baselines could have come upon summaries of the store, and found none."""
    found = pipeline.warehouse.read(_WITHOUT_SUMMARIES, {"runs": [*runs]})["baseline"].to_list()
    if found:
        console.print(
            f"The store has no summaries and no tldr for {', '.join(found)} to find: "
            "AIMSCIQA_AIRQA_SUMMARIES=true has a model write them.",
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
