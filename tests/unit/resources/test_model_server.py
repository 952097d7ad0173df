import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
from aimsciqa_resources.language_model import ModelRequest

from aimsciqa_assets.asking.prompts import load_prompt
from tests.fakes import SentenceModel
from tests.model_server import (
    EmptyChoices,
    InvalidJson,
    ModelServer,
    NotAnObject,
    NullContent,
    Refusal,
    Reset,
    ResetInBody,
    SlowDrip,
    Status,
    Text,
    Wait,
    always,
    first_of,
    fixed,
    log_normal,
    share,
)

ROOT = Path(__file__).resolve().parents[3]
BODY = {
    "model": "m",
    "messages": [{"role": "system", "content": "a b c"}, {"role": "user", "content": "d e"}],
}


def sent(url, body=None, path=None):
    """Status, headers and bytes of one request."""
    parts = urlsplit(url)
    with closing(http.client.HTTPConnection(parts.netloc, timeout=10)) as connection:
        if body is None:
            connection.request("GET", path or f"{parts.path}/models")
        else:
            connection.request("POST", f"{parts.path}/chat/completions", json.dumps(body))
        response = connection.getresponse()
        return response.status, response.headers, response.read()


def asked(url, **changes):
    status, _, content = sent(url, BODY | changes)
    return status, json.loads(content)


def user(text):
    return [{"role": "user", "content": text}]


def many(url, bodies):
    """The statuses of requests that are all sent at once."""

    async def one(session, body):
        async with session.post(f"{url}/chat/completions", json=body) as response:
            await response.read()
            return response.status

    async def everything():
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            return await asyncio.gather(*(one(session, body) for body in bodies))

    return asyncio.run(everything())


def test_a_good_reply_has_usage_and_leaves_a_trace():
    with ModelServer(lambda _body: "x y z", reasoning="hm") as server:
        replies = [asked(server.url)[1] for _ in range(2)]
    assert replies[0]["choices"][0]["message"] == {
        "role": "assistant",
        "content": "x y z",
        "reasoning_content": "hm",
    }
    assert replies[0]["choices"][0]["finish_reason"] == "stop"
    assert [reply["usage"]["prompt_tokens_details"]["cached_tokens"] for reply in replies] == [0, 3]
    assert replies[0]["usage"]["prompt_tokens"] == 5
    assert replies[0]["usage"]["completion_tokens"] == 3
    first, second = server.seen
    assert (first.number, first.status, first.body, first.text) == (0, 200, BODY, "d e")
    assert first.key == second.key
    assert first.at <= first.finished_at <= second.at
    assert "host" in first.headers


@pytest.mark.parametrize("task", ["single_hop", "multi_hop"])
def test_our_prompts_get_what_the_sentence_model_writes(task):
    prompt = load_prompt(task)
    told = {name: f"The {name} is <here>. It ends." for name in prompt.variables}
    escaped = (
        {name: value.replace("<", "&lt;") for name, value in told.items()} if task == "multi_hop" else told
    )
    messages = [{"role": one.role, "content": one.content} for one in prompt.messages(escaped)]
    with ModelServer() as server:
        _, reply = asked(server.url, messages=messages)
        assert asked(server.url)[1]["choices"][0]["message"]["content"] == "OK"
    (expected,) = SentenceModel().replies([ModelRequest(task, "", told, ())])
    assert reply["choices"][0]["message"]["content"] == expected.text


def test_a_plan_decides_what_goes_wrong():
    steps = [
        Status(429, headers={"Retry-After": "1"}),
        Status(400, {"error": {"message": "no"}}),
        Status(503, "<html>busy</html>"),
        InvalidJson(),
        NotAnObject(),
        EmptyChoices(),
        NullContent(),
        Text('[{"a"', finish_reason="length"),
        Refusal("I will not."),
        SlowDrip(0.1),
        None,
    ]
    with ModelServer(plan=lambda seen: steps[seen.number]) as server:
        got = [sent(server.url, BODY) for _ in steps]
    assert [status for status, _, _ in got] == [429, 400, 503] + [200] * 8
    assert got[0][1]["Retry-After"] == "1"
    assert json.loads(got[0][2])["error"]["message"] == "Too Many Requests"
    assert json.loads(got[1][2]) == {"error": {"message": "no"}}
    assert got[2][2] == b"<html>busy</html>"
    with pytest.raises(json.JSONDecodeError):
        json.loads(got[3][2])
    replies = [json.loads(content) for _, _, content in got[4:]]
    assert isinstance(replies[0], list)
    assert replies[1]["choices"] == []
    choices = [reply["choices"][0] for reply in replies[2:]]
    assert [choice["message"]["content"] for choice in choices] == [None, '[{"a"', None, "OK", "OK"]
    assert choices[1]["finish_reason"] == "length"
    assert choices[2]["message"]["refusal"] == "I will not."
    assert server.seen[9].finished_at - server.seen[9].at >= 0.1


