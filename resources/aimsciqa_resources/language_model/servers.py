"""The servers of one model: which of them a request goes to, and what happens when one is down.

Requests with the same affinity (a paper, a dialogue) go to the same server, whose cache knows the beginning
of their prompts. Rendezvous hashing gives every affinity an order of all servers: a server that is added or
lost moves only its own share. Three rules:

- Home: a request goes to the first server of its order that is up.
- Bounded load: when home has no free slot and is far busier than the servers are on average (1.25 times,
  counting what waits), the request goes to the next server of its order that has a free slot.
- Failover: a request that failed in passing tries the next server of its order. A server where nothing
  succeeds (`Pace.probing`) is down: what waits for it moves on, and it is looked at now and then until it
  answers again. While all are down, each is probed as a single server is.

A server that comes back with another model, or another length of it, is left out like one that is down: the
others go on without it.

Rendezvous hashing: Thaler and Ravishankar 1998; bounded loads: Mirrokni, Thorup and Zadimoghaddam 2018.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from aimsciqa_resources.language_model.engine import Engine
from aimsciqa_resources.language_model.interface import ModelRefusedError
from aimsciqa_resources.language_model.offers import Offer, difference
from aimsciqa_resources.language_model.pace import Pace
from aimsciqa_resources.language_model.settings import ModelSettings

_FAR_BUSIER = 1.25
_WATCH_SECONDS = 1.0
_LONGEST_LOOK_SECONDS = 15.0
_BLIND_TURNS = 5

_log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class Server:
    """A server by its name (host and port), with the pace at which it is asked; "" in this process.

    `strange` says what it serves instead of what the others serve; empty: the same, as far as it is known.
    """

    name: str
    engine: Engine
    pace: Pace
    offer: Offer | None = None
    strange: str = ""
    told_down: bool = False

    @property
    def is_down(self) -> bool:
        """Whether nothing succeeds there, or it serves something else."""
        return self.pace.probing or bool(self.strange)


class Servers:
    """All servers of a model, for one stream of requests in one event loop."""

    def __init__(self, settings: ModelSettings, engines: Mapping[str, Engine]) -> None:
        self.all = [Server(name, engine, Pace(settings.in_flight)) for name, engine in engines.items()]
        self._settings = settings

    async def start(self) -> None:
        """Start all; of several, those that do not answer are down at first.

        Raises what `Engine.start` raises, and `ModelRefusedError` where they do not serve the same model.
        """
        offers = await asyncio.gather(*(server.engine.start() for server in self.all))
        if len(self.all) == 1:
            return
        for server, offer in zip(self.all, offers, strict=True):
            server.offer = offer
        if said := difference(self._settings.name, self._offers()):
            raise ModelRefusedError(said)
        if any(offers):
            for server in self.all:
                if server.offer is None:
                    server.pace.begin_outage()
            self.settle()

    async def close(self) -> None:
        """Close all connections."""
        await asyncio.gather(*(server.engine.close() for server in self.all))

    async def enter(self, affinity: str, *, returning: bool, after: Server | None = None) -> Server:
        """Wait for a slot of the server that takes this request, and take it.

        `after` is the server where the last attempt failed: another one is tried next.
        """
        while True:
            server = self._chosen(affinity, after)
            if await server.pace.enter(returning=returning):
                return server

    def settle(self) -> None:
        """Send what waits for a server that is down to others, as long as one is up."""
        if len(self.all) == 1:
            return
        if all(server.is_down for server in self.all):
            return
        for server in self.all:
            if server.is_down:
                server.pace.dismiss()
            if server.is_down != server.told_down:
                server.told_down = server.is_down
                if server.strange:
                    continue
                said = "does not answer: others take its requests" if server.is_down else "answers again"
                _log.warning("%s at %s %s.", self._settings.name, server.name, said)

    async def is_strange(self, server: Server) -> bool:
        """Whether a server that refused a request serves something else than the others: it is left out then.

        Raises as `_look_for`.
        """
        if len(self.all) > 1:
            await self._look_for(server)
        return bool(server.strange)

    async def follow(self, server: Server) -> None:
        """Adapt the slots of a server to its queue; while it is down and others are up, look for it."""
        blind, pause = 0, _WATCH_SECONDS
        while True:
            await asyncio.sleep(pause)
            if server.strange or (server.is_down and not all(one.is_down for one in self.all)):
                pause = min(2 * pause, _LONGEST_LOOK_SECONDS)
                await self._look_for(server)
                continue
            if not server.pace.stalled_seconds:
                pause = _WATCH_SECONDS
            if server.offer is None and len(self.all) > 1:
                # It was down when the others were compared, and was found again by a request.
                await self._look_for(server)
            load = await server.engine.load()
            if load is not None:
                blind = 0
                server.pace.move_ceiling(load.running, load.waiting, self._settings.most_in_flight)
            elif (blind := blind + 1) == _BLIND_TURNS:
                server.pace.set_ceiling(self._settings.in_flight)

    @property
    def limit(self) -> int:
        """The number of slots at the moment."""
        return sum(server.pace.limit for server in self.all)

    @property
    def running(self) -> int:
        """Requests in flight."""
        return sum(server.pace.running for server in self.all)

    @property
    def stalled_seconds(self) -> float:
        """For how long every attempt has failed, wherever it was made."""
        return min(server.pace.stalled_seconds for server in self.all if not server.strange)

    def end_outage(self) -> None:
        """All requests may try at once."""
        for server in self.all:
            server.pace.end_outage()

    async def _look_for(self, server: Server) -> None:
        """Look at a server: one that answers is used again, if it serves what the others serve.

        Raises `ModelRefusedError` when no server is left that serves what they served.
        """
        if (offer := await server.engine.look()) is None:
            return
        said = difference(self._settings.name, self._offers() | {server.name: offer}) or ""
        if said and all(one.strange for one in self.all if one is not server):
            raise ModelRefusedError(said)
        if said and said != server.strange:
            _log.warning("%s at %s is left out. %s", self._settings.name, server.name, said)
        server.strange = said
        if not said:
            server.offer = offer
            server.pace.end_outage()
        self.settle()

    def _offers(self) -> dict[str, Offer]:
        """What each server served when it was used last."""
        return {server.name: server.offer for server in self.all if server.offer is not None}

    def _chosen(self, affinity: str, after: Server | None) -> Server:
        if len(self.all) == 1:
            return self.all[0]
        order = sorted(self.all, key=lambda server: _weight(server.name, affinity), reverse=True)
        known = [server for server in order if not server.strange]
        up = [server for server in known if not server.is_down] or known
        home, *others = [server for server in up if server is not after] or up
        if home.pace.has_room:
            return home
        mean = sum(server.pace.load for server in up) / len(up)
        if home.pace.load > _FAR_BUSIER * mean:
            return next((server for server in others if server.pace.has_room), home)
        return home


def _weight(server: str, affinity: str) -> bytes:
    """How much an affinity belongs to a server, in hash order."""
    return blake2b(f"{server}\0{affinity}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
