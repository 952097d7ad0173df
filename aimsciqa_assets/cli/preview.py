"""`aimsciqa run --preview N`: what would be made and why, the first requests, and what they would cost."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from aimsciqa_resources.language_model import ModelReply, ModelRequest
from aimsciqa_resources.language_model.prices import read_prices
from aimsciqa_resources.warehouse import Warehouse
from rich.markup import escape
from rich.text import Text

from aimsciqa_assets.cli.foretelling import Asked, foretold
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.cli.summary import print_rows, print_why
from aimsciqa_assets.cli.terminal import console
from aimsciqa_assets.cli.watching import NOT_ASKED
from aimsciqa_assets.cli.why import Line, lines
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.queries import query_of

_LONGEST = 3000


def preview(preset: str | None, shown: int, *, evaluate: bool) -> None:
    """Print what `aimsciqa run` would do now. Nobody is asked, and the home stays as it is."""
    pipeline = Pipeline.at(Home.from_environment(), preset, console)
    pipeline.batches()
    console.rule("What would be made, and why")
    _print_plan(lines(pipeline.home, preset))
    asked = foretold(pipeline, shown, evaluate=evaluate)
    for one in asked if shown else []:
        label = one.model.label or one.model.backend
        console.rule(f"The first requests of {one.task} to {escape(label)}")
        for number, (request, reply) in enumerate(one.first, 1):
            console.print(_shown(number, request, reply, whole=number == 1))
    console.rule("What would be asked now")
    if not asked:
        console.print("No model would be asked.")
        return
    print_rows(pl.DataFrame([_row(one, pipeline.warehouse) for one in asked]), "table", console)
    console.print(
        "known: the reply is there already. Tokens are estimates: prompts by their characters, replies by "
        "those so far. What later steps ask depends on the replies, so it is not in this table.\n"
        "Nobody was asked, and nothing was written.",
        style="dim",
        highlight=False,
    )


def _print_plan(found: Sequence[Line]) -> None:
    """What is due or failed, with the reasons; what waits for that as a number."""
    print_why([line for line in found if line.state in ("due", "failed")], console)
    if after := sum(len(line.parts) for line in found if line.state == "waits"):
        console.print(f"{after:,} more wait for these: [bold]aimsciqa status --why[/bold]", highlight=False)


def _row(asked: Asked, warehouse: Warehouse) -> dict[str, Any]:
    reply_tokens = None if asked.is_free else _reply_tokens(asked, warehouse)
    return {
        "task": asked.task,
        "model": asked.model.label or asked.model.backend,
        "requests": asked.requests,
        "known": asked.known,
        "to send": asked.to_send,
        "prompt tokens": asked.prompt_tokens,
        "reply tokens": "" if asked.is_free else "unknown" if reply_tokens is None else f"{reply_tokens:,}",
        "cost": _cost(asked, reply_tokens),
    }


def _reply_tokens(asked: Asked, warehouse: Warehouse) -> int | None:
    """About how many tokens the replies will have, by those to the same task so far; None: none so far."""
    average = warehouse.read(
        query_of("cli.reply_tokens").text, {"task": asked.task, "model": asked.model.name}
    )
    tokens = average["tokens"][0]
    return None if tokens is None else round(tokens * asked.to_send)


def _cost(asked: Asked, reply_tokens: int | None) -> str:
    """What the requests would cost, in the currency of the price table."""
    if asked.is_free:
        return "free"
    if not asked.model.prices:
        return "no price table"
    price = read_prices(Path(asked.model.prices))[asked.model.name]
    prompts = asked.prompt_tokens * price.input / 1e6
    most = asked.to_send * (asked.model.reply_tokens + asked.model.thinking_tokens)
    replies = (most if reply_tokens is None else reply_tokens) * price.output / 1e6
    return f"{'at most' if reply_tokens is None else 'about'} {prompts + replies:,.2f}"


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
        text.append(f"{'none yet' if reply.failure == NOT_ASKED else reply.failure}\n", style="dim")
    return text


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ... ({len(text):,} characters)"
