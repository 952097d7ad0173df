"""One polite HTTP client for all services of PubMed Central.

It is built on `httpx2` (which comes with `openai`), without asyncio: its callers are synchronous, reading
inventories keeps the processor busy and would block an event loop, and threads suffice for eight downloads at
once. Every attempt takes its turn at the gate of its service. An answer is read and parsed within an attempt,
so that a cut or garbled answer is asked for again.
"""

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self, TypeVar
from urllib.parse import quote

import httpx2

from aimsciqa_resources.disk import new_file
from aimsciqa_resources.pmc.errors import (
    DeadlineError,
    NoContactError,
    PmcError,
    ServiceUnavailableError,
    UnexpectedAnswerError,
    WrongDigestError,
)
from aimsciqa_resources.pmc.faults import fault_of_status
from aimsciqa_resources.pmc.settings import PmcSettings
from aimsciqa_resources.politeness import Gate, Persistence

T = TypeVar("T")
ServiceName = Literal["E-utilities", "bucket", "OAI-PMH"]

_SEARCHES_PER_SECOND = 3.0
_SEARCHES_PER_SECOND_WITH_KEY = 10.0
_HARVESTS_PER_SECOND = 3.0
_LONGEST_ANSWER: Final = 64 * 2**20
_LONGEST_COMPLAINT: Final = 2**16
# A part of the inventory has some hundred megabytes.
_LONGEST_FILE: Final = 4 * 2**30


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete answer with status 200; `etag` is its ETag without quotes."""

    content: bytes
    etag: str = ""


@dataclass(frozen=True, slots=True)
class _Request:
    """A request, its name for messages, and its deadline (`ends`, monotonic seconds).

    `form` is sent as a POST, so that the key is in no URL and in no log of URLs.
    """

    service: ServiceName
    name: str
    url: str
    ends: float
    params: Mapping[str, str] | None = None
    form: Mapping[str, str] | None = None


class PmcClient:
    """The client; safe to use from many threads, closed with its context."""

    def __init__(
        self,
        settings: PmcSettings,
        environment: Mapping[str, str] = os.environ,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.settings = settings
        self._sleep = sleep
        self._key = environment.get(settings.api_key_variable, "").strip()
        if not (self._key.isascii() and (self._key.isalnum() or not self._key)):
            raise NoContactError(f"What {settings.api_key_variable} holds is not an NCBI key.")
        searches = _SEARCHES_PER_SECOND_WITH_KEY if self._key else _SEARCHES_PER_SECOND
        self._gates: dict[ServiceName, Gate] = {
            "E-utilities": Gate(searches, 3, sleep),
            "bucket": Gate(None, settings.downloads_at_once, sleep),
            "OAI-PMH": Gate(_HARVESTS_PER_SECOND, 1, sleep),
        }
        contact = f" (mailto:{settings.email})" if settings.email else ""
        self._http = httpx2.Client(
            headers={"User-Agent": f"{settings.tool}{contact}", "Accept-Encoding": "identity"},
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=settings.downloads_at_once),
            follow_redirects=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def search(self, form: Mapping[str, str], understand: Callable[[Answer], T]) -> T:
        """One esearch, with `tool`, `email` and the key added.

        Raises `NoContactError` when no e-mail address is set, and whatever `understand` raises.
        """
        if not self.settings.email:
            raise NoContactError(
                "NLM asks for an e-mail address with every search: set AIMSCIQA_PMC_EMAIL to yours."
            )
        ours = {"tool": self.settings.tool, "email": self.settings.email}
        key = {"api_key": self._key} if self._key else {}
        url = f"{self.settings.eutils_url.rstrip('/')}/esearch.fcgi"
        request = _Request("E-utilities", "esearch", url, self._ends(), form={**form, **ours, **key})
        return self._ask(request, lambda response: understand(self._whole(response, request)))

    def harvest(self, params: Mapping[str, str], understand: Callable[[Answer], T]) -> T:
        """One OAI-PMH request."""
        request = _Request("OAI-PMH", "OAI-PMH", self.settings.oai_url, self._ends(), params=params)
        return self._ask(request, lambda response: understand(self._whole(response, request)))

    def listing(self, params: Mapping[str, str], understand: Callable[[Answer], T]) -> T:
        """One page of a listing of the bucket."""
        name = f"the listing of {params.get('prefix', '')!r}"
        request = _Request("bucket", name, f"{self._bucket}/", self._ends(), params=params)
        return self._ask(request, lambda response: understand(self._whole(response, request)))

    def read(self, key: str, understand: Callable[[Answer], T]) -> T:
        """A small object of the bucket. Raises `NoSuchObjectError`."""
        request = _Request("bucket", key, f"{self._bucket}/{quote(key)}", self._ends())
        return self._ask(request, lambda response: understand(self._whole(response, request)))

    def save(self, key: str, md5: str, file: Path, deadline_seconds: float | None = None) -> None:
        """Download an object of the bucket into a file, and check its MD5.

        Raises `NoSuchObjectError`, and `UnwritableError` when the file cannot be written.
        """
        ends = self._ends(deadline_seconds)
        request = _Request("bucket", key, f"{self._bucket}/{quote(key)}", ends)

        def keep(response: httpx2.Response) -> None:
            digest = hashlib.md5(usedforsecurity=False)
            room = _LONGEST_FILE
            with new_file(file) as write:
                for chunk in self._in_time(response.iter_raw(), request):
                    digest.update(chunk)
                    room -= len(chunk)
                    if room < 0:
                        raise UnexpectedAnswerError(f"{key}: a file of more than {_LONGEST_FILE:,} bytes.")
                    write(chunk)
            if digest.hexdigest() != md5:
                raise WrongDigestError(f"{key}: its MD5 should be {md5} and is {digest.hexdigest()}.")

        self._ask(request, keep)

    @property
    def _bucket(self) -> str:
        return self.settings.bucket_url.rstrip("/")

    def _ends(self, deadline_seconds: float | None = None) -> float:
        return time.monotonic() + (deadline_seconds or self.settings.deadline_seconds)

    def _ask(self, request: _Request, consume: Callable[[httpx2.Response], T]) -> T:
        """Try until an attempt succeeds, or another one would be useless or too late."""
        settings = self.settings
        persistence = Persistence(settings.attempts, settings.first_retry_seconds, self._sleep)
        gate = self._gates[request.service]
        return persistence.insist(gate, request.ends, lambda: self._attempt(request, consume))

    def _attempt(self, request: _Request, consume: Callable[[httpx2.Response], T]) -> T:
        left = max(0.001, request.ends - time.monotonic())
        try:
            with self._http.stream(
                "POST" if request.form else "GET",
                request.url,
                params=request.params,
                data=request.form,
                timeout=min(self.settings.timeout_seconds, left),
            ) as response:
                if response.status_code != httpx2.codes.OK:
                    raise self._fault(request, response)
                return consume(response)
        except httpx2.HTTPError as error:
            # Without its cause, which holds the request and with it the key.
            raise ServiceUnavailableError(f"{request.name}: {type(error).__name__}: {error}") from None

    def _fault(self, request: _Request, response: httpx2.Response) -> PmcError:
        """The error for a status, without the key: servers quote wrong keys in their complaints."""
        complaint = b""
        for chunk in self._in_time(response.iter_bytes(), request):
            complaint += chunk
            if len(complaint) > _LONGEST_COMPLAINT:
                break
        text = complaint.decode("utf-8", "replace")
        if self._key:
            text = text.replace(self._key, "(the key)")
        return fault_of_status(request.name, response.status_code, text, response.headers)

    def _whole(self, response: httpx2.Response, request: _Request) -> Answer:
        content = bytearray()
        for chunk in self._in_time(response.iter_bytes(), request):
            content += chunk
            if len(content) > _LONGEST_ANSWER:
                raise UnexpectedAnswerError(
                    f"{request.name}: an answer of more than {_LONGEST_ANSWER:,} bytes."
                )
        return Answer(bytes(content), response.headers.get("etag", "").strip('"'))

    def _in_time(self, body: Iterator[bytes], request: _Request) -> Iterator[bytes]:
        """The body as it arrives; a slow server cannot hold us beyond the deadline."""
        for chunk in body:
            if time.monotonic() > request.ends:
                raise DeadlineError(f"{request.name}: not complete within the deadline.")
            yield chunk
