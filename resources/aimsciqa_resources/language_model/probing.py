"""Answers of servers before a run: whether they are up, take the key, have the model, and what time it is.

A server is down if no connection to it comes about in time. One that accepts a connection and does not answer
in time is slow to answer, perhaps because it works on much.

Nothing that is asked here costs money. A list of models (`/models`) says most. If there is none, or if it
leaves open whether the model is served, the server gets a request without messages. A server that has the
model objects to the missing messages, or answers; a server without the model says so.
"""

import re
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Literal
from urllib.parse import quote

import httpx2

from aimsciqa_resources.bounded_http import BoundedClient, ForeignRedirectError
from aimsciqa_resources.language_model.offers import Offer, read_offer
from aimsciqa_resources.language_model.server_faults import error_message, without_secrets
from aimsciqa_resources.printable import printable

_MOST_BYTES = 2 * 2**20
# For everything: looking the names up, connecting, and waiting for the answers. Servers are asked at once.
_SECONDS = 4.0
_CONNECTED = "connection.connect_tcp.complete"
_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
_KEY = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_NOWHERE = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)
_UNSERVED = (HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND)
_BUSY = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
_ENDPOINT = re.compile(r"(/chat/completions|/completions|/embeddings|/models)$")
_NO_MODEL = re.compile(
    r"\bmodel\b.*(not found|not exist|unknown)|(unknown|invalid|no such|not a valid) model", re.IGNORECASE
)

Trouble = Literal["", "down", "slow", "key", "address", "model"]


@dataclass(frozen=True, slots=True)
class Service:
    """A model at a server (`address` up to /v1), the key or "", and whether it encodes texts."""

    address: str
    model: str
    key: str = field(default="", repr=False)
    embeds: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of the questions: the trouble ("" for none) with its `reason`, and what the server offers.

    `better` is an address that answers in place of a wrong one. `skew_seconds` is how far the server's clock
    is ahead of ours, None where it tells no time; servers tell whole seconds.
    """

    trouble: Trouble = ""
    reason: str = ""
    better: str = ""
    offer: Offer = field(default_factory=Offer)
    skew_seconds: float | None = None


def answers_of(services: Iterable[Service]) -> dict[Service, Answer]:
    """Return the answer of each service, within five seconds. A key is sent to its own server only."""
    visits = {service: _Visit(service) for service in services}
    threads = [threading.Thread(target=visit.pay, daemon=True) for visit in visits.values()]
    for thread in threads:
        thread.start()
    ends = time.monotonic() + _SECONDS
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))
    return {service: visit.answer() for service, visit in visits.items()}


class _Visit:
    """The questions to a server, from a thread of its own: the time may be over before they end."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._is_connected = False
        self._answer: Answer | None = None

    def answer(self) -> Answer:
        """Return what is known by now."""
        if self._answer is not None:
            return self._answer
        if self._is_connected:
            return Answer("slow", f"it accepts connections, and did not answer within {_SECONDS:g} s")
        return Answer("down", f"no connection within {_SECONDS:g} s")

    def pay(self) -> None:
        """Connect, ask for the list of models, and then for what the list leaves open."""
        key = self._service.key
        if not (key.isascii() and key.isprintable()):
            self._answer = Answer("key", "it has characters that cannot be sent")
            return
        try:
            with BoundedClient(_MOST_BYTES, _SECONDS) as client:
                self._ask(client)
        except httpx2.TimeoutException:
            return
        except httpx2.ConnectError as error:
            self._conclude("down", str(error) or type(error).__name__)
        except ForeignRedirectError as error:
            self._conclude("address", str(error))
        except (httpx2.NetworkError, httpx2.ProtocolError) as error:
            self._conclude("slow", f"it accepts connections, and breaks them off ({type(error).__name__})")
        except (httpx2.HTTPError, OSError, *_UNREADABLE):
            # It is up. What it complains of will show in its replies.
            self._conclude("", "")

    def _conclude(self, trouble: Trouble, reason: str) -> None:
        """Keep what an error says, unless the list of models came before it."""
        self._answer = self._answer or Answer(trouble, printable(reason))

    def _ask(self, client: BoundedClient) -> None:
        service = self._service

        def send(path: str, body: Any = None, address: str = service.address) -> httpx2.Response:
            return client.request(
                "GET" if body is None else "POST",
                address.rstrip("/") + path,
                json=body,
                timeout=_SECONDS,
                headers={"Authorization": f"Bearer {service.key}"} if service.key else {},
                extensions={"trace": self._note},
            )

        began = time.time()
        listed = send("/models")
        skew = _skew(listed, (began + time.time()) / 2)
        offer = _offer(listed)
        self._answer = known = Answer(offer=offer or Offer(), skew_seconds=skew)
        if offer is not None and offer.serves(service.model):
            return
        if listed.status_code in _BUSY or listed.is_server_error:
            return
        trouble, reason = _trouble_of(service, listed, offer, send)
        better = _better_address(service.address, send) if trouble == "address" else ""
        self._answer = replace(known, trouble=trouble, reason=reason, better=better)

    def _note(self, event: str, _told: object) -> None:
        self._is_connected = self._is_connected or event == _CONNECTED


