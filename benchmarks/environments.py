"""The clients that are compared: ours, and others each in an environment of its own, `.venv-bench-<name>`.

Telemetry is off and no client needs the network. One that cannot be installed or run says why.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CLIENT_SECONDS = 600
OFF = {
    "DO_NOT_TRACK": "true",
    "TELEMETRY_ENABLED": "false",  # curator's
    "RAGAS_DO_NOT_TRACK": "true",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "HF_HUB_OFFLINE": "1",
    "CURATOR_DISABLE_CACHE": "1",
}


class UnavailableError(Exception):
    """A client cannot be installed or run; the message says why."""


@dataclass(frozen=True)
class Client:
    """A client: its module, and what is installed for it, the project itself first; ours is here already."""

    name: str
    module: str
    requirements: tuple[str, ...]

    @property
    def environment(self) -> Path:
        """Its folder."""
        return ROOT / f".venv-bench-{self.name}" if self.requirements else Path(sys.prefix)

    @property
    def python(self) -> Path:
        """The Python of its environment."""
        return self.environment / "bin" / "python"

    def install(self) -> None:
        """Make its environment, if that has not been done. Raises `UnavailableError`."""
        if not self.requirements:
            return
        installed = self.environment / ".installed"
        wanted = "\n".join(self.requirements)
        if installed.exists() and installed.read_text() == wanted:
            return
        checked([sys.executable, "-m", "venv", "--clear", str(self.environment)])
        checked([str(self.python), "-m", "pip", "install", "--quiet", *self.requirements])
        installed.write_text(wanted)

    def figures(self, url: str, requests: int, in_flight: int) -> dict[str, Any]:
        """What one run of it took: see `benchmarks.workload.run_client`."""
        command = [str(self.python), "-m", f"benchmarks.clients.{self.module}", "--url", url]
        command += ["--requests", str(requests), "--in-flight", str(in_flight)]
        with tempfile.TemporaryDirectory() as home:
            return dict(json.loads(checked(command, quiet_environment(self, home)).splitlines()[-1]))


# Pins beside a project's own: the newest that it runs with, where its requirements let pip choose worse.
OURS = Client("aimsciqa", "aimsciqa_client", ())
RIVALS = (
    Client("openai", "plain_openai", ("openai[aiohttp]==3.52.0",)),
    Client("sdg-hub", "sdg_hub_client", ("sdg_hub==0.9.4",)),
    Client(
        "ragas", "ragas_client", ("ragas==0.4.3", "openai[aiohttp]==3.3.0", "langchain-community==0.3.31")
    ),
    Client("curator", "curator_client", ("bespokelabs-curator==0.1.31",)),
)


def quiet_environment(rival: Client, home: str) -> dict[str, str]:
    """The variables that a client runs with: nothing is reported, downloaded, or kept from earlier runs."""
    variables = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    variables |= OFF | {"HOME": home, "CURATOR_CACHE_DIR": home}
    for tokenizers in rival.environment.glob("lib/*/site-packages/litellm/litellm_core_utils/tokenizers"):
        variables["TIKTOKEN_CACHE_DIR"] = str(tokenizers)  # what tiktoken would download otherwise
    return variables


def checked(command: Sequence[str], environment: dict[str, str] | None = None) -> str:
    """The output of a command that succeeds; its last line of complaint otherwise."""
    try:
        return subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=CLIENT_SECONDS,
        ).stdout
    except subprocess.TimeoutExpired:
        raise UnavailableError(f"not done after {CLIENT_SECONDS} s") from None
    except subprocess.CalledProcessError as error:
        complaints = [line for line in error.stderr.splitlines() if line.strip()] or [str(error)]
        raise UnavailableError(complaints[-1]) from None


@contextmanager
def model_server(*arguments: str) -> Iterator[str]:
    """The URL of a model server in a process of its own; see `python -m tests.model_server --help`."""
    command = [sys.executable, "-m", "tests.model_server", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