def test_connections_break():
    steps = [Reset(), ResetInBody(), None]
    with ModelServer(plan=lambda seen: steps[seen.number]) as server:
        with pytest.raises(ConnectionResetError):
            sent(server.url, BODY)
        with pytest.raises(http.client.IncompleteRead) as broken:
            sent(server.url, BODY)
        assert broken.value.partial
        assert sent(server.url, BODY)[0] == 200
    assert [seen.status for seen in server.seen] == [None, None, 200]
    assert all(seen.finished_at for seen in server.seen)


def test_a_client_that_goes_away_ends_its_request():
    with ModelServer(latency=fixed(60)) as server:
        parts = urlsplit(server.url)
        connection = http.client.HTTPConnection(parts.netloc)
        connection.request("POST", f"{parts.path}/chat/completions", json.dumps(BODY))
        while not server.seen:
            time.sleep(0.01)
        connection.close()
        while server.seen[0].finished_at is None:
            time.sleep(0.01)
    assert server.seen[0].status is None
    assert server.in_engine == 0


def test_shares_are_drawn_anew_for_each_attempt_and_always_is_always():
    plan = first_of(always("poison", Status(400)), share(0.5, 1, Status(500)))
    bodies = [
        BODY | {"messages": user(f"{'poison' if number < 5 else 'text'} {number}")} for number in range(45)
    ]
    with ModelServer(plan=plan) as server:
        rounds = [many(server.url, bodies) for _ in range(2)]
    for statuses in rounds:
        assert statuses[:5] == [400] * 5
        assert 8 < statuses.count(500) < 32
    assert rounds[0] != rounds[1]


def test_latencies_are_reproducible():
    drawn, again = (list(map(log_normal(0.4, 1, seed=1, count=2000), range(2001))) for _ in range(2))
    assert drawn == again
    assert sum(drawn) / 2001 == pytest.approx(0.4, rel=0.2)
    assert drawn[2000] == drawn[0]


def test_the_engine_has_places_and_tells_how_many_are_taken():
    with ModelServer(
        slots=2, latency=fixed(0.1), plan=lambda seen: Status(500) if seen.number == 9 else None
    ) as it:
        gauges = []
        it.answer = lambda _body: gauges.append(it.metrics(it)) or "x"
        started = time.monotonic()
        assert many(it.url, [BODY] * 10).count(200) == 9
        assert time.monotonic() - started >= 0.5
        assert it.most_at_once == 10
        assert 'vllm:num_requests_running{engine="0",model_name="m"} 2.0' in gauges[0]
        assert 'vllm:num_requests_waiting{engine="0",model_name="m"} 7.0' in gauges[0]
        assert b'running{engine="0",model_name="m"} 0.0' in sent(it.url, path="/metrics")[2]
        it.metrics = lambda _server: None
        assert sent(it.url, path="/metrics")[0] == 404


def test_models_are_listed():
    with ModelServer(model="big", max_model_len=4096) as server:
        (model,) = json.loads(sent(server.url)[2])["data"]
        assert (model["id"], model["max_model_len"], model["owned_by"]) == ("big", 4096, "vllm")
        server.max_model_len, server.owned_by = None, "somebody"
        assert "max_model_len" not in json.loads(sent(server.url)[2])["data"][0]
        server.lists_models = False
        assert sent(server.url)[0] == 404


def test_what_the_server_cannot_do_is_a_bad_request():
    with ModelServer(context=10, structured=False) as server:
        assert asked(server.url, max_tokens=5)[0] == 200
        status, reply = asked(server.url, max_tokens=6)
        assert status == 400
        assert reply["error"]["message"].startswith(
            "This model's maximum context length is 10 tokens. However, you requested 11 tokens (5 in the"
        )
        assert asked(server.url, messages=[])[0] == 400
        status, reply = asked(server.url, response_format={"type": "json_schema", "json_schema": {}})
        assert status == 400
        assert "'response_format' of type 'json_schema' is not supported" in reply["error"]["message"]


def test_a_mistake_in_a_plan_is_not_swallowed():
    def mistaken(_seen):
        raise AssertionError("the plan did not expect this")

    with pytest.raises(AssertionError, match="did not expect"), ModelServer(plan=mistaken) as server:
        assert sent(server.url, BODY)[0] == 500


def test_the_command_line_serves_until_it_is_told_to_stop(tmp_path):
    command = [sys.executable, "-m", "tests.model_server", "--constant", "--log", tmp_path / "log"]
    plans = ["--plan", "always:400:poi:son", "--plan", "status:429:1:1:retry-after=1"]
    with subprocess.Popen([*command, *plans], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        url = process.stdout.readline().strip()
        assert sent(url, BODY | {"messages": user("a poi:son b")})[0] == 400
        status, headers, _ = sent(url, BODY)
        assert (status, headers["retry-after"]) == (429, "1")
        logged = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(timeout=10) == 0
    assert [entry["number"] for entry in logged] == [0, 1]
    assert logged[0]["key"] != logged[1]["key"]


def test_a_wait_is_a_good_reply_later():
    with ModelServer(plan=lambda _seen: Wait(0.1), latency=fixed(60)) as server:
        assert asked(server.url)[0] == 200
    assert server.seen[0].finished_at - server.seen[0].at >= 0.1
