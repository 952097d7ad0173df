"""What servers say that they serve (`/v1/models`), and whether all servers of a model serve the same."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aimsciqa_resources.printable import printable

_LONGEST_NAME = 100
_MODELS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Offer:
    """The models of a server; none where it does not tell. `contexts`: tokens of a request at most, by model.

    `is_vllm`: only vLLM scores the tokens of a prompt and goes on with a message.
    """

    models: tuple[str, ...] = ()
    contexts: Mapping[str, int] = field(default_factory=dict)
    is_vllm: bool = False

    @property
    def shown(self) -> str:
        """The models, for people."""
        more = ", ..." if len(self.models) > _MODELS_SHOWN else ""
        return ", ".join(self.models[:_MODELS_SHOWN]) + more


def read_offer(answer: str) -> Offer:
    """The offer in an answer; raises `ValueError`, `LookupError`, `TypeError` or `RecursionError`."""
    listed = [entry for entry in json.loads(answer)["data"] if isinstance(entry, dict)]
    return Offer(
        tuple(printable_name(entry.get("id")) for entry in listed),
        {
            printable_name(entry.get("id")): entry["max_model_len"]
            for entry in listed
            if isinstance(entry.get("max_model_len"), int)
        },
        any(entry.get("owned_by") == "vllm" for entry in listed),
    )


def printable_name(value: Any) -> str:
    """A name that a server gave, made safe for messages and tables."""
    return printable(str(value), keep="")[:_LONGEST_NAME]


def difference(model: str, offers: Mapping[str, Offer]) -> str | None:
    """Why servers (offers by address) cannot answer for the same model; None where they can.

    Only those are compared that tell their models. A reply must not depend on the server that gave it.
    """
    telling = {server: offer for server, offer in offers.items() if offer.models}
    having = [server for server, offer in telling.items() if model in offer.models]
    for server, offer in telling.items():
        if having and server not in having:
            return (
                f"{having[0]} serves {model}, and {server} does not: it has {offer.shown}. All servers of a "
                "model must serve the same one (AIMSCIQA_MODEL_BASE_URL, AIMSCIQA_MODEL_NAME)."
            )
    for server in having[1:]:
        first, other = telling[having[0]], telling[server]
        lengths = first.contexts.get(model), other.contexts.get(model)
        if lengths[0] != lengths[1] or first.is_vllm != other.is_vllm:
            told = [_described(model, telling[one]) for one in (having[0], server)]
            return (
                f"{having[0]} serves {model} {told[0]}, and {server} {told[1]}: the same request would not "
                "have the same reply. Start them with the same options (vLLM: --max-model-len)."
            )
    return None


def _described(model: str, offer: Offer) -> str:
    length = offer.contexts.get(model)
    engine = "by vLLM" if offer.is_vllm else "by another engine than vLLM"
    return f"{engine}, with {length} tokens at most" if length is not None else engine
