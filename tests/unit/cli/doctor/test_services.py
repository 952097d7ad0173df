"""`aimsciqa doctor` on what answers from outside: servers, their clocks, recorded replies."""

import re

import pytest

from aimsciqa_assets.cli.doctor.findings import Finding
from tests.doctor_home import ModelDesk, ask, the_fault

pytestmark = pytest.mark.slow


def test_a_server_that_is_down(home, monkeypatch):
    ask(monkeypatch, "http://127.0.0.1:9/v1")
    fault = the_fault("models", home)
    assert fault.state == "problem"
    assert fault.said.startswith("http://127.0.0.1:9/v1 cannot be reached (")
    assert fault.advice == "Start it, or mend AIMSCIQA_MODEL_BASE_URL."


def test_a_server_of_another_model(home, monkeypatch):
    with ModelDesk(names=("llama-3", "qwen-large")) as server:
        ask(monkeypatch, server.url)
        fault = the_fault("models", home)
    assert fault == Finding(
        "problem",
        f"{server.url} does not serve qwen-small; it serves qwen-large, llama-3",
        "Set AIMSCIQA_MODEL_NAME to the name of a model that it serves, or let it serve this one.",
    )


def test_an_address_without_v1(home, monkeypatch):
    with ModelDesk() as server:
        ask(monkeypatch, server.origin)
        fault = the_fault("models", home)
    assert fault == Finding(
        "problem",
        f"{server.origin} is not the address of an OpenAI-compatible server (404: 404: Not Found)",
        f"Set AIMSCIQA_MODEL_BASE_URL to {server.origin}/v1.",
    )


def test_a_model_of_one_task_is_looked_for_by_the_setting_of_this_task(home, monkeypatch):
    with ModelDesk() as server:
        ask(monkeypatch, server.url)
        monkeypatch.setenv("AIMSCIQA_MULTI_HOP_MODEL_NAME", "qwen-smal")
        fault = the_fault("models", home)
    assert fault.said == f"{server.url} does not serve qwen-smal; it serves qwen-small"
    assert fault.advice.startswith("Set AIMSCIQA_MULTI_HOP_MODEL_NAME to the name")


@pytest.mark.parametrize(
    ("given", "said", "advice"),
    [
        (
            "",
            "wants a key, and OPENAI_API_KEY holds none",
            "Put the key into the environment variable OPENAI_API_KEY.",
        ),
        (
            "wrong-key-1234",
            "does not accept the key in OPENAI_API_KEY",
            "Put a valid key into this variable, or name another one in AIMSCIQA_MODEL_API_KEY_VARIABLE.",
        ),
    ],
)
def test_a_key_that_is_missing_or_wrong_is_never_printed(home, monkeypatch, given, said, advice):
    monkeypatch.setenv("OPENAI_API_KEY", given)
    with ModelDesk(key="sesame") as server:
        ask(monkeypatch, server.url)
        fault = the_fault("models", home)
    assert fault == Finding("problem", f"{server.url} {said}", advice)
    assert not given or given not in str(fault)


def test_an_embedding_server_that_is_down(home, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_BENCHMARK_RETRIEVERS", "bm25 server:e5")
    monkeypatch.setenv("AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL", "http://127.0.0.1:9/v1")
    fault = the_fault("embedding", home)
    assert fault.said.startswith("http://127.0.0.1:9/v1 cannot be reached (")
    assert fault.advice == (
        "Start it, or mend AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL, or its base_url in "
        "AIMSCIQA_BENCHMARK_RETRIEVER_MODELS."
    )


@pytest.mark.parametrize(
    ("ahead", "state", "said"),
    [
        (7200, "problem", r"this clock is 7,(199|200) s behind that of a server"),
        (-60, "warning", r"this clock is 6\d s ahead of that of a server"),
    ],
)
def test_a_clock_that_is_wrong(home, monkeypatch, ahead, state, said):
    with ModelDesk(ahead=ahead) as server:
        ask(monkeypatch, server.url)
        fault = the_fault("clock", home)
    assert fault.state == state
    assert re.fullmatch(said, fault.said)
    assert fault.advice == "Set the clock of this machine, or of the server (`timedatectl set-ntp true`)."


def test_recorded_replies_that_are_not_there(home, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_MODEL_BACKEND", "recorded")
    monkeypatch.setenv("AIMSCIQA_MODEL_NAME", "jane-doe")
    fault = the_fault("recordings", home)
    assert fault.said == f"there are no recorded replies: {home.recordings} is missing"
    assert fault.advice.startswith("Make them with `aimsciqa record requests` and `aimsciqa record replies`")
