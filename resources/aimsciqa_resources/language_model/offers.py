"""What servers say that they serve (`/v1/models`), and whether all servers of a model serve the same."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from typing import Any

from aimsciqa_resources.printable import printable

_LONGEST_NAME = 100
_MODELS_SHOWN = 20
_NEAREST = 5


@dataclass(frozen=True, slots=True)
class Offer:
    """The models of a server; none where it does not tell. `contexts`: tokens of a request at most, by model.

    `aliases`: further names of these models. `is_vllm`: only vLLM scores the tokens of a prompt and goes on
    with a message. `is_catalogue`: a list of models that the account may deploy under names of its own.
    """

    models: tuple[str, ...] = ()
    contexts: Mapping[str, int] = field(default_factory=dict)
    is_vllm: bool = False
    aliases: frozenset[str] = frozenset()
    is_catalogue: bool = False

    @property
    def shown(self) -> str:
        """The models, for people."""
        more = ", ..." if len(self.models) > _MODELS_SHOWN else ""
        return ", ".join(self.models[:_MODELS_SHOWN]) + more

    def serves(self, model: str) -> bool | None:
        """Return whether the server has a model of this name; None where its list leaves that open.

        Servers of a single model often take any name, and gateways a name with or without its provider.
        """
        name = printable_name(model)
        known = {*self.models, *self.aliases}
        if name in known:
            return True
        if self.is_vllm:
            return False
        # Ollama calls qwen3 qwen3:latest; routers take a variant after a colon; LiteLLM lists openai/*.
        if {f"{name}:latest", name.rpartition(":")[0]} & known or any(
            "*" in listed and fnmatchcase(name, listed) for listed in known
        ):
            return True
        is_open = len(self.models) < 2 or self.is_catalogue or _last(name) in map(_last, known)
        return None if is_open else False

    def nearest(self, model: str) -> str:
        """Return the models, for people, those first whose names are most like `model`."""
        matcher = SequenceMatcher(None, b=model.casefold())

        def likeness(name: str) -> float:
            matcher.set_seq1(name.casefold())
            return matcher.ratio()

        names = sorted(sorted(self.models), key=likeness, reverse=True)
        more = f" and {len(names) - _NEAREST:,} more" if len(names) > _NEAREST else ""
        return ", ".join(names[:_NEAREST]) + more


def read_offer(answer: str) -> Offer:
    """Return the offer in an answer.

    Raises `ValueError`, `LookupError`, `TypeError` or `RecursionError`.
    """
    body = json.loads(answer)
    # Some servers send the bare list.
    entries = body if isinstance(body, list) else body["data"]
    listed = {
        printable_name(entry["id"]): entry
        for entry in entries
        if isinstance(entry, dict) and isinstance(entry.get("id"), str)
    }
    return Offer(
        tuple(listed),
        {
            name: entry["max_model_len"]
            for name, entry in listed.items()
            if isinstance(entry.get("max_model_len"), int)
        },
        any(entry.get("owned_by") == "vllm" for entry in listed.values()),
        frozenset(
            printable_name(alias)
            for entry in listed.values()
            if isinstance(entry.get("aliases"), list)
            for alias in entry["aliases"]
        ),
        any("lifecycle_status" in entry for entry in listed.values()),
    )


def _last(name: str) -> str:
    """A name without its provider."""
    return name.rpartition("/")[2].casefold()


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
