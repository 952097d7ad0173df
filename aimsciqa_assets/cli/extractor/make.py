"""`aimsciqa extractor make`: examples from the paper store, and an actor's trajectories on them."""

import sys
from collections.abc import Sequence
from contextlib import closing
from math import ceil
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.markup import escape
from rich.table import Table

from aimsciqa_assets.cli.config import ConfigOption
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home

if TYPE_CHECKING:
    from aimsciqa_assets.cli.extractor.foretelling import Foretold
    from aimsciqa_assets.cli.pipeline import Pipeline

_QUOTAS: Final = """
select kind, nullif(element, 'all') as element, nullif(evaluator, 'all') as evaluator,
    wanted, tries, accepted, merged, missing, why
from extractor.quotas order by kind = 'all', kind, element, evaluator
"""
_REASONS: Final = """
select rejection_reason as reason, count(*)::int as tries from extractor.examples
where status = 'rejected' group by all order by tries desc, reason
"""
_TRAJECTORIES: Final = """
select kind, count(*)::int as trajectories, count(*) filter (status = 'accepted')::int as kept,
    sum(turns)::int as turns, sum(wrong_actions)::int as wrong, sum(score)::int as correct,
    sum(alone_score)::int as alone
from extractor.trajectories group by all order by kind
"""
_WHY: Final = {
    "no_seeds": "the store has no more",
    "no_tries": "the tries are used up",
    "no_singles": "too few singles",
    "no_reply": "replies are still to come",
}
_ASK_ABOVE: Final = 1000


def make_command(
    examples: Annotated[
        int | None, typer.Option(help="so many examples, of all kinds together; default: as set", min=1)
    ] = None,
    *,
    preview: Annotated[
        bool, typer.Option("--preview", help="only tell what would be made, asked and paid, about")
    ] = False,
    ask_above: Annotated[
        int, typer.Option(help="at a terminal, ask before more requests than these", min=0)
    ] = _ASK_ABOVE,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="do not ask")] = False,
    preset: Annotated[str | None, typer.Option(metavar="NAME", help="as for `aimsciqa run`")] = None,
    config: ConfigOption = None,
) -> None:
    """Have models make examples from the paper store, and trajectories on them.

    An explorer asks, a tracker chooses the evaluator, an actor answers with the actions of AirQA's agents.
    Every reply is in the journal: the same command goes on where it was stopped.
    """
    from aimsciqa_assets.cli.pipeline import Pipeline

    chosen = {"extractor": {"examples": examples}} if examples else None
    pipeline = Pipeline.at(Home.from_environment(), preset, console, chosen=chosen)
    if not pipeline.settings.extractor.examples:
        raise typer.BadParameter("say how many, or set AIMSCIQA_EXTRACTOR_EXAMPLES", param_hint="--examples")
    asked = _foretold(pipeline)
    requests = sum(one.to_send for one in asked)
    if preview:
        console.print("Nobody was asked, and nothing was written.", style="dim", highlight=False)
        return
    if requests > ask_above and not yes and sys.stdin.isatty():
        typer.confirm(f"About {requests:,} requests. Go on?", abort=True)
    failures = pipeline.make_examples()
    for failure in failures:
        errors.print(f"[red]failed[/red] {escape(str(failure))}", highlight=False, soft_wrap=True)
    _tell(pipeline)
    if failures:
        errors.print("What was finished is kept. The same command goes on from there.")
        raise typer.Exit(1)


def _foretold(pipeline: "Pipeline") -> list["Foretold"]:
    """Tell what would be asked, about; ends with 1 without a store."""
    from aimsciqa_resources.warehouse.store_elements import StoreElements

    from aimsciqa_assets.airqa.extractor.making import Making
    from aimsciqa_assets.airqa.store.publishing import STORE, papers_file
    from aimsciqa_assets.cli.costs import cost
    from aimsciqa_assets.cli.extractor.foretelling import foretold, minutes_of

    pipeline.home.fetch(STORE)
    store = papers_file(pipeline.home.folder)
    if not store.is_file():
        errors.print(
            f"There is no paper store at {escape(str(store))}: aimsciqa airqa store FOLDER makes one.",
            highlight=False,
            soft_wrap=True,
        )
        raise typer.Exit(1)
    pipeline.batches()
    with closing(StoreElements(store)) as elements:
        making = Making(pipeline.settings.extractor, elements, {}, {})
        asked = foretold(making, pipeline.settings, pipeline.warehouse)
    rows = [
        (
            one.task,
            one.model.label,
            f"{one.to_send:,}",
            f"{one.prompt_tokens:,}",
            f"{one.reply_tokens:,}",
            str(cost(one, one.reply_tokens)),
        )
        for one in asked
    ]
    _print(("task", "model", "requests", "tokens in", "tokens out", "cost"), rows, texts=2)
    minutes = minutes_of(asked)
    told = "how long is not known yet" if minutes is None else f"about {ceil(minutes):,} min"
    console.print(
        f"An estimate, {told}. What the journal holds is not asked again; verdicts of judges come on top.",
        style="dim",
        highlight=False,
    )
    return asked


def _tell(pipeline: "Pipeline") -> None:
    """What was made, why tries gave no example, and how the actor did."""
    read = pipeline.warehouse.read
    quotas = list(read(_QUOTAS).iter_rows(named=True))
    named = ["kind", "element", *(["evaluator"] if any(row["evaluator"] for row in quotas) else [])]
    counted = {
        "wanted": "wanted",
        "tries": "tries",
        "accepted": "made",
        "merged": "merged",
        "missing": "missing",
    }
    rows = [
        [
            *(row[name] or "" for name in named),
            *(f"{row[name]:,}" for name in counted),
            _WHY.get(row["why"] or "", ""),
        ]
        for row in quotas
    ]
    _print([*named, *counted.values(), ""], rows, texts=len(named))
    if reasons := read(_REASONS).rows():
        _print(("no example, because", "tries"), [(reason, f"{tries:,}") for reason, tries in reasons])
    if acted := read(_TRAJECTORIES).rows():
        names = ("kind", "trajectories", "kept", "turns", "wrong actions", "correct", "correct alone")
        _print(names, [(row[0], *(f"{one or 0:,}" for one in row[1:])) for row in acted])
    console.print('Every try: aimsciqa sql "from extractor.examples"', highlight=False)


def _print(columns: Sequence[str], rows: Sequence[Sequence[Any]], texts: int = 1) -> None:
    """A table; the first columns are texts, the others numbers."""
    table = Table(box=None, pad_edge=False)
    for place, name in enumerate(columns):
        numbers = place >= texts and bool(name)
        table.add_column(name, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(escape(str(cell)) for cell in row))
    console.print(table)
    console.print()
