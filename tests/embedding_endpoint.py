"""The embedding endpoint of an OpenAI-compatible server, on the loopback."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.fakes import WordEncoder
from tests.loopback import LoopbackServer


@dataclass
class Asked:
    """A request that arrived."""

    number: int
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class EmbeddingEndpoint(LoopbackServer):
    """Answers with hashed bags of words, in reverse order; `plan` may answer some requests otherwise."""

    plan: Callable[[Asked], web.Response | None] = lambda _asked: None
    asked: list[Asked] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._errors: list[Exception] = []
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"{self.origin}/v1"

    def _application(self) -> web.Application:
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/embeddings", self._embed)
        return app

    async def _embed(self, request: web.Request) -> web.Response:
        body = json.loads(await request.read())
        with self._lock:
            asked = Asked(len(self.asked), {k.lower(): v for k, v in request.headers.items()}, body)
            self.asked.append(asked)
        if (response := self.plan(asked)) is not None:
            return response
        vectors = 3 * WordEncoder().encode(body["input"])
        data = [
            {"object": "embedding", "index": index, "embedding": vector.tolist()}
            for index, vector in enumerate(vectors)
        ]
        return web.json_response({"object": "list", "data": data[::-1], "model": body["model"], "usage": {}})
