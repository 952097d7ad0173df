"""Which model answers a task, how it is asked, how patiently.

No secret is a setting: a setting names the environment variable that holds it.
"""

import json
import re
from collections.abc import Collection
from typing import Any, Literal

from pydantic import ConfigDict, Field, field_validator, model_validator

from aimsciqa_resources.language_model.recordings import NAME
from aimsciqa_resources.section import Section, refuse_bad_address, refuse_bad_variable

_SECRET_NAME = re.compile(
    r"api.?key|secret|password|authorization|bearer|credential|(?:^|_)token$", re.IGNORECASE
)
_SECRET_VALUE = re.compile(r"\b(?:sk|hf|key)[-_][\w-]{6,}")
RECORDED = "recorded:"
"""Begins the name of a model whose replies were recorded; what follows says by whom."""
HUMAN = "human:"
"""Begins the name of a person whose answers came back on a sheet."""


class ModelSettings(Section):
    """The language model of a task."""

    # Errors hide the input: somebody may have put a key where none belongs.
    model_config = ConfigDict(hide_input_in_errors=True)

    backend: Literal["scripted", "server", "vllm", "recorded"] = Field(
        default="scripted",
        description="scripted: fixed rules, without a model, whose questions are not worth reading; server: "
        "any OpenAI-compatible server; vllm: in this process, which owns its GPU; recorded: replies that "
        "people or models gave beforehand",
    )
    name: str = Field(
        default="",
        description="the model, as the server calls it; for vllm a folder or hub name; for recorded the name "
        "of who replied, or several separated by commas",
    )
    revision: str = Field(
        default="", description="its version, recorded with every row; for vllm its revision on the hub"
    )
    base_url: str = Field(
        default="",
        description="server: its address up to /v1, or the addresses of several servers of the same model, "
        "separated by commas",
    )
    api_key_variable: str = Field(
        default="OPENAI_API_KEY",
        description="server: name of the environment variable that holds the key; unset for a server "
        "without keys",
    )
    temperature: float = Field(default=0.0, ge=0, description="sampling temperature")
    top_p: float = Field(default=1.0, gt=0, le=1, description="nucleus sampling; 1 turns it off")
    seed: int = Field(default=-1, ge=-1, lt=2**63, description="sampling seed; -1 sends none")
    reply_tokens: int = Field(default=2048, ge=1, description="tokens of a reply at most")
    thinking_tokens: int = Field(
        default=0, ge=0, description="further tokens that a reasoning model may spend before its reply"
    )
    extra_body: str = Field(
        default="",
        description='server: more fields of each request, as JSON: {"reasoning_effort": "low"}',
    )
    engine_options: str = Field(
        default="", description='vllm: options of vllm.LLM, as JSON: {"max_model_len": 16384}'
    )
    in_flight: int = Field(default=64, ge=1, description="requests in flight at once, at each server")
    most_in_flight: int = Field(
        default=256,
        ge=1,
        description="how far `in_flight` may grow while a vLLM server shows an empty queue (/metrics)",
    )
    timeout_seconds: float = Field(
        default=600, gt=0, description="seconds to wait for a reply once the request was sent"
    )
    attempts: int = Field(default=10, ge=1, description="attempts at a request whose errors are transient")
    patience_seconds: float = Field(
        default=300,
        ge=0,
        description="seconds without any answer of the server before the step stops (at most 60 until its "
        "first reply)",
    )
    failure_share: float = Field(
        default=0.05,
        ge=0,
        le=1,
        description="a step fails when a larger share of its requests gets no reply; the replies are kept",
    )
    recordings: str = Field(
        default="", description="recorded: file of the replies; empty: recordings.jsonl in AIMSCIQA_HOME"
    )
    prices: str = Field(
        default="",
        description="CSV file with the columns model, input, cached_input, output: prices per million tokens",
    )

    @field_validator("backend", mode="before")
    @classmethod
    def _is_no_former_one(cls, value: Any) -> Any:
        if value == "extractive":
            raise ValueError(
                "this backend is gone; set scripted (fixed rules, for a first try) or a language model "
                "(docs/models.md)"
            )
        return value

    @field_validator("api_key_variable")
    @classmethod
    def _is_the_name_of_a_variable(cls, value: str) -> str:
        refuse_bad_variable(value)
        return value

    @field_validator("base_url")
    @classmethod
    def _is_an_address_without_secrets(cls, value: str) -> str:
        addresses = [address.strip().rstrip("/") for address in value.split(",")]
        if len(addresses) > 1 and not all(addresses):
            raise ValueError("must be addresses separated by commas, without an empty one")
        for address in addresses:
            refuse_bad_address(address)
        names = [server_name(address) for address in addresses]
        if len(set(names)) < len(names):
            raise ValueError("must name each server once")
        return ",".join(addresses)

    @field_validator("extra_body", "engine_options")
    @classmethod
    def _is_a_json_object(cls, value: str) -> str:
        if value:
            try:
                read = json.loads(value, parse_constant=_refuse_constant)
            except ValueError as error:
                raise ValueError(f"must be a JSON object: {error}") from error
            if not isinstance(read, dict):
                raise ValueError("must be a JSON object")
            if _holds_a_secret(read):
                raise ValueError("must hold no password or key; put it into an environment variable")
        return value

    @model_validator(mode="after")
    def _is_complete(self) -> "ModelSettings":
        if self.backend == "recorded" and not all(map(NAME.fullmatch, self.recorded_by)):
            raise ValueError(
                "the backend recorded needs the name of who replied, such as jane-doe: AIMSCIQA_MODEL_NAME "
                "(letters, digits and . + : / - _; several names are separated by commas)"
            )
        if self.backend != "scripted" and not self.name:
            raise ValueError(f"the backend {self.backend} needs the name of a model: AIMSCIQA_MODEL_NAME")
        if self.backend == "server" and not self.base_url:
            raise ValueError("the backend server needs an address: AIMSCIQA_MODEL_BASE_URL")
        return self

    @property
    def base_urls(self) -> tuple[str, ...]:
        """The address of each server."""
        return tuple(self.base_url.split(","))

    @property
    def where(self) -> str:
        """The model and its place, for people."""
        if self.backend == "recorded":
            return f"replies recorded by {', '.join(self.recorded_by)}"
        return f"{self.name} at {', '.join(self.base_urls)}" if self.backend == "server" else self.name

    @property
    def label(self) -> str:
        """The model's name as rows, reports and the lists of answerers and judges have it."""
        return f"{RECORDED}{','.join(self.recorded_by)}" if self.backend == "recorded" else self.name

    @property
    def recorded_by(self) -> tuple[str, ...]:
        """Whose recorded replies count; of two replies to the same that of the name which stands first."""
        return tuple(name.strip() for name in self.name.split(","))

    @property
    def tolerated_share(self) -> float:
        """The share of requests that may have no reply before a step fails; recordings may be few."""
        return 1.0 if self.backend == "recorded" else self.failure_share

    @property
    def more_fields(self) -> dict[str, Any]:
        """`extra_body` as a dictionary."""
        return dict(json.loads(self.extra_body or "{}"))

    @property
    def options(self) -> dict[str, Any]:
        """`engine_options` as a dictionary."""
        return dict(json.loads(self.engine_options or "{}"))

    def seed_of(self, run: int) -> int | None:
        """The seed of a run of the same request: another one for each run; None when none is sent."""
        return self.seed + run - 1 if self.seed >= 0 else None

    @property
    def sampling(self) -> str:
        """How replies are drawn, as JSON."""
        return self.sampling_without(frozenset())

    def sampling_without(self, left_out: Collection[str]) -> str:
        """The same for a server that is not sent some of it; what `extra_body` names is sent all the same."""
        drawn: dict[str, Any] = {
            "temperature": self.temperature,
            "reply_tokens": self.reply_tokens,
        }
        if self.top_p < 1:
            drawn["top_p"] = self.top_p
        if self.seed >= 0:
            drawn["seed"] = self.seed
        if self.thinking_tokens:
            drawn["thinking_tokens"] = self.thinking_tokens
        sent = {name: value for name, value in drawn.items() if name not in left_out}
        return json.dumps(sent | self.more_fields, sort_keys=True)

    @property
    def identity(self) -> str:
        """The settings that determine a reply; where the model runs is not one of them."""
        return json.dumps([self.name, self.revision, self.sampling])


def server_name(address: str) -> str:
    """The name of a server in tables and messages: its host and port, and what else tells it from others."""
    return address.partition("://")[2].removesuffix("/v1")


def _refuse_constant(name: str) -> None:
    """Refuse NaN and Infinity, which Python reads and no server accepts."""
    raise ValueError(f"{name} is not a JSON number")


def _holds_a_secret(value: Any) -> bool:
    """Whether a JSON value has, at any depth, a field for a secret or a text that looks like a key."""
    if isinstance(value, dict):
        return any(_SECRET_NAME.search(name) or _holds_a_secret(inner) for name, inner in value.items())
    if isinstance(value, list):
        return any(map(_holds_a_secret, value))
    return isinstance(value, str) and _SECRET_VALUE.search(value) is not None
