"""An OpenAI-compatible server as an engine: vLLM, or any provider, through the `openai` package.

The package builds, sends and decodes. Answers are read here, because the package would spend a third of its
time on response models that nobody needs. Its own retries are off: `calling` does them.
"""

import asyncio
import json
import logging
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import aiohttp
import httpx2
import openai

from aimsciqa_resources.bounded_http import AsyncBoundedClient, ForeignRedirectError, LongAnswerError
from aimsciqa_resources.language_model.engine import AttemptError, Completion, Load
from aimsciqa_resources.language_model.interface import NO_LOGPROBS, ModelRefusedError, ModelRequest, Usage
from aimsciqa_resources.language_model.logprobs import from_openai, scored_by_server
from aimsciqa_resources.language_model.offers import Offer, printable_name, read_offer
from aimsciqa_resources.language_model.request_form import RequestForm
from aimsciqa_resources.language_model.server_faults import (
    TOO_LONG,
    error_message,
    fault_of_status,
    from_this_machine,
    without_secrets,
)
from aimsciqa_resources.language_model.server_metrics import metrics_address, read_metrics
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.language_model.tool_calls import text_with_calls

_QUICK_SECONDS = 10.0
_NO_KEY = "none"
_NO_ANSWER = (openai.APIError, httpx2.HTTPError, aiohttp.ClientError, OSError, TimeoutError)
_NO_CONNECTION = (openai.APIConnectionError, httpx2.HTTPError, aiohttp.ClientError, OSError, TimeoutError)
_REASONING = ("reasoning_content", "reasoning")
_BROKEN_OFF = ("abort", "error", "cancelled")
_MOST_TOKENS = 2**31
# Enough for a long list of models, or for tokens with twenty log-probabilities each.
_MOST_BYTES = 2 * 2**20
_MOST_BYTES_PER_TOKEN = 2**10

_log = logging.getLogger(__name__)


