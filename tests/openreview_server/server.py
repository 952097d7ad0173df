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
from tests.review_notes import CONFERENCE, EPOCH

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
    duedate: int | None = None

    def __post_init__(self) -> None:
        self.seen: list[Seen] = []
        self._errors: list[Exception] = []

    def _application(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/{api}/login", self._login)
        app.router.add_get("/{api}/notes", self._notes)
        app.router.add_get("/{api}/invitations", self._invitations)
        app.router.add_get("/v1/references", self._references)
        app.router.add_get("/v2/notes/edits", self._edits)
        app.router.add_get("/v1/references/pdf", self._pdf)
        app.router.add_get("/v2/notes/edits/attachment", self._pdf)
        app.router.add_get("/{api}/pdf", self._newest_pdf)
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
        if "id" in params:
            return await self._answer(request, {"notes": self._found(request)})
        if params["sort"] == "tmdate:desc":
            return await self._answer(request, {"notes": self._newest(request)})
        has_it = request.match_info["api"] == self.api and params["invitation"].endswith("/Blind_Submission")
        after = params.get("after", "")
        forums = [forum for forum in self.site.forums if has_it and forum > after]
        page = [self._shown(forum) for forum in forums[: int(params["limit"])]]
        answer = await self._answer(request, {"notes": page, "count": len(forums)})
        if self.between:
            self.between()
        return answer

    def _found(self, request: web.Request) -> list[dict[str, Any]]:
        """The forum with an id, if there is one that may be seen."""
        note = self.site.notes.get(request.query["id"])
        has_it = request.match_info["api"] == self.api and note and "ddate" not in note
        return [self._shown(note["id"])] if note and has_it else []

    def _newest(self, request: web.Request) -> list[dict[str, Any]]:
        """A page of all notes, the newest first; each API has its own parameter for the venue."""
        params, api = request.query, request.match_info["api"]
        named = params.get("invitation") == f"{CONFERENCE}/.*" if api == "v1" else "domain" in params
        if api != self.api or not named:
            return []
        notes = [note for note in self.site.notes.values() if params.get("trash") or "ddate" not in note]
        notes.sort(key=lambda note: (-note["tmdate"], note["id"]))
        start = int(params["offset"])
        shape = _second if api == "v2" else dict
        return [shape(note) for note in notes[start : start + int(params["limit"])]]

    def _shown(self, forum: str) -> dict[str, Any]:
        others = [note for note in self.site.notes.values() if note["forum"] == forum != note["id"]]
        shape = _second if self.api == "v2" else dict
        return shape(self.site.notes[forum]) | {"details": {"replies": [shape(note) for note in others]}}

    async def _invitations(self, request: web.Request) -> web.StreamResponse:
        one = {"id": request.query["id"]} | ({"duedate": self.duedate} if self.duedate else {})
        has_it = one["id"].endswith("/Blind_Submission") and request.match_info["api"] == self.api
        return await self._answer(request, {"invitations": [one] if has_it else []})

    async def _references(self, request: web.Request) -> web.StreamResponse:
        uploads = self._uploads(request.query["referent"] if self.api == "v1" else "")
        listed = [one | {"content": {"title": "T", "pdf": f"/pdf/{one['id']}.pdf"}} for one in uploads]
        renamed = {"id": "renamed", "tcdate": EPOCH, "content": {"title": "Another title"}}
        return await self._answer(request, {"references": [renamed, *reversed(listed)]})

    async def _edits(self, request: web.Request) -> web.StreamResponse:
        uploads = self._uploads(request.query["note.id"] if self.api == "v2" else "")
        note = {"content": {"pdf": {"value": "/pdf/1.pdf"}}}
        listed = [one | {"note": note} for one in uploads]
        return await self._answer(request, {"edits": [{"id": "renamed", "tcdate": EPOCH}, *listed]})

    def _uploads(self, forum: str) -> list[dict[str, Any]]:
        uploads = enumerate(self.site.uploads.get(forum, []))
        return [{"id": f"{forum}.{place}", "tcdate": EPOCH + 1000 * at} for place, (at, _) in uploads]

    async def _pdf(self, request: web.Request) -> web.StreamResponse:
        forum, _, place = request.query["id"].partition(".")
        return await self._send(request, Complete(self.site.uploads[forum][int(place)][1], "application/pdf"))

    async def _newest_pdf(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, {"name": "NotFoundError"}, 404)

    async def _answer(self, request: web.Request, value: Any, status: int = 200) -> web.StreamResponse:
        return await self._send(request, Complete(json.dumps(value).encode(), "application/json", status))

    async def _send(self, request: web.Request, good: Complete) -> web.StreamResponse:
        headers = {name.lower(): one for name, one in request.headers.items()}
        params = dict(request.query)
        seen = Seen(
            *(len(self.seen), time.monotonic(), "openreview", request.method),
            *(f"{request.path} {params}", str(request.url), params, headers),
        )
        self.seen.append(seen)
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
