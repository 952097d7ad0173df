"""Log-probabilities of the tokens of a reply: from a server, from vLLM, into the journal and out of it."""

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from aimsciqa_resources.language_model.interface import TokenLogprob

Logprobs = tuple[TokenLogprob, ...]
_IMPOSSIBLE = -9999.0
"""What vLLM writes for an impossible token, because JSON has no infinity."""


def from_openai(choice: Mapping[str, Any]) -> Logprobs | None:
    """The log-probabilities of a choice of a chat completion; None when there are none to read."""
    try:
        tokens = choice["logprobs"]["content"]
        return tuple(
            TokenLogprob(
                _storable(token["token"]),
                _number(token["logprob"]),
                tuple(
                    (_storable(other["token"]), _number(other["logprob"]))
                    for other in token.get("top_logprobs") or ()
                ),
            )
            for token in tokens
        )
    except (LookupError, TypeError, ValueError, AttributeError):
        # A reply is kept even if its log-probabilities cannot be read.
        return None


def scored_by_server(body: Mapping[str, Any], start: int) -> Logprobs | None:
    """The log-probabilities of the prompt's tokens from `start` on, as a vLLM server gives them beside the
    choices; None when there are none to read.
    """
    try:
        return tuple(
            TokenLogprob(_storable(token["decoded_token"] or ""), _number(token["logprob"]))
            for at in body["prompt_logprobs"][start:]
            for token in list(at.values())[:1]
        )
    except (LookupError, TypeError, ValueError, AttributeError):
        return None


def scored_by_vllm(token_ids: Sequence[int], by_token: Sequence[Any] | None, start: int) -> Logprobs | None:
    """The same of vLLM's engine; `token_ids` are those of the prompt."""
    if by_token is None:
        return None
    return tuple(
        TokenLogprob(_storable(at[written].decoded_token or ""), _number(at[written].logprob))
        for written, at in list(zip(token_ids, by_token, strict=True))[start:]
    )


def from_vllm(
    token_ids: Sequence[int], by_token: Sequence[Mapping[int, Any]] | None, most: int
) -> Logprobs | None:
    """The log-probabilities of vLLM's engine.

    For each place it gives a mapping by token id, which includes the token that was written.
    """
    if by_token is None:
        return None
    return tuple(
        TokenLogprob(
            _storable(at[written].decoded_token or ""),
            _number(at[written].logprob),
            tuple(
                (_storable(other.decoded_token or ""), _number(other.logprob))
                for other in sorted(at.values(), key=lambda other: other.rank)[:most]
            ),
        )
        for written, at in zip(token_ids, by_token, strict=True)
    )


def as_text(logprobs: Logprobs | None) -> str:
    """The text that the journal keeps; empty for None."""
    if logprobs is None:
        return ""
    rows = [[one.token, one.logprob, one.alternatives] for one in logprobs]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def from_text(text: str) -> Logprobs | None:
    """The log-probabilities that `as_text` wrote."""
    if not text:
        return None
    return tuple(
        TokenLogprob(token, logprob, tuple((other, number) for other, number in alternatives))
        for token, logprob, alternatives in json.loads(text)
    )


def _number(value: Any) -> float:
    number = float(value)
    return number if isfinite(number) else _IMPOSSIBLE


def _storable(text: str) -> str:
    """The text without lone surrogates: a token may be half a character."""
    return text.encode("utf-8", "replace").decode()
