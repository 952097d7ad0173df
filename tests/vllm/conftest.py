"""The real engine: a vLLM server on a free port with a model of random weights, made on the spot.

To start an engine takes 20 to 30 seconds of CPU time, nearly all of it imports. So one server, and one engine
in this process, answer all tests; only what a test kills is its own.
"""

import ast
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("vllm", reason="needs vLLM in its own environment: make test-vllm")

STARTING_SECONDS = 300
CACHE_BYTES = 2**26
os.environ["VLLM_NO_USAGE_STATS"] = "1"
OF_SERVERS = {
    # A process less: the engine does the model's work itself, as on a single GPU.
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
    # Threads that wait for each other in a busy loop take many times as long on a machine that is in use.
    "OMP_NUM_THREADS": "1",
    # The log tells what the server is asked.
    "VLLM_LOGGING_LEVEL": "DEBUG",
}
_ASKED = re.compile(r"Request chatcmpl-\S+ details: prompt: (.*), prompt_token_ids: ")


@dataclass(frozen=True)
class VllmServer:
    """A running server. Its process leads a group of its own, to which its engine belongs."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def prompts(self) -> list[str]:
        """The prompts that have arrived, as its log has them."""
        return [ast.literal_eval(text) for text in _ASKED.findall(self.log.read_text())]


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory) -> Path:
    from tests.vllm.tiny_model import write_tiny_model

    return write_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def shared_server(tiny_model, tmp_path_factory) -> Iterator[VllmServer]:
    """A server that no test may kill."""
    with vllm_server(tiny_model, tmp_path_factory.mktemp("server") / "vllm.log") as server:
        yield server


@pytest.fixture(scope="session")
def vllm_url(shared_server) -> str:
    """The address of that server."""
    return shared_server.url


@contextmanager
def vllm_server(tiny_model: Path, log: Path) -> Iterator[VllmServer]:
    """A server of the tiny model."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["--model", tiny_model, "--served-model-name", "tiny", "--host", "127.0.0.1", "--port", str(port)]
    words += ["--max-model-len", "2048", "--enforce-eager", "--kv-cache-memory-bytes", str(CACHE_BYTES)]
    words += ["--enable-prompt-tokens-details", "--enable-log-requests"]
    words += ["--structured-outputs-config", '{"backend":"xgrammar","disable_any_whitespace":true}']
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "vllm.entrypoints.openai.api_server", *words],
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=os.environ | OF_SERVERS,
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}/health", process, log)
            yield VllmServer(f"http://127.0.0.1:{port}/v1", process, log)
        finally:
            process.terminate()
            process.wait(timeout=60)


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    give_up = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < give_up and server.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=2).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
    pytest.fail(f"vLLM did not start:\n{log.read_text()[-3000:]}")
