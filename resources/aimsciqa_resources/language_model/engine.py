"""The interface of an engine to a durable model: one completion per request, many requests at once."""

import json
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal, Protocol

from aimsciqa_resources.language_model.interface import ModelRequest, TokenLogprob, Usage
from aimsciqa_resources.language_model.messages import determinants_of
from aimsciqa_resources.language_model.offers import Offer


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, thinking included, why it stopped (`stop`, `length`), and what it used.

    `sampling` says how it was drawn, as JSON, where that is not as the settings say. `aside` names the
    field of the answer that has a text in place of the content; empty where there is none.
    """

    text: str
    finish_reason: str
    usage: Usage
    logprobs: tuple[TokenLogprob, ...] | None = None
    scored: tuple[TokenLogprob, ...] | None = None
    sampling: str = ""
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Load:
    """Requests that an engine works on, and those that wait in its queue."""

    running: int
    waiting: int


class Engine(Protocol):
    """Completes requests; it is used by one event loop, between `start` and `close`."""

    async def start(self) -> Offer | None:
        """Get ready; returns what `look` returns. Raises `ModelError` when that is impossible."""

    async def complete(self, request: ModelRequest) -> Completion:
        """One completion; raises `AttemptError`, or `ModelError` when other requests would fail too."""

    async def look(self) -> Offer | None:
        """What it serves; None when it does not answer."""

    async def load(self) -> Load | None:
        """How busy the engine is; None when it does not say."""

    async def close(self) -> None:
        """Release connections and the like, at the end of a stream of requests."""

    def unload(self) -> None:
        """Release a model that was loaded for several streams."""


class AttemptError(Exception):
    """An attempt that failed. `kind` says whether to try again, `reason` is one word for counting.

    - `permanent`: the same request would fail again.
    - `too_long`: it does not fit into the model's context.
    - `passing`: transient; the next attempt may succeed.
    - `rate_limited`: it may succeed later, at a slower pace.

    `wait_seconds` is how long the server asks to wait; `attempts` counts those that were made in all;
    `server` is the name of the one that was asked.
    """

    def __init__(
        self,
        kind: Literal["permanent", "too_long", "passing", "rate_limited"],
        reason: str,
        detail: str = "",
        wait_seconds: float | None = None,
    ) -> None:
        super().__init__(f"{reason}: {detail}")
        self.kind = kind
        self.reason = reason
        self.detail = detail
        self.wait_seconds = wait_seconds
        self.attempts = 1
        self.server = ""


def fingerprint(identity: str, request: ModelRequest) -> str:
    """32 hex digits that hash all that determines a reply: the model's `identity`, messages, reply form."""
    determinants: list[Any] = [
        identity,
        determinants_of(request.messages),
        request.reply_schema,
        request.reply_grammar,
    ]
    if request.run > 1:
        determinants.append(request.run)
    wanted = ((name, getattr(request, name)) for name in ("logprobs", "reply_tokens", "scored_from"))
    determinants += [[name, number] for name, number in wanted if number is not None]
    if request.tools:
        determinants.append(["tools", request.tools])
    text = json.dumps(determinants, ensure_ascii=False, sort_keys=True)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