class OpenAIServer:
    """Completes requests at `settings.base_url`."""

    def __init__(self, settings: ModelSettings, environment: Mapping[str, str] = os.environ) -> None:
        self._settings = settings
        self._key = environment.get(settings.api_key_variable, "").strip()
        self._form = RequestForm()
        self._has_answered = False
        self._client: openai.AsyncOpenAI | None = None
        self._offer: Offer | None = None

    async def start(self) -> Offer | None:
        """Open the client and ask the server for its models; one that does not tell is used all the same.

        Raises `ModelRefusedError` for a key that cannot be sent.
        """
        if not (self._key.isascii() and self._key.isprintable()):
            raise ModelRefusedError(
                f"What the environment variable {self._settings.api_key_variable} holds is not a key: it has "
                "characters that cannot be sent."
            )
        slots = max(self._settings.in_flight, self._settings.most_in_flight)
        self._client = openai.AsyncOpenAI(
            base_url=self._settings.base_url,
            api_key=self._key or _NO_KEY,
            max_retries=0,
            # `calling` limits the time, from the moment when a request is sent. Only connecting may not take
            # as long as a reply: a machine that is gone does not answer it.
            timeout=httpx2.Timeout(None, connect=_QUICK_SECONDS),
            # The pool has a place for every request: waiting for one would count as the server's time.
            http_client=AsyncBoundedClient(
                self._most_bytes,
                limits=httpx2.Limits(max_connections=slots + 8, max_keepalive_connections=slots + 8),
            ),
        )
        return await self.look()

    async def look(self) -> Offer | None:
        """The models that the server lists: none where it has no list; None when it does not answer.

        Raises `ModelRefusedError` where it sends its visitors to another server.
        """
        try:
            self._offer = read_offer(await self._quickly_read("/models"))
        except (*_NO_ANSWER, ValueError, RecursionError, LookupError, TypeError) as error:
            if isinstance(error.__cause__, ForeignRedirectError):
                raise self._interruption(error) from None
            if isinstance(error.__cause__, LongAnswerError):
                _log.warning("%s: its list of models is %s.", self._settings.where, error.__cause__)
            elif isinstance(error, (*_NO_CONNECTION, openai.InternalServerError)):
                return None
            self._offer = self._offer or Offer()
            return Offer()
        return self._offer

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    def unload(self) -> None:
        """Nothing is loaded."""

    async def load(self) -> Load | None:
        """The requests that a vLLM server runs, and those in its queue; None for any other server."""
        if self._offer is None:
            await self.look()
        if not self._is_vllm:
            return None
        try:
            found = read_metrics(await self._quickly_read(metrics_address(self._settings.base_url)))
        except (*_NO_ANSWER, ValueError, OverflowError):
            return None
        return Load(found.running, found.waiting) if found else None

    @property
    def _is_vllm(self) -> bool:
        return self._offer is not None and self._offer.is_vllm

    @property
    def _most_bytes(self) -> int:
        tokens = self._settings.reply_tokens + self._settings.thinking_tokens
        return _MOST_BYTES + _MOST_BYTES_PER_TOKEN * tokens

    async def _quickly_read(self, path: str) -> str:
        assert self._client is not None
        async with asyncio.timeout(_QUICK_SECONDS):
            return (await self._client.get(path, cast_to=httpx2.Response)).text

    async def complete(self, request: ModelRequest) -> Completion:
        """One completion. A field that the server does not know is renamed or left out, and asked again.

        Calls of tools stand in its text (`tool_calls`).

        Only vLLM scores the tokens of a prompt and goes on with a message: other servers are not asked.
        """
        assert self._client is not None
        if self._offer is None and not self._has_answered:
            # It was down when the stream began. How it is asked depends on what it is.
            await self.look()
        if (request.scored_from is not None or request.is_continued) and not self._is_vllm:
            if self._offer is None:
                raise AttemptError("passing", "connection", "it does not tell whether it is a vLLM server")
            said = "only a vLLM server goes on with a message and scores the tokens of a prompt"
            raise AttemptError("permanent", NO_LOGPROBS, said)
        form = self._form
        while True:
            body = form.body(request, self._settings, is_vllm=self._is_vllm)
            try:
                response = await self._client.post("/chat/completions", cast_to=httpx2.Response, body=body)
            except openai.APIStatusError as error:
                otherwise = self._otherwise(error, request, form, body)
                if otherwise is None:
                    raise self._fault(error, request) from None
                form = otherwise
                continue
            except _NO_ANSWER as error:
                raise self._interruption(error) from None
            # This form works: all further requests use it.
            self._learn(form)
            self._has_answered = True
            try:
                return replace(
                    _completion(response.content, request.scored_from),
                    sampling=form.sampling(request, self._settings),
                )
            except AttemptError as error:
                error.detail = self._without_secrets(error.detail)
                raise

    def _otherwise(
        self,
        error: openai.APIStatusError,
        request: ModelRequest,
        form: RequestForm,
        sent: Mapping[str, Any],
    ) -> RequestForm | None:
        """The form to try next, if the server objects only to this one."""
        message = error_message(error.response.content)
        if error.status_code not in (400, 422) or TOO_LONG.search(message):
            return None
        return form.otherwise(message, request, sent, is_vllm=self._is_vllm)

    def _learn(self, form: RequestForm) -> None:
        """Keep the form that worked; say once which settings the model does not take."""
        if refused := sorted(form.left_out - self._form.left_out):
            _log.warning(
                "%s does not take %s as it is set: it samples in its own way.",
                self._settings.where,
                " and ".join(refused),
            )
        if self._form.length_field and not form.length_field:
            _log.warning(
                "%s does not let anybody limit the length of its replies: they are as long as it makes them.",
                self._settings.where,
            )
        self._form = self._form.joined(form)

    def _fault(self, error: openai.APIStatusError, request: ModelRequest) -> Exception:
        message = error_message(error.response.content)
        detail = self._without_secrets(message)
        status = error.status_code
        settings = self._settings
        # Once the server has answered, a 403 is about the content of a request.
        if status == 401 or (status == 403 and not self._has_answered):
            advice = (
                f"Set another one in the environment variable {settings.api_key_variable}."
                if self._key
                else f"Set it in the environment variable {settings.api_key_variable} (for another name: "
                "AIMSCIQA_MODEL_API_KEY_VARIABLE)."
            )
            return ModelRefusedError(f"{settings.where} refuses the key ({status}: {detail}). {advice}")
        if status == 402 or (status == 429 and b"insufficient_quota" in error.response.content):
            return ModelRefusedError(f"{settings.where}: the account is used up ({detail}).")
        if status == 404:
            there = f" It has: {self._offer.shown}." if self._offer and self._offer.models else ""
            return ModelRefusedError(
                f"{settings.where} is not there ({detail}). Check AIMSCIQA_MODEL_NAME and "
                f"AIMSCIQA_MODEL_BASE_URL.{there}"
            )
        fault = fault_of_status(status, message, error.response.headers)
        fault.detail = detail
        if fault.kind == "permanent" and request.logprobs is not None and "logprobs" in message:
            fault.reason = NO_LOGPROBS
        return fault

    def _interruption(self, error: Exception) -> Exception:
        cause = error.__cause__ or error
        if from_this_machine(cause):
            return ModelRefusedError(f"This machine cannot connect: {cause}")
        if isinstance(cause, ForeignRedirectError):
            return ModelRefusedError(
                f"{self._settings.where}: {cause}. If your model is there, set AIMSCIQA_MODEL_BASE_URL to it."
            )
        if isinstance(cause, LongAnswerError):
            return AttemptError("passing", "bad_response", str(cause))
        return AttemptError(
            "passing", "connection", self._without_secrets(f"{type(cause).__name__}: {cause}")
        )

    def _without_secrets(self, text: str) -> str:
        return without_secrets(text, self._key)


