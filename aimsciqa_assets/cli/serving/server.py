"""A small http server for one machine: it listens on the loopback address and answers its own pages only.

A page of another site could make the browser send requests here. So the Host must be this address (no other
name that resolves to it), an Origin must be it too, and whoever writes must know the token that stands in the
review page alone.
"""

import hmac
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from aimsciqa.files import json_text
from aimsciqa_assets.cli.serving.desk import Desk
from aimsciqa_assets.cli.serving.page import POLICY, review_page
from aimsciqa_assets.judging.review.reviews import OutdatedReviewError, ReviewError

LOOPBACK: Final = "127.0.0.1"
MOST_BYTES: Final = 128 * 1024
TOKEN: Final = "X-Aimsciqa-Token"
_SECONDS: Final = 30
_HTML, _JSON = "text/html; charset=utf-8", "application/json"
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_NO_REPORT = "There is no report yet: `aimsciqa run` writes it. The review page is at /review."


class _RefusedError(Exception):
    """A request that is not answered as it was meant, with the status that says why."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class _Reply:
    content: bytes
    kind: str = _JSON
    headers: dict[str, str] = field(default_factory=dict)


class ReportServer(ThreadingHTTPServer):
    """Serves the report and the review page of a home; `address` is what to open."""

    daemon_threads = True

    def __init__(self, desk: Desk, port: int) -> None:
        super().__init__((LOOPBACK, port), _Handler)
        self.desk = desk
        self.token = secrets.token_urlsafe(32)

    def server_bind(self) -> None:
        """Bind, without looking up the name of the machine, which may take long."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = LOOPBACK, self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away meanwhile is no fault."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    @property
    def hosts(self) -> set[str]:
        """The names by which it may be asked."""
        return {f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost")}

    @property
    def address(self) -> str:
        """The address of the report; the review page is `review` below it."""
        return f"http://{LOOPBACK}:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ReportServer
    timeout = _SECONDS

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_HEAD(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def version_string(self) -> str:
        return "aimsciqa"

    def log_message(self, format: str, *arguments: Any) -> None:
        """Requests are not written to the terminal."""

    def _get(self) -> _Reply:
        path = urlsplit(self.path).path
        desk = self.server.desk
        if path in ("/", "/report.html"):
            report = desk.report()
            if report is None:
                raise _RefusedError(HTTPStatus.NOT_FOUND, _NO_REPORT)
            return _Reply(report, _HTML)
        if path == "/review":
            page = review_page(desk.name, self.server.token)
            return _Reply(page.encode(), _HTML, {"Content-Security-Policy": POLICY})
        if path == "/items":
            return _json(desk.items())
        if path.startswith("/items/"):
            item = desk.item(unquote(path.removeprefix("/items/")))
            if item is None:
                raise _RefusedError(HTTPStatus.NOT_FOUND, "There is no such item to review.")
            return _json(item)
        raise _RefusedError(HTTPStatus.NOT_FOUND, "There is nothing here.")

    def _post(self) -> _Reply:
        body = self._body()
        if urlsplit(self.path).path != "/reviews":
            raise _RefusedError(HTTPStatus.NOT_FOUND, "There is nothing here.")
        if self.headers.get("Origin") is None:
            raise _RefusedError(
                HTTPStatus.FORBIDDEN, "Only the review page may write: the Origin is missing."
            )
        if not hmac.compare_digest(self.headers.get(TOKEN, "").encode(), self.server.token.encode()):
            raise _RefusedError(HTTPStatus.FORBIDDEN, "This page is of an earlier server: load it again.")
        if self.headers.get_content_type() != _JSON:
            raise _RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "A review is JSON.")
        try:
            return _json(self.server.desk.add(body))
        except OutdatedReviewError as error:
            raise _RefusedError(HTTPStatus.CONFLICT, f"{error}. Load the page again.") from None
        except ReviewError as error:
            raise _RefusedError(HTTPStatus.BAD_REQUEST, str(error)) from None

    def _body(self) -> bytes:
        """The body of a request; one that is too long, or of unknown length, is not read."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or "Transfer-Encoding" in self.headers:
            self.close_connection = True
            raise _RefusedError(HTTPStatus.LENGTH_REQUIRED, "The length of the request is not given.")
        if len(length) > 9 or int(length) > MOST_BYTES:
            self.close_connection = True
            raise _RefusedError(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A review has at most {MOST_BYTES} bytes."
            )
        return self.rfile.read(int(length))

    def _check_who_asks(self) -> None:
        if self.headers.get("Host") not in self.server.hosts:
            raise _RefusedError(HTTPStatus.FORBIDDEN, f"Ask for {self.server.address}.")
        origin = self.headers.get("Origin")
        if origin is not None and origin not in {f"http://{host}" for host in self.server.hosts}:
            raise _RefusedError(HTTPStatus.FORBIDDEN, "Only its own pages may ask this server.")

    def _answer(self, reply_of: Callable[[], _Reply]) -> None:
        status = HTTPStatus.OK
        try:
            self._check_who_asks()
            reply = reply_of()
        except _RefusedError as refused:
            # A body may be left unread.
            self.close_connection = True
            status, reply = refused.status, _json({"error": str(refused)})
        except Exception as error:
            self.close_connection = True
            status, reply = (
                HTTPStatus.INTERNAL_SERVER_ERROR,
                _json({"error": f"{type(error).__name__}: {error}"}),
            )
        self.send_response(status)
        for name, value in (_HEADERS | reply.headers).items():
            self.send_header(name, value)
        self.send_header("Content-Type", reply.kind)
        self.send_header("Content-Length", str(len(reply.content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.content)


def _json(values: object) -> _Reply:
    return _Reply(json_text(values).encode())
