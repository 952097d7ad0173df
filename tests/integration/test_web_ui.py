"""The web UI as `make ui` starts it: it loads the code location and shows every table."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from aimsciqa_assets.home import Home
from aimsciqa_assets.tables import BOOKKEEPING, TABLES

ROOT = Path(__file__).parents[2]
QUERY = """{ assetNodes { assetKey { path } description groupName } }"""


def free_port() -> int:
    with socket.socket() as candidate:
        candidate.bind(("127.0.0.1", 0))
        return candidate.getsockname()[1]


@pytest.mark.slow
def test_the_web_ui_shows_every_table(tmp_path):
    home = Home(tmp_path / "home")
    home.prepare()
    port = free_port()
    words = ["--workspace", "workspace.yaml", "--host", "127.0.0.1", "--port", str(port)]
    environment = os.environ | {"AIMSCIQA_HOME": str(home.folder), "DAGSTER_HOME": str(home.dagster)}
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(
            [Path(sys.executable).with_name("dg"), "dev", *words],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        nodes = assets_shown(f"http://127.0.0.1:{port}/graphql", patience=120)
    finally:
        stop(server)
    shown = {".".join(node["assetKey"]["path"]): node for node in nodes}
    assert set(shown) == set(TABLES) - BOOKKEEPING
    assert all(node["description"].startswith("One row: ") for node in shown.values())
    assert {node["groupName"] for node in nodes} == {TABLES[name].schema for name in shown}


def stop(server: subprocess.Popen) -> None:
    """End the server with everything it started."""
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        os.killpg(server.pid, ending)
        try:
            server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            continue
        return


def assets_shown(url: str, patience: float) -> list[dict]:
    request = urllib.request.Request(
        url, json.dumps({"query": QUERY}).encode(), {"Content-Type": "application/json"}
    )
    give_up = time.monotonic() + patience
    while True:
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                nodes = json.load(reply)["data"]["assetNodes"]
            if nodes:
                return nodes
        except OSError:
            pass
        assert time.monotonic() < give_up, "the web UI did not come up"
        time.sleep(1)
