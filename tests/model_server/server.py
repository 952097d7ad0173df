"""The server, and what it answers when nothing goes wrong."""

import asyncio
import contextlib
import json
import re
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

from aimsciqa_resources.language_model import ModelRequest
from aiohttp import web

from tests.fakes import SentenceModel
from tests.loopback import LoopbackServer
from tests.model_server.metrics import vllm_metrics
from tests.model_server.steps import (
    Latency,
    Plan,
    Reset,
    Seen,
    Status,
    Wait,
    api_error,
    fixed,
    logprobs_of,
    prompt_logprobs_of,
    text_of,
)

MULTI_HOP = {
    "source_question": "source_paper/core_qa/question",
    "source_answer": "source_paper/core_qa/answer",
    "target_title": "target_paper/title",
    "target_question": "target_paper/core_qa/question",
    "target_answer": "target_paper/core_qa/answer",
    "retrieval_question": "target_paper/unique_qa/question",
}


def answer_from_prompt(body: Mapping[str, Any]) -> str:
    """What `SentenceModel` would write for a rendered prompt of ours; OK for any other."""
    text = text_of(body["messages"][-1])
    if "Paragraph:\n" in text:
        request = ModelRequest("single_hop", "", {"paragraph": text.partition("Paragraph:\n")[2]}, ())
    elif "<inputs>" in text:
        inputs = ElementTree.fromstring(text[text.index("<inputs>") :])
        told = {name: inputs.findtext(path) or "" for name, path in MULTI_HOP.items()}
        request = ModelRequest("multi_hop", "", told, ())
    elif "Question: " in text:
        request = ModelRequest(_question_task(text), "", _told(text), ())
    else:
        return "OK"
    (reply,) = SentenceModel().replies([request])
    return reply.text


def _question_task(text: str) -> str:
    if "Prediction: " in text:
        return "answer_judge"
    return "citation_marker" if "<citing_sentences>" in text else "answering"


def _told(text: str) -> dict[str, Any]:
    """What stands in tags and behind labels in the prompts of the benchmark."""
    told: dict[str, Any] = dict(re.findall(r"<(citing_sentences)>\n(.*?)\n</\1>", text, re.DOTALL))
    papers = re.findall(r"<((?:source_|second_)?paper)>\n(.*?)\n</\1>", text, re.DOTALL)
    told["papers"] = [{"name": name, "text": paper} for name, paper in papers]
    return told | {label.lower(): value for label, value in re.findall(r"^([A-Z][a-z]+): (.*)$", text, re.M)}


