"""A server of S3 on this machine, for tests."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

_STARTING_SECONDS = 120
# The log colours what is not answered with 200.
_REQUEST = re.compile(r'"(?:\x1b\[\d+m)*([A-Z]+) (\S+) HTTP/1')
_KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "word", "AWS_REGION": "us-east-1"}


def access_to(address: str) -> dict[str, str]:
    """The variables with which a server is reached."""
    return _KEYS | {"AWS_ENDPOINT_URL_S3": address}


@contextmanager
def s3_server(folder: Path, bucket: str) -> Iterator[str]:
    """The address of a server with an empty bucket; skips the test where there is no server to start."""
    pytest.importorskip("moto", reason="needs a server of S3: make test-cluster")
    port = free_port()
    with (folder / "log").open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=output,
            stderr=output,
            env={**os.environ, **_KEYS},
        )
    try:
        address = f"http://127.0.0.1:{port}"
        make_bucket(f"{address}/{bucket}")
        yield address
    finally:
        server.terminate()
        server.wait()


def requests_in(folder: Path) -> list[tuple[str, str]]:
    """Method and path of every request to a server so far, from its log."""
    lines = (folder / "log").read_text().splitlines()
    found = (_REQUEST.search(line) for line in lines)
    return [(one[1], one[2]) for one in found if one]


def free_port() -> int:
    """A port at which nobody answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def make_bucket(bucket: str) -> None:
    """Make an empty bucket at this address, once its server answers."""
    give_up = time.monotonic() + _STARTING_SECONDS
    while True:
        try:
            urlopen(Request(bucket, method="PUT"), timeout=30).close()
        except HTTPError:
            raise
        except (URLError, OSError):
            if time.monotonic() > give_up:
                raise
            time.sleep(0.2)
        else:
            return
