"""The server: both APIs under one address, `/v1` and `/v2`, with a plan for what goes wrong."""

import json
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

from aiohttp import web

from tests.loopback import LoopbackServer
from tests.openreview_server.site import Site
from tests.pmc_server.steps import Complete, Plan, Seen, Step

USER, PASSWORD, TOKEN = "somebody@example.org", "secret-word", "secret-token"
CHALLENGE = {"name": "ChallengeRequiredError", "message": "Solve a challenge", "status": 403}


@dataclass
class OpenReviewServer(LoopbackServer):
    """`api` is the version that has the venue. `plan` says what goes wrong; `between` happens after a page.

    `locked`: who is not logged in gets a challenge; `second_factor`: who logs in has to confirm one.
    """

    site: Site = field(default_factory=lambda: Site(Random(1)))
    api: str = "v1"
    plan: Plan = lambda _seen: None
    between: Any = None
    locked: bool = False
    second_factor: bool = False

    def __post_init__(self) -> None:
        self.seen: list[Seen] = []
        self._errors: list[Exception] = []

    def _application(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/{api}/login", self._login)
        app.router.add_get("/{api}/notes", self._notes)
        return app

    async def _login(self, request: web.Request) -> web.StreamResponse:
        given = await request.json()
        if self.second_factor:
            return await self._answer(request, {"mfaPending": True, "methods": ["totp"]})
        if given != {"id": USER, "password": PASSWORD}:
            return await self._answer(request, {"message": f"wrong password {given['password']}"}, 400)
        return await self._answer(request, {"token": TOKEN, "user": {}})

    async def _notes(self, request: web.Request) -> web.StreamResponse:
        if self.locked and request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return await self._answer(request, CHALLENGE, 403)
        params = request.query
        has_it = request.match_info["api"] == self.api and params["invitation"].endswith("/Blind_Submission")
        after = params.get("after", "")
        forums = [forum for forum in self.site.forums if has_it and forum > after]
        page = [self._shown(forum) for forum in forums[: int(params["limit"])]]
        answer = await self._answer(request, {"notes": page, "count": len(forums)})
        if self.between:
            self.between()
        return answer

    def _shown(self, forum: str) -> dict[str, Any]:
        others = [note for note in self.site.notes.values() if note["forum"] == forum != note["id"]]
        shape = _second if self.api == "v2" else dict
        return shape(self.site.notes[forum]) | {"details": {"replies": [shape(note) for note in others]}}

    async def _answer(self, request: web.Request, value: Any, status: int = 200) -> web.StreamResponse:
        headers = {name.lower(): one for name, one in request.headers.items()}
        params = dict(request.query)
        seen = Seen(
            *(len(self.seen), time.monotonic(), "openreview", request.method),
            *(f"{request.path} {params}", str(request.url), params, headers),
        )
        self.seen.append(seen)
        good = Complete(json.dumps(value).encode(), "application/json", status)
        try:
            return await (self.plan(seen) or Step()).send(request, good)
        except ConnectionError:
            return web.Response()  # nobody is there to get it
        except Exception as error:
            self._errors.append(error)
            raise


def _second(note: dict[str, Any]) -> dict[str, Any]:
    """A note as the second API has it."""
    kept = {name: value for name, value in note.items() if name not in ("invitation", "content")}
    content = {name: {"value": value} for name, value in note["content"].items()}
    return kept | {"invitations": ["X/-/Edit", note["invitation"]], "content": content}
