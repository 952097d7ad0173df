"""Servers of a model that were away: how they are asked when they come back, and what else they may serve."""

import asyncio
import logging
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from aimsciqa_resources.language_model import openai_server
from aimsciqa_resources.language_model.engine import AttemptError
from aimsciqa_resources.language_model.interface import ModelRefusedError
from aimsciqa_resources.language_model.offers import Offer
from aimsciqa_resources.language_model.openai_server import OpenAIServer
from aimsciqa_resources.language_model.servers import Servers
from aimsciqa_resources.language_model.settings import ModelSettings

from tests.model_server import ModelServer, Seen, Status
from tests.served_models import ask, asks, outcomes

SAME = Offer(("m",), {"m": 8192}, is_vllm=True)
LONGER = Offer(("m",), {"m": 16384}, is_vllm=True)
OTHER = Offer(("other",), {"other": 8192}, is_vllm=True)


class Told:
    """An engine that says what it serves, and nothing else."""

    def __init__(self, offer: Offer | None) -> None:
        self.offer = offer

    async def look(self) -> Offer | None:
        return self.offer

    async def load(self) -> None:
        """It does not say how busy it is."""

    start = look


def settings_at(url: str) -> ModelSettings:
    return ModelSettings(backend="server", name="m", base_url=url, in_flight=4)


def started(*offers: Offer | None) -> Servers:
    servers = Servers(settings_at("http://h/v1"), {f"h{n}:80": Told(offer) for n, offer in enumerate(offers)})
    asyncio.run(servers.start())
    return servers


def looked(servers: Servers, number: int, offer: Offer | None) -> None:
    """The server is looked at, and offers this."""
    server = servers.all[number]
    server.engine.offer = offer
    asyncio.run(servers._look_for(server))


def homes(servers: Servers) -> set[str]:
    return {servers._chosen(f"paper {number}", None).name for number in range(40)}


@pytest.mark.parametrize(("offer", "said"), [(OTHER, "it has other"), (LONGER, "16384 tokens at most")])
def test_a_server_that_comes_back_with_something_else_is_left_out_until_it_serves_the_same(
    caplog, offer, said
):
    servers = started(SAME, SAME)
    servers.all[0].pace.begin_outage()
    looked(servers, 0, None)
    assert homes(servers) == {"h1:80"}
    looked(servers, 0, offer)
    looked(servers, 0, offer)
    assert homes(servers) == {"h1:80"}
    assert caplog.text.count("m at h0:80 is left out.") == caplog.text.count(said) == 1
    # Not even when no other server is up.
    servers.all[1].pace.begin_outage()
    assert homes(servers) == {"h1:80"}
    looked(servers, 0, SAME)
    assert homes(servers) == {"h0:80"}


def test_where_no_server_is_left_that_serves_the_same_the_run_ends():
    servers = started(SAME, SAME)
    for server in servers.all:
        server.pace.begin_outage()
    looked(servers, 0, LONGER)
    with pytest.raises(ModelRefusedError, match="the same request would not have the same reply"):
        looked(servers, 1, LONGER)


def test_servers_that_were_down_at_the_start_are_compared_once_they_answer(monkeypatch, caplog):
    monkeypatch.setattr("aimsciqa_resources.language_model.servers._WATCH_SECONDS", 0.01)
    servers = started(None, None)
    for server, offer in zip(servers.all, (SAME, LONGER), strict=True):
        server.engine.offer = offer

    async def follow_both() -> None:
        following = [asyncio.create_task(servers.follow(server)) for server in servers.all]
        while None in (server.offer or server.strange or None for server in servers.all):
            await asyncio.sleep(0.01)
        for task in following:
            task.cancel()

    asyncio.run(asyncio.wait_for(follow_both(), 10))
    assert homes(servers) == {"h0:80"}
    assert "m at h1:80 is left out" in caplog.text
    # One that takes no requests does not count as one that answers.
    servers.all[0].pace.begin_outage()
    assert servers.stalled_seconds > 0


@contextmanager
def silent_address() -> Iterator[str]:
    """An address where nobody answers an attempt to connect, as at a machine that is gone."""
    with socket.socket() as full, socket.socket() as first:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        first.connect(full.getsockname())
        yield f"http://127.0.0.1:{full.getsockname()[1]}/v1"


def test_a_machine_that_is_gone_is_not_waited_for_as_long_as_for_a_reply(monkeypatch):
    monkeypatch.setattr(openai_server, "_QUICK_SECONDS", 0.2)

    async def complete(url: str) -> None:
        engine = OpenAIServer(settings_at(url), {})
        assert await engine.start() is None
        try:
            await engine.complete(ask("a"))
        finally:
            await engine.close()

    with silent_address() as url, pytest.raises(AttemptError) as raised:
        asyncio.run(asyncio.wait_for(complete(url), 5))
    assert (raised.value.kind, raised.value.reason) == ("passing", "connection")


@pytest.mark.slow
def test_a_server_that_was_down_when_the_stream_began_is_asked_as_what_it_is(model_of, caplog):
    """Its replies are held to the grammar, and a request that only vLLM can answer waits for it."""
    caplog.set_level(logging.WARNING)
    with ModelServer() as server:
        pass
    port = int(server.url.rsplit(":", 1)[1].removesuffix("/v1"))
    formed = ask("formed", reply_grammar='root ::= "OK"')
    scored = ask("scored", scored_from=1)
    with ThreadPoolExecutor() as threads:
        replies = threads.submit(lambda: list(model_of(server).replies([formed, scored])))
        while "has answered nothing" not in caplog.text and not replies.done():
            time.sleep(0.02)
        with ModelServer(port=port) as back:
            got = {reply.key: reply for reply in replies.result(timeout=30)}
    assert {reply.failure for reply in got.values()} == {None}
    assert [one.token for one in got["scored"].scored] == ["brief.", "scored"]
    by_text = {seen.text: seen.body for seen in back.seen}
    assert by_text["formed"]["structured_outputs"] == {"grammar": 'root ::= "OK"'}


@pytest.mark.slow
def test_a_server_that_was_started_again_with_another_model_before_anybody_noticed_is_left_out(
    model_of, caplog
):
    with ModelServer() as one, ModelServer() as two:

        def change(seen: Seen) -> Status | None:
            if seen.number < 5:
                return None
            two.model = "other"
            return Status(404, {"error": {"message": "The model `m` does not exist."}})

        two.plan = change
        replies = list(model_of(one, base_url=f"{one.url},{two.url}").replies(asks(60)))
    assert outcomes(replies) == {f"question {number}": "OK" for number in range(60)}
    assert len(one.seen) == 55
    assert "is left out" in caplog.text
    assert "it has other" in caplog.text