def _completion(content: bytes, scored_from: int | None = None) -> Completion:
    """Read a completion; raises `AttemptError` when the content is not one."""
    try:
        body = json.loads(content)
        choice = body["choices"][0]
        message = choice["message"]
        reason = printable_name(choice.get("finish_reason") or "stop")
        text = "refused" if message.get("refusal") else _text_of(message.get("content"))
        if calls := message.get("tool_calls"):
            text = text_with_calls(text, calls)
        usage = _usage(body.get("usage"))
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        said = error_message(content) if b'"error"' in content[:1000] else f"{type(error).__name__}: {error}"
        raise AttemptError("passing", "bad_response", said) from None
    if reason in _BROKEN_OFF:
        raise AttemptError("passing", "bad_response", f"the server broke off: {reason}")
    ended = "refused" if message.get("refusal") else reason
    scored = None if scored_from is None else scored_by_server(body, scored_from)
    aside = "" if text.strip() else next((name for name in _REASONING if message.get(name)), "")
    return Completion(_storable(text), ended, usage, from_openai(choice), scored, aside=aside)


def _text_of(content: Any) -> str:
    """The text of a message, which may come in parts."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part["text"] for part in content if part.get("type", "text") == "text")


def _storable(text: str) -> str:
    """The text without lone surrogates, which cannot be stored."""
    return text.encode("utf-8", "replace").decode()


def _usage(usage: Any) -> Usage:
    """The tokens that a reply took; 0 where the server gives no number, which does not spoil the reply."""
    return Usage(
        _count(usage, "prompt_tokens"),
        _count(usage, "completion_tokens"),
        _count(_field(usage, "prompt_tokens_details"), "cached_tokens"),
        _count(_field(usage, "completion_tokens_details"), "reasoning_tokens"),
    )


def _count(counts: Any, name: str) -> int:
    told = _field(counts, name)
    try:
        number = float(told) if isinstance(told, str | float | int) and not isinstance(told, bool) else 0.0
    except (ValueError, OverflowError):
        return 0
    return int(number) if 0 <= number <= _MOST_TOKENS else 0  # false for NaN, too


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None
