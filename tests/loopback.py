"""A server on the loopback for the time of a `with`, in a thread of its own."""

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web


class LoopbackServer(ABC):
    """Serves an application on 127.0.0.1. What goes wrong in it (`_errors`) is raised at the end."""

    _errors: list[Exception]

    @abstractmethod
    def _application(self) -> web.Application:
        """What is served."""

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._wait_for(self._start())
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._wait_for(self._runner.cleanup())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        if self._errors and kind is None:
            raise self._errors[0]

    def _wait_for(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=30)

    async def _start(self) -> None:
        self._runner = web.AppRunner(
            self._application(), access_log=None, handler_cancellation=True, shutdown_timeout=0.1
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", getattr(self, "port", 0), backlog=4096).start()
        self.origin = f"http://127.0.0.1:{self._runner.addresses[0][1]}"


@dataclass
class FixedReplies(LoopbackServer):
    """Gives each request ("GET /v1/models") its reply, a status with JSON or a text; 404 to any other."""

    replies: Mapping[str, tuple[int, Any]]
    key: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    _errors: list[Exception] = field(default_factory=list)

    def _application(self) -> web.Application:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._reply)
        return app

    async def _reply(self, request: web.Request) -> web.Response:
        asked = f"{request.method} {request.path}"
        self.asked.append(asked)
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            return web.json_response({"error": "who are you?"}, status=401)
        status, content = self.replies.get(asked, (404, {"detail": "Not Found"}))
        if isinstance(content, str):
            kind = "text/html" if content.startswith("<") else "text/plain"
            return web.Response(text=content, status=status, content_type=kind, headers=self.headers)
        return web.json_response(content, status=status, headers=self.headers)
