"""What requests that are not sent yet would cost: estimates, by the price table that the settings name."""

from pathlib import Path
from typing import Protocol

from aimsciqa_resources.language_model.prices import read_prices
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.platform.queries import query_of


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
    return model.backend in ("extractive", "recorded")


def reply_tokens(unsent: Unsent, warehouse: Warehouse) -> int | None:
    """About how many tokens the replies will have, by those to the same task so far; None: none so far."""
    average = warehouse.read(
        query_of("cli.reply_tokens").text, {"task": unsent.task, "model": unsent.model.name}
    )
    tokens = average["tokens"][0]
    return None if tokens is None else round(tokens * unsent.to_send)


def cost(unsent: Unsent, replies: int | None, *, at_most: bool = False) -> str:
    """What the requests would cost, in the currency of the price table; `replies` are tokens of replies.

    Where these are not known, every reply is as long as the settings allow. `at_most`: the number of requests
    is an upper bound.
    """
    model = unsent.model
    if is_free(model):
        return "free"
    if not model.prices:
        return "no price table"
    price = read_prices(Path(model.prices)).get(model.name)
    if price is None:
        return "no price"
    longest = unsent.to_send * (model.reply_tokens + model.thinking_tokens)
    received = longest if replies is None else replies
    price_of_all = (unsent.prompt_tokens * price.input + received * price.output) / 1e6
    return f"{'at most' if at_most or replies is None else 'about'} {price_of_all:,.2f}"
