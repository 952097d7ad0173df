"""The real engine: a vLLM server on a free port with a model of random weights, made on the spot."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("vllm", reason="needs vLLM in its own environment: make test-vllm")

STARTING_SECONDS = 300
os.environ["VLLM_CPU_KVCACHE_SPACE"] = "1"
os.environ["VLLM_NO_USAGE_STATS"] = "1"


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-m", "tests.vllm.tiny_model", folder], check=True, cwd=root)
    return folder


@pytest.fixture(scope="session")
def vllm_url(tiny_model, tmp_path_factory):
    """The address of a running server."""
    with vllm_server(tiny_model, tmp_path_factory.mktemp("server") / "vllm.log") as (url, _):
        yield url


@contextmanager
def vllm_server(tiny_model: Path, log: Path) -> Iterator[tuple[str, subprocess.Popen]]:
    """A server of the tiny model: its address and its process, which leads a session of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["--model", tiny_model, "--served-model-name", "tiny", "--host", "127.0.0.1", "--port", str(port)]
    words += ["--max-model-len", "2048", "--enforce-eager", "--enable-prompt-tokens-details"]
    words += ["--structured-outputs-config", '{"backend":"xgrammar","disable_any_whitespace":true}']
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "vllm.entrypoints.openai.api_server", *words],
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}/health", server, log)
            yield f"http://127.0.0.1:{port}/v1", server
        finally:
            server.terminate()
            server.wait(timeout=60)


def _wait_for(address: str, server: subprocess.Popen, log: Path) -> None:
    give_up = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < give_up and server.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=2).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
    pytest.fail(f"vLLM did not start:\n{log.read_text()[-3000:]}")
