"""The server: three services under one address, in a thread while the context lasts."""

import time
from dataclasses import dataclass, field

from aiohttp import web

from tests.loopback import LoopbackServer
from tests.pmc_server import bucket, oai
from tests.pmc_server.archive import Archive
from tests.pmc_server.entrez import History
from tests.pmc_server.steps import Complete, Plan, Seen, Step


@dataclass
class PmcServer(LoopbackServer):
    """`plan` says what goes wrong and may be changed meanwhile; `page_size` is that of listings.

    An exception in server or plan reaches the client as status 500, and the test when the context ends.
    """

    archive: Archive = field(default_factory=Archive)
    plan: Plan = lambda _seen: None
    page_size: int = 1000
    most_ids: int = 10_000

    def __post_init__(self) -> None:
        self.seen: list[Seen] = []
        self.most_at_once = self._at_once = 0
        self._history = History(self.archive, self.most_ids)
        self._errors: list[Exception] = []

    @property
    def eutils_url(self) -> str:
        return f"{self.origin}/entrez/eutils"

    @property
    def bucket_url(self) -> str:
        return f"{self.origin}/bucket"

    @property
    def oai_url(self) -> str:
        return f"{self.origin}/api/oai/v1/mh/"

    def asked(self, service: str, text: str = "") -> list[Seen]:
        """The requests to a service whose target contains the text."""
        return [seen for seen in list(self.seen) if seen.service == service and text in seen.target]

    def most_per_second(self, service: str) -> int:
        """Requests in the busiest second."""
        times = [seen.at for seen in self.asked(service)]
        return max((sum(first <= at < first + 1 for at in times) for first in times), default=0)

    def _application(self) -> web.Application:
        app = web.Application()
        app.router.add_route("*", "/entrez/eutils/esearch.fcgi", self._esearch)
        app.router.add_get("/bucket/{key:.*}", self._bucket)
        app.router.add_get("/api/oai/v1/mh/", self._oai)
        return app

    async def _esearch(self, request: web.Request) -> web.StreamResponse:
        params = dict(request.query) | dict(await request.post())
        target = f"{params.get('term', '')} {params.get('retstart', '')}"
        return await self._answer(request, "eutils", target, params, lambda: self._history.answer(params))

    async def _bucket(self, request: web.Request) -> web.StreamResponse:
        key, params = request.match_info["key"], dict(request.query)
        if key or params.get("list-type") != "2":
            return await self._answer(request, "bucket", key, params, lambda: bucket.get(self.archive, key))
        target = f"list {params.get('prefix', '')} {params.get('continuation-token', '')}"
        return await self._answer(
            request, "bucket", target, params, lambda: bucket.listing(self.archive, params, self.page_size)
        )

    async def _oai(self, request: web.Request) -> web.StreamResponse:
        params = dict(request.query)
        return await self._answer(
            request, "oai", str(params), params, lambda: oai.list_records(self.archive, params)
        )

    async def _answer(self, request, service, target, params, good) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        seen = Seen(
            len(self.seen),
            time.monotonic(),
            service,
            request.method,
            target,
            str(request.url),
            params,
            headers,
        )
        self.seen.append(seen)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            answer: Complete = good()
            step = self.plan(seen) or Step()
            return await step.send(request, answer)
        except ConnectionError:
            return web.Response()  # nobody is there to get it
        except Exception as error:
            self._errors.append(error)
            raise
        finally:
            self._at_once -= 1
