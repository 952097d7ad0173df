"""`aimsciqa servers` tells of each server once, and of none where the settings name none."""

import pytest

from aimsciqa_assets.cli.servers import servers_command
from aimsciqa_assets.cli.terminal import console
from tests.model_server import ModelServer


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path))


def said() -> list[str]:
    with console.capture() as told:
        servers_command()
    return told.get().splitlines()


def test_each_server_tells_of_its_queue(monkeypatch):
    with ModelServer() as one, ModelServer(metrics=lambda _server: None) as two:
        monkeypatch.setenv("AIMSCIQA_MODEL_BACKEND", "server")
        monkeypatch.setenv("AIMSCIQA_MODEL_NAME", "m")
        monkeypatch.setenv("AIMSCIQA_MODEL_BASE_URL", f"{one.url},{two.url}")
        told = said()
    assert told == [
        f"m at {one.url[7:-3]}: 0 running, 0 waiting, KV cache 0% full",
        f"m at {two.url[7:-3]} tells nothing of its queue: it has no /metrics of vLLM",
    ]


def test_where_no_model_is_on_a_server_that_is_told():
    assert said() == ["No model is on a server: the settings name none (AIMSCIQA_MODEL_BASE_URL)."]
