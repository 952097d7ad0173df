"""Several servers of one model: which one is asked, and what happens when some are down."""

import logging

import pytest
from aimsciqa_resources.language_model import Message, ModelRequest, beginning_with, converse, once
from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelUnavailableError
from aimsciqa_resources.language_model.offers import Offer, difference
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.servers import Servers
from aimsciqa_resources.language_model.settings import ModelSettings
from pydantic import ValidationError

from tests.model_server import ModelServer, Status, always, fixed

NAMES = ("gpu-1:8000", "gpu-2:8000", "gpu-3:8000")


def settings_at(*urls: str, **more: object) -> ModelSettings:
    values = {"backend": "server", "name": "m", "base_url": ", ".join(urls), "in_flight": 4}
    return ModelSettings(**values | {"most_in_flight": 4} | more)


def servers_named(*names: str, in_flight: int = 4) -> Servers:
    """Servers that are never asked."""
    return Servers(settings_at("http://h/v1", in_flight=in_flight), dict.fromkeys(names))


def homes(servers: Servers, affinities: range) -> list[str]:
    return [servers._chosen(f"paper {number}", None).name for number in affinities]


def papers(count: int, paragraphs: int):
    """Requests about paragraphs of papers, a paper after the other."""
    for paper in range(count):
        for paragraph in range(paragraphs):
            text = f"paper {paper}, paragraph {paragraph}"
            yield beginning_with(
                f"paper {paper}", once(ModelRequest("t", text, {}, (Message("user", text),)))
            )


def papers_asked(server: ModelServer) -> list[str]:
    return sorted({seen.text.partition(",")[0] for seen in server.seen})


def replies_at(folder, settings, dialogues):
    return list(converse(LanguageModels(folder / "journal.sqlite").open(settings), dialogues))


def test_a_paper_has_a_home_and_a_server_that_is_lost_moves_its_own_papers_only():
    all_three = homes(servers_named(*NAMES), range(8))
    assert "".join(name[4] for name in all_three) == "12122213"
    without_third = homes(servers_named(*NAMES[:2]), range(8))
    moved = [number for number in range(8) if all_three[number] != without_third[number]]
    assert moved == [number for number in range(8) if all_three[number] == NAMES[2]]
    assert homes(servers_named(*reversed(NAMES)), range(8)) == all_three


def test_papers_spread_over_all_servers():
    found = homes(servers_named(*NAMES), range(3000))
    assert all(900 < found.count(name) < 1100 for name in NAMES)


def test_only_the_surplus_of_a_full_server_that_is_far_busier_than_the_others_goes_elsewhere():
    servers = servers_named("a:1", "b:1")
    home = servers._chosen("paper", None)
    other = next(server for server in servers.all if server is not home)
    home.pace.running = 3
    assert servers._chosen("paper", None) is home  # a slot is free
    home.pace.running = 4
    assert servers._chosen("paper", None) is other  # 4 of 4, the mean is 2
    other.pace.running = 3
    assert servers._chosen("paper", None) is home  # 4 is less than 1.25 times 3.5
    home.pace.running, other.pace.running = 8, 4
    assert servers._chosen("paper", None) is home  # the other one is full as well


def test_what_failed_in_passing_tries_the_next_server_and_what_is_down_is_passed_over():
    servers = servers_named(*NAMES)
    home = servers._chosen("paper", None)
    second = servers._chosen("paper", home)
    assert second is not home
    home.pace.begin_outage()
    assert servers._chosen("paper", None) is second
    for server in servers.all:
        server.pace.begin_outage()
    assert servers._chosen("paper", None) is home  # probed, as a single server is


@pytest.mark.slow
def test_all_requests_of_a_paper_go_to_one_server_and_every_call_names_it(tmp_path):
    with ModelServer() as one, ModelServer() as two:
        asked = settings_at(one.url, two.url, in_flight=100, most_in_flight=100)
        replies = replies_at(tmp_path, asked, papers(12, 5))
    assert not set(papers_asked(one)) & set(papers_asked(two))
    assert len(papers_asked(one)) + len(papers_asked(two)) == 12
    assert len(one.seen) + len(two.seen) == 60
    names = {call.server for reply in replies for call in reply.calls}
    assert names <= {one.url[7:-3], two.url[7:-3]}


