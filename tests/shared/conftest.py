"""The place that workers share, as a folder and as a bucket of a server of S3 on this machine."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Thread

import pytest

from tests.s3_server import access_to, s3_server

_NUMBERS = count()


@pytest.fixture(scope="session", autouse=True)
def _environment() -> None:
    pytest.importorskip("obstore", reason="needs a client of S3: make test-cluster")


@pytest.fixture(scope="session")
def s3(tmp_path_factory) -> Iterator[str]:
    """The address of a server with the bucket `papers`."""
    with s3_server(tmp_path_factory.mktemp("s3"), "papers") as address:
        yield address


@pytest.fixture
def bucket(s3, monkeypatch) -> str:
    """An empty place in the bucket."""
    for name, value in access_to(s3).items():
        monkeypatch.setenv(name, value)
    return f"s3://papers/place-{next(_NUMBERS)}"


@pytest.fixture(params=["folder", "bucket"])
def place(request, tmp_path) -> str:
    """An empty place, as `AIMSCIQA_SHARED` names it."""
    if request.param == "bucket":
        named: str = request.getfixturevalue("bucket")
        return named
    (tmp_path / "shared").mkdir()
    return str(tmp_path / "shared")


class _Refusing(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self._refuse(b"")

    def do_GET(self) -> None:
        self._refuse(b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>")

    def _refuse(self, told: bytes) -> None:
        self.send_response(403)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *_told: object) -> None:
        """Say nothing."""


@pytest.fixture
def refusing() -> Iterator[str]:
    """The address of a server that refuses the keys."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Refusing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
