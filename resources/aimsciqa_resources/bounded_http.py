"""HTTP clients that read a limited number of bytes and send nothing to any origin but the one they ask.

A model server must not decide how much memory we use, nor who else gets our prompts. Bytes are counted after
decompression, which `httpx2` does in pieces of a megabyte.
"""

import time
from typing import Any

import httpx2
import openai

_MOST_REDIRECTS = 5
_LONGEST_COMPLAINT = 100_000
_OF_THE_BODY = ("content-encoding", "content-length", "transfer-encoding")


class LongAnswerError(httpx2.RequestError):
    """The answer has more bytes than the client accepts."""


class ForeignRedirectError(httpx2.RequestError):
    """The server redirects to another origin; nothing was sent there."""


class BoundedClient(httpx2.Client):
    """A client for threads. It reads an answer whole; the text of an error answer may be cut."""

    def __init__(self, most_bytes: int, most_seconds: float) -> None:
        super().__init__()
        self._most_bytes = most_bytes
        self._most_seconds = most_seconds

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """The answer, after redirects within the origin.

        Raises `LongAnswerError`, `ForeignRedirectError` and what `httpx2` raises.
        """
        ends = time.monotonic() + self._most_seconds
        for _ in range(_MOST_REDIRECTS):
            answer = super().send(request, **_unread(options))
            try:
                body = _Body(answer, self._most_bytes)
                for part in answer.iter_bytes():
                    if body.is_full_with(part):
                        break
                    if time.monotonic() > ends:
                        raise httpx2.ReadTimeout(f"no complete answer within {self._most_seconds:g} s")
            finally:
                answer.close()
            following = _following(answer)
            if following is None:
                return body.response()
            request = following
        raise httpx2.TooManyRedirects(f"more than {_MOST_REDIRECTS} redirects", request=request)


class AsyncBoundedClient(openai.DefaultAioHttpClient):
    """A client for an event loop; its caller limits the time."""

    def __init__(self, most_bytes: int, **options: Any) -> None:
        super().__init__(**options)
        self._most_bytes = most_bytes

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """As `BoundedClient.send`."""
        for _ in range(_MOST_REDIRECTS):
            answer = await super().send(request, **_unread(options))
            try:
                body = _Body(answer, self._most_bytes)
                async for part in answer.aiter_bytes():
                    if body.is_full_with(part):
                        break
            finally:
                await answer.aclose()
            following = _following(answer)
            if following is None:
                return body.response()
            request = following
        raise httpx2.TooManyRedirects(f"more than {_MOST_REDIRECTS} redirects", request=request)


class _Body:
    """The bytes that were read of an answer."""

    def __init__(self, answer: httpx2.Response, most_bytes: int) -> None:
        self._answer = answer
        self._parts: list[bytes] = []
        self._room = most_bytes if answer.is_success else _LONGEST_COMPLAINT
        self._most_bytes = most_bytes

    def is_full_with(self, part: bytes) -> bool:
        """Add a part; True when no more need be read. Raises `LongAnswerError`."""
        self._parts.append(part)
        self._room -= len(part)
        if self._room < 0 and self._answer.is_success:
            raise LongAnswerError(
                f"an answer of more than {self._most_bytes:,} bytes, the most that is read",
                request=self._answer.request,
            )
        return self._room < 0

    def response(self) -> httpx2.Response:
        """The answer with this body."""
        headers = [
            (name, value) for name, value in self._answer.headers.multi_items() if name not in _OF_THE_BODY
        ]
        return httpx2.Response(
            self._answer.status_code,
            headers=headers,
            content=b"".join(self._parts),
            request=self._answer.request,
            extensions=self._answer.extensions,
        )


def _unread(options: dict[str, Any]) -> dict[str, Any]:
    return options | {"stream": True, "follow_redirects": False}


def _following(answer: httpx2.Response) -> httpx2.Request | None:
    """The request that a redirect asks for; None for any other answer."""
    following = answer.next_request
    if following is not None and _origin(following) != _origin(answer.request):
        raise ForeignRedirectError(
            f"it redirects to {_origin(following)}, which is another origin than {_origin(answer.request)}: "
            "nothing was sent there",
            request=answer.request,
        )
    return following


def _origin(request: httpx2.Request) -> str:
    return f"{request.url.scheme}://{request.url.netloc.decode('ascii')}"