@dataclass
class ModelServer(LoopbackServer):
    """The server runs in a thread while the context lasts; its settings may be changed meanwhile.

    `slots` is how many requests the engine works on at a time (a status or reset takes none), `context` its
    length in words, `max_model_len` the length that it tells. `metrics` answers None for a server without. An
    exception in `answer` or `plan` reaches the client as status 500, and the test when the context ends.
    """

    answer: Callable[[dict[str, Any]], str] = answer_from_prompt
    plan: Plan = lambda _seen: None
    latency: Latency = fixed(0)  # noqa: RUF009
    slots: int = sys.maxsize
    context: int | None = None
    structured: bool = True
    reasoning: str | None = None
    model: str = "m"
    lists_models: bool = True
    max_model_len: int | None = 8192
    owned_by: str = "vllm"
    metrics: Callable[["ModelServer"], str | None] = vllm_metrics
    port: int = 0

    def __post_init__(self) -> None:
        self.seen: list[Seen] = []
        self.most_at_once = self.in_engine = self.queried = self.cached = self._at_once = 0
        self._engine = asyncio.Semaphore(self.slots)
        self._prefixes: set[str] = set()
        self._errors: list[Exception] = []

    @property
    def url(self) -> str:
        return f"{self.origin}/v1"

    def _application(self) -> web.Application:
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/metrics", self._metrics)
        return app

    async def _models(self, _request: web.Request) -> web.Response:
        if not self.lists_models:
            return web.json_response(api_error(404, "Not Found"), status=404)
        model = {"id": self.model, "object": "model", "created": 1_760_000_000, "owned_by": self.owned_by}
        if self.max_model_len is not None:
            model |= {"root": self.model, "parent": None, "max_model_len": self.max_model_len}
        return web.json_response({"object": "list", "data": [model]})

    async def _metrics(self, _request: web.Request) -> web.Response:
        text = self.metrics(self)
        return web.Response(text=text or "Not Found", status=200 if text else 404)

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        arrived = time.monotonic()
        headers = {name.lower(): value for name, value in request.headers.items()}
        body = json.loads(await request.read())
        seen = Seen(len(self.seen), arrived, headers, body)
        self.seen.append(seen)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            response = await self._answered(request, seen)
            seen.status = response.status
        except ConnectionError:
            return web.Response()  # nobody is there to get it
        except Exception as error:
            self._errors.append(error)
            raise
        finally:
            self._at_once -= 1
            seen.finished_at = time.monotonic()
        return response

    async def _answered(self, request: web.Request, seen: Seen) -> web.StreamResponse:
        step = self.plan(seen)
        if not isinstance(step, Status | Reset):
            step = self._objection(seen.body) or step or Wait()
        in_engine = not isinstance(step, Status | Reset)
        self.in_engine += in_engine
        try:
            async with self._engine if in_engine else contextlib.nullcontext():
                await asyncio.sleep(self.latency(seen.number) if step.after is None else step.after)
                return await step.send(request, step.payload(self, seen))
        finally:
            self.in_engine -= in_engine

    def _objection(self, body: dict[str, Any]) -> Status | None:
        if not body["messages"]:
            return Status(400, api_error(400, "Invalid 'messages': empty array.", "messages"))
        if "response_format" in body and not self.structured:
            kind = body["response_format"]["type"]
            message = (
                f"Invalid parameter: 'response_format' of type '{kind}' is not supported with this model."
            )
            return Status(400, api_error(400, message, "response_format"))
        if self.context is None:
            return None
        prompt = sum(words(text_of(message)) for message in body["messages"])
        room = body.get("max_completion_tokens") or body.get("max_tokens") or 0
        if prompt + room <= self.context:
            return None
        message = (
            f"This model's maximum context length is {self.context} tokens. However, you requested "
            f"{prompt + room} tokens ({prompt} in the messages, {room} in the completion). Please reduce the "
            "length of the messages or completion."
        )
        return Status(400, api_error(400, message))

    def good_reply(self, seen: Seen) -> dict[str, Any]:
        """The reply when nothing goes wrong."""
        return self.reply(seen, {"content": self.answer(seen.body)})

    def reply(self, seen: Seen, message: dict[str, Any], finish_reason: str = "stop") -> dict[str, Any]:
        """A chat completion with this message; a first message that came before counts as cached."""
        first, *others = map(text_of, seen.body["messages"])
        cached = words(first) if first in self._prefixes else 0
        self._prefixes.add(first)
        prompt = sum(map(words, (first, *others)))
        self.queried += prompt
        self.cached += cached
        completion = words(message["content"] or "")
        thought = {} if self.reasoning is None else {"reasoning_content": self.reasoning}
        logprobs = None
        if seen.body.get("logprobs"):
            logprobs = logprobs_of(message["content"] or "", seen.body.get("top_logprobs", 0))
        scored = {}
        if "prompt_logprobs" in seen.body:
            scored = {"prompt_logprobs": prompt_logprobs_of(" ".join(map(text_of, seen.body["messages"])))}
        choice = {"index": 0, "message": {"role": "assistant"} | message | thought, "logprobs": logprobs}
        return {
            "id": f"chatcmpl-{seen.number}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": seen.body["model"],
            "choices": [choice | {"finish_reason": finish_reason}],
            **scored,
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
                "prompt_tokens_details": {"cached_tokens": cached},
            },
        }


@lru_cache(maxsize=64)
def words(text: str) -> int:
    return len(text.split())
