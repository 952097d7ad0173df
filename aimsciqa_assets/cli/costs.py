"""What requests cost: those that are not sent yet, by estimates, and the replies of the journal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from aimsciqa_resources.language_model.interface import Usage
from aimsciqa_resources.language_model.prices import Price, read_prices
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.settings import Settings

Row = dict[str, Any]


class Unsent(Protocol):
    """Requests of a task to a model that are still to be sent, with about how many tokens they have."""

    @property
    def task(self) -> str:
        """The name of the task."""

    @property
    def model(self) -> ModelSettings:
        """The model that is to be asked."""

    @property
    def to_send(self) -> int:
        """The number of requests."""

    @property
    def prompt_tokens(self) -> int:
        """The tokens of all of them together."""


def is_free(model: ModelSettings) -> bool:
    """Whether nobody is asked who may want money for it."""
    return model.backend in ("scripted", "recorded")


def reply_tokens(unsent: Unsent, warehouse: Warehouse) -> int | None:
    """About how many tokens the replies will have, by those to the same task so far; None: none so far."""
    average = warehouse.read(
        query_of("cli.reply_tokens").text, {"task": unsent.task, "model": unsent.model.name}
    )
    tokens = average["tokens"][0]
    return None if tokens is None else round(tokens * unsent.to_send)


@dataclass(frozen=True, slots=True)
class Cost:
    """What requests would cost, in the currency of the price table.

    `at_most` says that it is an upper bound, `unknown` why there is no amount.
    """

    amount: float = 0.0
    at_most: bool = False
    unknown: str = ""

    def __str__(self) -> str:
        """Return it for people."""
        return in_all([self])


def cost(unsent: Unsent, replies: int | None, *, at_most: bool = False) -> Cost:
    """Return what the requests would cost; `replies` are tokens of replies.

    Where these are not known, every reply is as long as the settings allow. `at_most`: the number of requests
    is an upper bound.
    """
    model = unsent.model
    if is_free(model):
        return Cost()
    if not model.prices:
        return Cost(unknown="no price table")
    price = read_prices(Path(model.prices)).get(model.name)
    if price is None:
        return Cost(unknown="no price")
    longest = unsent.to_send * (model.reply_tokens + model.thinking_tokens)
    usage = Usage(unsent.prompt_tokens, longest if replies is None else replies)
    return Cost(price.of(usage), at_most or replies is None)


def in_all(costs: Sequence[Cost]) -> str:
    """Return the sum of some costs for people; what has no price is named, not left out silently."""
    unknown = next((one.unknown for one in costs if one.unknown), "")
    known = [one for one in costs if not one.unknown and (one.amount or one.at_most)]
    if not known:
        return unknown or "free"
    bound = "at most" if any(one.at_most for one in known) else "about"
    told = f"{bound} {sum(one.amount for one in known):,.2f}"
    return f"{told}, and requests with {unknown}" if unknown else told


def prices_in(settings: Settings) -> dict[str, Price]:
    """Return the prices of all price tables that the settings name, by model; raises `PriceTableError`."""
    tables = dict.fromkeys(model.prices for model in settings.models.values() if model.prices)
    return {name: price for table in tables for name, price in read_prices(Path(table)).items()}


def with_total(replies: Sequence[Row], prices: Mapping[str, Price]) -> list[Row]:
    """Return the summary of a journal with what the replies cost by these prices, and a row for all of them.

    A reply of a model without a price has no cost, and the total is that of the others.
    """
    priced = [row | {"cost": _paid(row, prices.get(row["model"]))} for row in replies]
    counted = [name for name in replies[0] if name == "replies" or name.endswith("_tokens")]
    costs = [row["cost"] for row in priced if row["cost"] is not None]
    total = {
        "model": "in all",
        **{name: sum(row[name] for row in replies) for name in counted},
        "first_day": min(row["first_day"] for row in replies),
        "last_day": max(row["last_day"] for row in replies),
        "cost": sum(costs) if costs else None,
    }
    return [*priced, dict.fromkeys(priced[0]) | {"task": ""} | total]


def _paid(row: Row, price: Price | None) -> float | None:
    usage = Usage(row["prompt_tokens"], row["reply_tokens"], row["cached_tokens"])
    return price.of(usage) if price else None