@pytest.mark.slow
def test_the_number_of_servers_changes_no_key(tmp_path):
    with ModelServer() as one, ModelServer() as two:
        first = replies_at(tmp_path, settings_at(one.url), papers(3, 2))
        again = replies_at(tmp_path, settings_at(one.url, two.url), papers(3, 2))
    assert len(one.seen) == 6
    assert two.seen == []
    assert all(reply.calls[0].from_journal and reply.calls[0].server == "" for reply in again)
    assert {reply.calls[0].fingerprint for reply in first} == {reply.calls[0].fingerprint for reply in again}


@pytest.mark.slow
def test_a_server_that_only_fails_costs_nothing_but_the_attempts(tmp_path, caplog):
    # An outage takes half a second to be seen as one.
    with ModelServer(latency=fixed(0.1)) as good, ModelServer(plan=always("paper", Status(500))) as bad:
        replies = replies_at(tmp_path, settings_at(good.url, bad.url, attempts=3), papers(10, 20))
    assert [reply.text for reply in replies] == ["OK"] * 200
    assert len(good.seen) == 200
    # Half of 200 would have gone there, three times each.
    assert len(bad.seen) < 150
    assert "does not answer: others take its requests" in caplog.text


@pytest.mark.slow
def test_a_server_that_is_down_at_the_start_and_comes_back_is_used_again(tmp_path, caplog):
    caplog.set_level(logging.WARNING)
    with ModelServer() as one:
        port = int(one.url.rsplit(":", 1)[1].removesuffix("/v1"))
    late = f"http://127.0.0.1:{port}/v1"
    with ModelServer(latency=fixed(0.02)) as two:
        model = LanguageModels(tmp_path / "journal.sqlite").open(settings_at(late, two.url))
        replies = converse(model, papers(60, 10))
        first = next(replies)
        assert first.text == "OK"
        with ModelServer(port=port) as back:
            assert sum(reply.text == "OK" for reply in replies) == 599
    assert back.seen
    assert f"m at 127.0.0.1:{port} does not answer" in caplog.text
    assert f"m at 127.0.0.1:{port} answers again" in caplog.text


@pytest.mark.slow
def test_with_all_servers_down_the_model_is_not_available(tmp_path):
    asked = settings_at("http://127.0.0.1:9/v1", "http://localhost:9/v1", patience_seconds=1)
    with pytest.raises(ModelUnavailableError, match="has answered nothing"):
        replies_at(tmp_path, asked, papers(3, 2))


@pytest.mark.slow
def test_a_server_of_another_model_is_refused(tmp_path):
    with (
        ModelServer() as one,
        ModelServer(model="other") as two,
        pytest.raises(ModelRefusedError, match=r"serves m, and .* does not: it has other"),
    ):
        replies_at(tmp_path, settings_at(one.url, two.url), papers(3, 2))
    assert one.seen == two.seen == []


def test_servers_that_tell_of_no_model_or_of_the_same_one_are_alike():
    same = Offer(("m", "n"), {"m": 8192}, is_vllm=True)
    assert difference("m", {"a": same, "b": same, "c": Offer()}) is None
    assert difference("alias", {"a": same, "b": Offer(("other",))}) is None
    longer = Offer(("m",), {"m": 16384}, is_vllm=True)
    assert difference("m", {"a": same, "b": longer}) == (
        "a serves m by vLLM, with 8192 tokens at most, and b by vLLM, with 16384 tokens at most: the same "
        "request would not have the same reply. Start them with the same options (vLLM: --max-model-len)."
    )


def test_addresses_are_separated_by_commas_and_each_is_named_once():
    settings = settings_at("http://a:8000/v1/", "http://b:8000/v1")
    assert settings.base_urls == ("http://a:8000/v1", "http://b:8000/v1")
    assert settings.where == "m at http://a:8000/v1, http://b:8000/v1"
    assert settings.identity == settings_at("http://c/v1").identity
    for wrong in (("http://a/v1", "http://a/v1/"), ("http://a/v1", ""), ("http://a/v1", "b:80")):
        with pytest.raises(ValidationError):
            settings_at(*wrong)
