"""An OpenAI-compatible server as an engine: vLLM, or any provider, through the `openai` package.

The package builds, sends and decodes; what comes back is read here, because a third of its time would go
into response models that nobody needs. Its own retries are off: `durable` does them.
"""

import json
import os
import re
from collections.abc import Mapping
from typing import Any, Final

import httpx2
import openai

from aimsciqa_resources.language_model.engine import AttemptError, Completion, Load
from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelRequest, Usage
from aimsciqa_resources.language_model.server_faults import fault_of_status, from_this_machine
from aimsciqa_resources.language_model.settings import ModelSettings

_FORMS: Final = ("schema", "object", "free")
_ABOUT_THE_FORM = re.compile(
    r"response_format|json_schema|json_object|structured|guided|grammar", re.IGNORECASE
)
_ABOUT_THE_LENGTH_FIELD = re.compile(r"max_completion_tokens")
_GAUGE = re.compile(r"^vllm:num_requests_(running|waiting)(?:\{[^}]*\})?\s+([0-9.eE+]+)", re.MULTILINE)
_QUICK_SECONDS = 10.0
_NO_KEY = "none"


class OpenAIServer:
    """Completes requests at `settings.base_url`."""

    def __init__(self, settings: ModelSettings, environment: Mapping[str, str] = os.environ) -> None:
        self._settings = settings
        self._key = environment.get(settings.api_key_variable, "")
        self._form = 0
        self._length_field = "max_tokens"
        self._takes_grammar = False
        self._shows_load = False
        self._models: tuple[str, ...] = ()

    async def start(self) -> None:
        """Open the client and ask what the server is; a server that does not tell is used as it is."""
        slots = max(self._settings.in_flight, self._settings.most_in_flight)
        self._client = openai.AsyncOpenAI(
            base_url=self._settings.base_url,
            api_key=self._key or _NO_KEY,
            max_retries=0,
            # `durable` watches the clock, from the moment on that a request is sent.
            timeout=None,
            # A place in the pool for every request: waiting there would count as the server's time.
            http_client=openai.DefaultAioHttpClient(
                limits=httpx2.Limits(max_connections=slots + 8, max_keepalive_connections=slots + 8)
            ),
        )
        try:
            response = await self._client.get(
                "/models", cast_to=httpx2.Response, options={"timeout": _QUICK_SECONDS}
            )
            listed = [entry for entry in response.json()["data"] if isinstance(entry, dict)]
        except (openai.APIError, httpx2.HTTPError, ValueError, KeyError, TypeError):
            return
        self._models = tuple(str(entry.get("id")) for entry in listed)
        is_vllm = any(entry.get("owned_by") == "vllm" for entry in listed)
        self._takes_grammar = is_vllm
        self._shows_load = is_vllm

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def load(self) -> Load | None:
        """The requests that a vLLM server runs and holds back; None from any other."""
        if not self._shows_load:
            return None
        address = f"{self._settings.base_url.removesuffix('/v1')}/metrics"
        try:
            response = await self._client.get(
                address, cast_to=httpx2.Response, options={"timeout": _QUICK_SECONDS}
            )
        except (openai.APIError, httpx2.HTTPError):
            return None
        gauges: dict[str, float] = {}
        for name, value in _GAUGE.findall(response.text):
            gauges[name] = gauges.get(name, 0.0) + float(value)
        return Load(int(gauges["running"]), int(gauges["waiting"])) if len(gauges) == 2 else None

    async def complete(self, request: ModelRequest) -> Completion:
        """One completion; asks otherwise where the server knows a field by another name, or not at all."""
        while True:
            form, field = self._form, self._length_field
            try:
                response = await self._client.post(
                    "/chat/completions",
                    cast_to=httpx2.Response,
                    body=self._body(request),
                )
                return _completion(response)
            except openai.APIStatusError as error:
                if not self._gave_way(error, request, form, field):
                    raise self._fault(error) from None
            except (openai.APIConnectionError, httpx2.HTTPError, OSError) as error:
                raise self._interruption(error) from None

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        settings = self._settings
        body: dict[str, Any] = {
            "model": settings.name,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "temperature": settings.temperature,
            self._length_field: settings.reply_tokens + settings.thinking_tokens,
        }
        if settings.top_p < 1:
            body["top_p"] = settings.top_p
        if settings.seed >= 0:
            body["seed"] = settings.seed
        form = _FORMS[self._form]
        if request.reply_schema is not None and form == "schema":
            schema = {"name": request.task, "schema": request.reply_schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif request.reply_schema is not None and form == "object":
            body["response_format"] = {"type": "json_object"}
        elif request.reply_grammar is not None and form == "schema" and self._takes_grammar:
            body["structured_outputs"] = {"grammar": request.reply_grammar}
        return body | settings.more_fields

    def _gave_way(
        self, error: openai.APIStatusError, request: ModelRequest, form: int, length_field: str
    ) -> bool:
        """Whether the server only minded how we asked; from now on it is asked otherwise."""
        if error.status_code not in (400, 422):
            return False
        text = error.response.text
        if length_field == "max_tokens" and _ABOUT_THE_LENGTH_FIELD.search(text):
            self._length_field = "max_completion_tokens"
            return True
        formed = request.reply_schema is not None or (
            request.reply_grammar is not None and self._takes_grammar
        )
        if formed and form < len(_FORMS) - 1 and _ABOUT_THE_FORM.search(text):
            self._form = max(self._form, form + 1)
            return True
        return False

    def _fault(self, error: openai.APIStatusError) -> Exception:
        detail = self._without_secrets(_message(error.response))
        status = error.status_code
        if status in (401, 403):
            return ModelRefusedError(
                f"{self._settings.where} refuses the key ({status}: {detail}). "
                + (
                    f"Set another one in the environment variable {self._settings.api_key_variable}."
                    if self._key
                    else f"Set it in the environment variable {self._settings.api_key_variable} (for another "
                    "name: AIMSCIQA_MODEL_API_KEY_VARIABLE)."
                )
            )
        if status == 402 or (status == 429 and "insufficient_quota" in error.response.text):
            return ModelRefusedError(f"{self._settings.where}: the account is used up ({detail}).")
        if status == 404:
            there = f" It has: {', '.join(self._models)}." if self._models else ""
            return ModelRefusedError(
                f"{self._settings.where} is not there ({detail}). See to AIMSCIQA_MODEL_NAME and "
                f"AIMSCIQA_MODEL_BASE_URL.{there}"
            )
        return fault_of_status(status, detail, error.response.headers)

    def _interruption(self, error: Exception) -> Exception:
        cause = error.__cause__ or error
        if from_this_machine(cause):
            return ModelRefusedError(f"This machine cannot connect: {cause}")
        return AttemptError(
            "passing", "connection", self._without_secrets(f"{type(cause).__name__}: {cause}")
        )

    def _without_secrets(self, text: str) -> str:
        """Text of a server for logs and tables: without the key, and without anything that looks like one."""
        shown = text.replace(self._key, "[key]") if self._key else text
        return re.sub(r"\b(?:sk|key|hf)[-_][\w*.-]{6,}", "[key]", shown)[:500]


def _completion(response: httpx2.Response) -> Completion:
    """Read a reply; raises `AttemptError` when it is none."""
    try:
        body = json.loads(response.content)
        choice = body["choices"][0]
        message = choice["message"]
        text = message.get("content") or ""
        usage = body.get("usage") or {}
        if not isinstance(text, str):
            raise TypeError("content is no text")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise AttemptError("passing", "bad_response", f"{type(error).__name__}: {error}"[:200]) from None
    if message.get("refusal"):
        raise AttemptError("permanent", "refused", str(message["refusal"])[:200])
    # A lone half of a surrogate pair could be stored nowhere.
    storable = text.encode("utf-8", "replace").decode()
    return Completion(storable, str(choice.get("finish_reason") or "stop"), _usage(usage))


def _usage(usage: Mapping[str, Any]) -> Usage:
    prompt = usage.get("prompt_tokens_details") or {}
    reply = usage.get("completion_tokens_details") or {}
    try:
        return Usage(
            prompt=int(usage.get("prompt_tokens") or 0),
            reply=int(usage.get("completion_tokens") or 0),
            cached=int(prompt.get("cached_tokens") or 0),
            reasoning=int(reply.get("reasoning_tokens") or 0),
        )
    except (AttributeError, TypeError, ValueError):
        return Usage()


def _message(response: httpx2.Response) -> str:
    """What the server says about an error, in whatever shape it says it."""
    try:
        body = json.loads(response.content)
    except ValueError:
        return " ".join(response.text.split())
    if isinstance(body, dict):
        error = body.get("error", body.get("detail", body.get("message", body)))
        if isinstance(error, dict):
            error = error.get("message", error)
        return error if isinstance(error, str) else json.dumps(error)
    return json.dumps(body)
