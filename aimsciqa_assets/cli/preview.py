"""`aimsciqa run --preview N`: what would be made and why, the first requests, and what they would cost."""

from collections.abc import Sequence
from typing import Any

import polars as pl
from aimsciqa_resources.language_model import ModelReply, ModelRequest
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.warehouse import Warehouse
from rich.markup import escape
from rich.text import Text

from aimsciqa_assets.cli.costs import cost, in_all, is_free, reply_tokens
from aimsciqa_assets.cli.foretelling import Asked, foretold
from aimsciqa_assets.cli.later_turns import Later
from aimsciqa_assets.cli.phases import STORE_STEPS, plan_of_a_run
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.cli.printed_rows import print_table
from aimsciqa_assets.cli.summary import print_why
from aimsciqa_assets.cli.terminal import console
from aimsciqa_assets.cli.watching import NO_REPLY_YET
from aimsciqa_assets.cli.why import Line, lines_of
from aimsciqa_assets.platform.home import Home

_LONGEST = 3000
_OF_NOW = (
    "known: the reply is there already, in the journal or among recordings, or the rules give it; the others "
    "would be sent. Tokens in (prompts) are estimated by their characters, tokens out by the replies so far."
)
_OF_LATER = (
    "What these ask depends on replies that are not there yet: as many relations as the settings allow, an "
    "accepted item of each, each answered in every setting and judged. For Findings the estimate has six "
    "drafts and three items for each paper. Requests that repair a reply are not counted. Tokens in are by "
    "the mean length of papers."
)
_AIRQA = "airqa_"
_UNKNOWN = "unknown"
_OF_TURNS = (
    "Of AirQA: agents take all their turns and see observations as long as they may be; most take a small "
    "part of that. Judges are asked about every answer that needs one. Pictures are not counted."
)


def preview(
    preset: str | None, shown: int, batches: Sequence[str] | None, *, refresh: bool, evaluate: bool
) -> None:
    """Print what `aimsciqa run` with these options would do. Nobody is asked, the home stays as it is."""
    pipeline = Pipeline.at(Home.from_environment(), preset, console, refresh=refresh)
    chosen = pipeline.batches(batches)
    lines = lines_of(plan_of_a_run(pipeline.resources, chosen, evaluate=evaluate))
    _print(pipeline, shown, lines, *foretold(pipeline, shown, chosen, evaluate=evaluate))


def preview_store(pipeline: Pipeline, shown: int) -> None:
    """Print what `aimsciqa airqa store` would do. Nobody is asked, the home stays as it is."""
    made = {step.writes[0] for step in STORE_STEPS}
    plan = lines_of(plan_of_a_run(pipeline.resources, pipeline.batches(), evaluate=False))
    lines = [line for line in plan if line.step in made]
    _print(pipeline, shown, lines, *foretold(pipeline, shown, evaluate=False, only=STORE_STEPS))


def _print(
    pipeline: Pipeline, shown: int, lines: Sequence[Line], asked: Sequence[Asked], later: Sequence[Later]
) -> None:
    console.rule("What would be made, and why")
    _print_plan(lines)
    print_asked(asked, later, shown, pipeline.warehouse)


def print_asked(asked: Sequence[Asked], later: Sequence[Later], shown: int, warehouse: Warehouse) -> None:
    """The first requests of each task, what would be asked now, and what later at most."""
    for one in asked if shown else []:
        label = one.model.label or one.model.backend
        console.rule(f"The first requests of {one.task} to {escape(label)}")
        for number, (request, reply) in enumerate(one.first, 1):
            console.print(_shown(number, request, reply, whole=number == 1))
    console.rule("What would be asked now")
    if asked:
        _print_requests(asked, warehouse)
        console.print(_OF_NOW, style="dim", highlight=False)
    else:
        console.print("No model would be asked.")
    if later:
        console.rule("What later steps would ask at most: an estimate")
        _print_requests(later, warehouse)
        airqa = [one for one in later if one.task.startswith(_AIRQA)]
        if len(airqa) < len(later):
            console.print(_OF_LATER, style="dim", highlight=False)
        if airqa:
            console.print(_OF_TURNS, style="dim", highlight=False)
    console.print("Nobody was asked, and nothing was written.", style="dim", highlight=False)


def _print_plan(found: Sequence[Line]) -> None:
    """What is due or failed, with the reasons; what waits for that as a number."""
    print_why([line for line in found if line.state in ("due", "failed")], console)
    if after := sum(len(line.parts) for line in found if line.state == "waits"):
        console.print(f"{after:,} more wait for these: [bold]aimsciqa status --why[/bold]", highlight=False)


def _print_requests(asked: Sequence[Asked | Later], warehouse: Warehouse) -> None:
    """Print a line for each task and model, and one for all of them."""
    replies = [None if is_free(one.model) else reply_tokens(one, warehouse) for one in asked]
    costs = [
        cost(one, tokens, at_most=isinstance(one, Later)) for one, tokens in zip(asked, replies, strict=True)
    ]
    rows = [
        _row(one, tokens) | {"cost": str(would_cost)}
        for one, tokens, would_cost in zip(asked, replies, costs, strict=True)
    ]
    sums = {name: sum(row[name] for row in rows) for name in rows[0] if isinstance(rows[0][name], int)}
    is_known = all(row["tokens out"] != _UNKNOWN for row in rows)
    out = f"{sum(filter(None, replies)):,}" if is_known else _UNKNOWN
    total = {"task": "in all", "model": "", **sums, "tokens out": out, "cost": in_all(costs)}
    print_table(pl.DataFrame([*rows, {name: total[name] for name in rows[0]}]), console)


def _row(asked: Asked | Later, tokens: int | None) -> dict[str, Any]:
    """A line of either table: later steps know no requests of their own yet, only how many at most."""
    if isinstance(asked, Later):
        requests = {"requests": asked.to_send}
    else:
        requests = {"requests": asked.requests, "known": asked.known}
    return {
        "task": asked.task,
        "model": asked.model.label or asked.model.backend,
        **requests,
        "tokens in": asked.prompt_tokens,
        "tokens out": _told(tokens, asked.model),
    }


def _told(tokens: int | None, model: ModelSettings) -> str:
    return "" if is_free(model) else _UNKNOWN if tokens is None else f"{tokens:,}"


def _shown(number: int, request: ModelRequest, reply: ModelReply, *, whole: bool) -> Text:
    """A request; the system message, which is the same in all, with the first one only."""
    text = Text()
    text.append(f"{number}. {request.key}\n", style="bold")
    for message in request.messages:
        if whole or message.role != "system":
            text.append(f"{message.role}: ", style="bold")
            text.append(f"{message.text if message.role == 'system' else _cut(message.text)}\n")
    text.append("reply: ", style="bold")
    if reply.text is not None:
        text.append(f"{_cut(reply.text)}\n")
    else:
        text.append(f"{'none yet' if reply.failure in NO_REPLY_YET else reply.failure}\n", style="dim")
    return text


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ... ({len(text):,} characters)"
