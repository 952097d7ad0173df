"""What happens to a request: the steps, the plans that choose one for each request, and latencies."""

import asyncio
import hashlib
import json
import random
import socket
import struct
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from math import log
from typing import TYPE_CHECKING, Any

from aiohttp import web

if TYPE_CHECKING:
    from tests.model_server.server import ModelServer


@dataclass
class Seen:
    """A chat request that arrived; `status` is what was sent, None before that and for a cut connection."""

    number: int
    at: float
    headers: dict[str, str]
    body: dict[str, Any]
    status: int | None = None
    finished_at: float | None = None

    @property
    def text(self) -> str:
        """The last message."""
        return text_of(self.body["messages"][-1]) if self.body["messages"] else ""

    @property
    def key(self) -> str:
        """A digest of the messages: the same for every attempt at the same request."""
        return hashlib.sha1(json.dumps(self.body["messages"], sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Step:
    """What happens to one request, `after` so many seconds (None: the server's latency).

    `payload` is the body, `send` how it goes out; the plain step is a good reply.
    """

    after: float | None = field(default=None, kw_only=True)

    def payload(self, server: "ModelServer", seen: Seen) -> bytes:
        return encoded(server.good_reply(seen))

    async def send(self, request: web.Request, payload: bytes) -> web.StreamResponse:
        return web.Response(body=payload, content_type="application/json")


@dataclass(frozen=True)
class Wait(Step):
    """A good reply after so many seconds."""

    after: float | None = None


@dataclass(frozen=True)
class Status(Step):
    """An HTTP status. A text as the body is sent as HTML, a value as JSON, None is an error like OpenAI's."""

    code: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def payload(self, server, seen) -> bytes:
        if isinstance(self.body, str):
            return self.body.encode()
        return encoded(self.body or api_error(self.code, HTTPStatus(self.code).phrase))

    async def send(self, request, payload) -> web.StreamResponse:
        kind = "text/html" if isinstance(self.body, str) else "application/json"
        return web.Response(body=payload, status=self.code, headers=self.headers, content_type=kind)


@dataclass(frozen=True)
class Reset(Step):
    """The connection is reset before any byte."""

    def payload(self, server, seen) -> bytes:
        return b""

    async def send(self, request, payload) -> web.StreamResponse:
        at_once = struct.pack("ii", 1, 0)
        request.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        request.transport.abort()
        raise ConnectionResetError


@dataclass(frozen=True)
class ResetInBody(Step):
    """The connection ends after half of a good reply."""

    async def send(self, request, payload) -> web.StreamResponse:
        response = await begun(request, payload)
        await response.write(payload[: len(payload) // 2])
        request.transport.abort()
        raise ConnectionResetError


@dataclass(frozen=True)
class SlowDrip(Step):
    """A good reply whose bytes come in 20 groups over so many seconds."""

    seconds: float

    async def send(self, request, payload) -> web.StreamResponse:
        response = await begun(request, payload)
        size = -(-len(payload) // 20)
        for start in range(0, len(payload), size):
            await asyncio.sleep(self.seconds / 20)
            await response.write(payload[start : start + size])
        await response.write_eof()
        return response


@dataclass(frozen=True)
class Text(Step):
    """A well-formed reply with this content."""

    text: str
    finish_reason: str = "stop"

    def payload(self, server, seen) -> bytes:
        return encoded(server.reply(seen, {"content": self.text}, self.finish_reason))


@dataclass(frozen=True)
class Refusal(Step):
    """The model declines."""

    text: str

    def payload(self, server, seen) -> bytes:
        return encoded(server.reply(seen, {"content": None, "refusal": self.text}))


class NullContent(Step):
    """A message without content."""

    def payload(self, server, seen) -> bytes:
        return encoded(server.reply(seen, {"content": None}))


class EmptyChoices(Step):
    """A completion without a choice."""

    def payload(self, server, seen) -> bytes:
        return encoded(server.good_reply(seen) | {"choices": []})


class InvalidJson(Step):
    """A good reply that breaks off, in a response that is complete."""

    def payload(self, server, seen) -> bytes:
        return super().payload(server, seen)[:-10]


class NotAnObject(Step):
    """Valid JSON of another shape."""

    def payload(self, server, seen) -> bytes:
        return b'["chat.completion"]'


Plan = Callable[[Seen], Step | None]


def share(fraction: float, seed: int, step: Step) -> Plan:
    """This step for a share of the requests; every attempt at the same request is drawn anew."""
    times: Counter[str] = Counter()

    def plan(seen: Seen) -> Step | None:
        key = seen.key
        times[key] += 1
        return step if random.Random(f"{seed} {key} {times[key]}").random() < fraction else None

    return plan


def always(text: str, step: Step) -> Plan:
    """This step for every request whose last message contains the text."""
    return lambda seen: step if text in seen.text else None


def first_of(*plans: Plan) -> Plan:
    """What the first plan says that says anything; every plan is asked."""
    return lambda seen: next(filter(None, [plan(seen) for plan in plans]), None)


Latency = Callable[[int], float]


def fixed(seconds: float) -> Latency:
    """The same for every request."""
    return lambda _number: seconds


def log_normal(mean: float, sigma: float, seed: int, count: int = 10_000) -> Latency:
    """Heavy-tailed latencies with this mean, the same ones every time; after `count` they begin again."""
    dice = random.Random(seed)
    drawn = [dice.lognormvariate(log(mean) - sigma**2 / 2, sigma) for _ in range(count)]
    return lambda number: drawn[number % count]


def text_of(message: Mapping[str, Any]) -> str:
    """A message's text, which may come in parts, images among them; that of a tool call may be missing."""
    content = message["content"] or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def logprobs_of(text: str, alternatives: int) -> dict[str, Any]:
    """Log-probabilities as OpenAI and vLLM write them, one for each word of a text: -1, -2 and so on."""

    def entry(token: str, logprob: float) -> dict[str, Any]:
        return {"token": token, "logprob": logprob, "bytes": list(token.encode())}

    return {
        "content": [
            entry(word, -float(number))
            | {"top_logprobs": [entry(f"{word}{other}", -float(other)) for other in range(alternatives)]}
            for number, word in enumerate(text.split(), 1)
        ]
    }


def prompt_logprobs_of(text: str) -> list[dict[str, Any] | None]:
    """Log-probabilities of a prompt as vLLM writes them, by token id: none, then -1, -2 and so on."""
    words = list(enumerate(text.split()))
    return [
        None,
        *({str(n): {"logprob": -float(n), "rank": 1, "decoded_token": word}} for n, word in words[1:]),
    ]


def encoded(value: Any) -> bytes:
    return json.dumps(value).encode()


def api_error(code: int, message: str, param: str | None = None) -> dict[str, Any]:
    """An error as OpenAI and vLLM write it."""
    kind = "BadRequestError" if code == 400 else "invalid_request_error" if code < 500 else "server_error"
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


async def begun(request: web.Request, payload: bytes) -> web.StreamResponse:
    """A response whose headers, with the payload's length, are sent."""
    headers = {"Content-Type": "application/json", "Content-Length": str(len(payload))}
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    return response