_Send = Callable[..., httpx2.Response]


def _trouble_of(
    service: Service, listed: httpx2.Response, offer: Offer | None, send: _Send
) -> tuple[Trouble, str]:
    """The trouble with a server whose list of models lacks the model, or that has no list, and its reason."""
    if offer is not None and offer.models:
        if _has(service.model, send):
            return "", ""
        if offer.serves(service.model) is False and not service.embeds:
            return "model", ""
    trouble, reason = _knock(service, send)
    if listed.status_code in _KEY and trouble:
        return "key", ""
    if offer is not None and trouble == "address":
        return "model", reason
    return trouble, reason


def _has(model: str, send: _Send) -> bool:
    """Whether a server describes a model that it does not list, such as one with an alias."""
    described = send(f"/models/{quote(model, safe='/:@')}")
    try:
        return described.is_success and isinstance(described.json()["id"], str)
    except _UNREADABLE:
        return False


def _knock(service: Service, send: _Send) -> tuple[Trouble, str]:
    """Send a request with nothing in it, which costs nothing, and read what the server objects to."""
    body: dict[str, Any] = {"model": service.model}
    if service.embeds:
        reply = send("/embeddings", body | {"input": []})
    else:
        reply = send("/chat/completions", body | {"messages": [], "max_tokens": 1})
    said = without_secrets(error_message(reply.content), service.key)
    reason = f"{reply.status_code}: {said}" if said and not _is_page(reply) else f"{reply.status_code}"
    if _is_page(reply):
        return ("key" if reply.status_code in _KEY else "address"), reason
    if reply.status_code in _KEY:
        return "key", reason
    named = re.search(rf"(?<![\w.-]){re.escape(service.model)}(?![\w-])", said)
    if reply.status_code in _UNSERVED and (_NO_MODEL.search(said) or (named and reply.status_code == 404)):
        return "model", reason
    if reply.status_code in _NOWHERE or (reply.is_success and not _is_reply(reply)):
        return "address", reason
    return "", ""


def _is_page(reply: httpx2.Response) -> bool:
    """Whether a person should read this, and no program."""
    return "html" in reply.headers.get("content-type", "") or reply.content.lstrip()[:1] == b"<"


def _is_reply(reply: httpx2.Response) -> bool:
    try:
        return not {"choices", "data"}.isdisjoint(reply.json())
    except _UNREADABLE:
        return False


def _better_address(address: str, send: _Send) -> str:
    """An address near a wrong one where a list of models is, or is kept for those who have a key."""
    bare = _ENDPOINT.sub("", address.rstrip("/"))
    for near in dict.fromkeys((bare, bare.removesuffix("/v1"), f"{bare}/v1", f"{bare}/api/v1")):
        if near == address.rstrip("/"):
            continue
        try:
            listed = send("/models", address=near)
        except httpx2.HTTPError:
            continue
        if _offer(listed) is not None or listed.status_code in _KEY:
            return near
    return ""


def _offer(listed: httpx2.Response) -> Offer | None:
    """The offer in a list of models; None for anything else."""
    try:
        return read_offer(listed.text) if listed.is_success else None
    except _UNREADABLE:
        return None


def _skew(answer: httpx2.Response, now: float) -> float | None:
    """How far the clock of a server is ahead of ours."""
    try:
        told: datetime = parsedate_to_datetime(answer.headers.get("date", ""))
    except ValueError:
        return None
    return told.timestamp() - now
