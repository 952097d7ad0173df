"""What happens to a request: the steps, and the plans that choose one for each request."""

import asyncio
import random
import socket
import struct
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from aiohttp import web


@dataclass(frozen=True)
class Complete:
    """An answer as it should be."""

    body: bytes
    kind: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self) -> web.Response:
        return web.Response(
            body=self.body, status=self.status, content_type=self.kind, headers=dict(self.headers)
        )


@dataclass
class Seen:
    """A request that arrived: `service` is eutils, bucket or oai; `target` the key, prefix or parameters."""

    number: int
    at: float
    service: str
    method: str
    target: str
    url: str
    params: dict[str, str]
    headers: dict[str, str]


class Step:
    """What happens to one request; the plain step sends the good answer."""

    async def send(self, _request: web.Request, good: Complete) -> web.StreamResponse:
        return good.response()


@dataclass(frozen=True)
class Status(Step):
    """An HTTP status with this text."""

    code: int
    text: str = "<html>no</html>"
    headers: Mapping[str, str] = field(default_factory=dict)

    async def send(self, request, good):
        return Complete(self.text.encode(), "text/html", self.code, self.headers).response()


class Missing(Step):
    """The bucket says that there is no such object."""

    async def send(self, request, good):
        return no_such_key(request.path).response()


class CutBody(Step):
    """Half of the good answer, in a response that is complete."""

    async def send(self, request, good):
        return replace(good, body=good.body[: len(good.body) // 2]).response()


class OtherBytes(Step):
    """An answer of the right length with other bytes."""

    async def send(self, request, good):
        return replace(good, body=bytes(byte ^ 1 for byte in good.body)).response()


class CutConnection(Step):
    """The connection ends after half of the good answer."""

    async def send(self, request, good):
        response = await _begun(request, good)
        await response.write(good.body[: len(good.body) // 2])
        request.transport.abort()
        raise ConnectionResetError


class Reset(Step):
    """The connection is reset before any byte."""

    async def send(self, request, good):
        at_once = struct.pack("ii", 1, 0)
        request.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        request.transport.abort()
        raise ConnectionResetError


@dataclass(frozen=True)
class SlowDrip(Step):
    """The good answer, its bytes in 20 groups over so many seconds."""

    seconds: float

    async def send(self, request, good):
        response = await _begun(request, good)
        size = -(-len(good.body) // 20)
        for start in range(0, len(good.body), size):
            await asyncio.sleep(self.seconds / 20)
            await response.write(good.body[start : start + size])
        await response.write_eof()
        return response


Plan = Callable[[Seen], Step | None]


def always(text: str, step: Step) -> Plan:
    """This step for every request whose target contains the text."""
    return lambda seen: step if text in seen.target else None


def first_times(times: int, step: Step, text: str = "") -> Plan:
    """This step for the first requests whose target contains the text; each target is counted alone."""
    counted: Counter[str] = Counter()

    def plan(seen: Seen) -> Step | None:
        counted[seen.target] += 1
        return step if text in seen.target and counted[seen.target] <= times else None

    return plan


def share(fraction: float, seed: int, *steps: Step) -> Plan:
    """One of these steps for a share of the requests; every attempt at the same request is drawn anew."""
    times: Counter[str] = Counter()

    def plan(seen: Seen) -> Step | None:
        times[seen.target] += 1
        dice = random.Random(f"{seed} {seen.target} {times[seen.target]}")
        return dice.choice(steps) if dice.random() < fraction else None

    return plan


def no_such_key(key: str) -> Complete:
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The specified key '
        f"does not exist.</Message><Key>{key}</Key><RequestId>1</RequestId></Error>"
    )
    return Complete(text.encode(), "application/xml", 404)


async def _begun(request: web.Request, good: Complete) -> web.StreamResponse:
    headers = {"Content-Type": good.kind, "Content-Length": str(len(good.body)), **good.headers}
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    return response
