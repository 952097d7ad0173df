"""The web UI as `make ui` starts it, for tests: the webserver, the daemon and the code location."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aimsciqa_assets.platform.home import Home

ROOT = Path(__file__).parents[1]
STARTING_SECONDS = 180
RUN_SECONDS = 300
RUNS = """{ runsOrError(limit: 9) { ... on Runs { results {
    pipelineName status startTime repositoryOrigin { repositoryLocationName repositoryName } } } } }"""
LAUNCH = """mutation Launch($parameters: ExecutionParams!) {
    launchRun(executionParams: $parameters) {
        __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""
STATUS = """query Status($runId: ID!) { runOrError(runId: $runId) { ... on Run { status } } }"""
QUERY = """{ assetNodes { assetKey { path } description groupName } }"""


@contextmanager
def web_ui(home: Home, log: Path) -> Iterator[str]:
    """The address of a web UI that has loaded the code location; what its processes say goes to `log`."""
    home.prepare()
    port = _free_port()
    words = ["--workspace", "workspace.yaml", "--host", "127.0.0.1", "--port", str(port)]
    environment = os.environ | {"AIMSCIQA_HOME": str(home.folder), "DAGSTER_HOME": str(home.dagster)}
    with log.open("w") as output:
        server = subprocess.Popen(
            [Path(sys.executable).with_name("dg"), "dev", *words],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for_assets(address, server, log)
        yield address
    finally:
        _stop(server)


def assets_shown(address: str) -> list[dict]:
    """Every asset that the web UI knows; none while the code location loads."""
    return _asked(address, QUERY)["assetNodes"]


def runs_shown(address: str) -> list[dict]:
    """The runs that the web UI lists, the newest first."""
    return _asked(address, RUNS)["runsOrError"]["results"]


def end_of_job(address: str, job: str, part: str) -> str:
    """Launch a job of the code location for a part, as the web UI does; how its run ended."""
    parameters = {
        "selector": {
            "repositoryLocationName": "aimsciqa",
            "repositoryName": "__repository__",
            "jobName": job,
        },
        "executionMetadata": {"tags": [{"key": "dagster/partition", "value": part}]},
    }
    launched = _asked(address, LAUNCH, parameters=parameters)["launchRun"]
    assert launched["__typename"] == "LaunchRunSuccess", launched
    give_up = time.monotonic() + RUN_SECONDS
    while time.monotonic() < give_up:
        status = _asked(address, STATUS, runId=launched["run"]["runId"])["runOrError"]["status"]
        if status in {"SUCCESS", "FAILURE", "CANCELED"}:
            return status
        time.sleep(1)
    raise AssertionError(f"the run of {job} did not end")


def _asked(address: str, query: str, **variables: object) -> dict:
    request = urllib.request.Request(
        f"{address}/graphql",
        json.dumps({"query": query, "variables": variables}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as reply:
        return json.load(reply)["data"]


def _wait_for_assets(address: str, server: subprocess.Popen, log: Path) -> None:
    give_up = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < give_up and server.poll() is None:
        try:
            if assets_shown(address):
                return
        except OSError:
            pass
        time.sleep(1)
    raise AssertionError(f"the web UI did not come up:\n{log.read_text()[-3000:]}")


def _free_port() -> int:
    with socket.socket() as candidate:
        candidate.bind(("127.0.0.1", 0))
        return candidate.getsockname()[1]


def _stop(server: subprocess.Popen) -> None:
    """End the server with everything it started."""
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        os.killpg(server.pid, ending)
        try:
            server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            continue
        return
