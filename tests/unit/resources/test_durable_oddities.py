"""The durable model and servers that behave oddly: nothing crashes, nothing is lost or paid twice."""

import asyncio
import threading
import time
from collections import Counter

import pytest
from aimsciqa_resources.language_model import durable
from aimsciqa_resources.language_model.interface import ModelRefusedError, Usage

from tests.model_server import ModelServer, Status, Text, always, fixed
from tests.served_models import ask, asks, outcomes

pytestmark = pytest.mark.slow


def body(content: object = "OK", **fields: object) -> Status:
    """A response of status 200 with these fields."""
    choice = {"message": {"content": content}, "finish_reason": fields.pop("finish_reason", "stop")}
    return Status(200, {"choices": [choice], **fields})


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (body(usage=None), "OK"),
        (body(usage={"prompt_tokens": "7", "completion_tokens": None}), "OK"),
        (body(usage={"prompt_tokens": 10**30, "completion_tokens": -4}), "OK"),
        (body(usage=[1]), "OK"),
        (body(usage="many"), "OK"),
        (body(usage={"prompt_tokens": "none", "prompt_tokens_details": [1]}), "OK"),
        (body(usage={"prompt_tokens": float("nan"), "completion_tokens": float("-inf")}), "OK"),
        (body(usage={"prompt_tokens": {}, "completion_tokens_details": {"reasoning_tokens": "NaN"}}), "OK"),
        (
            Status(200, '{"choices": [{"message": {"content": "OK"}}], "usage": {"prompt_tokens": 1e999}}'),
            "OK",
        ),
        (body(finish_reason=None), "OK"),
        (body(finish_reason="\ud800"), "OK"),
        (body([{"type": "text", "text": "O"}, {"type": "text", "text": "K"}]), "OK"),
        (body("x" * 3_000_000), "x" * 3_000_000),
    ],
)
def test_an_odd_body_is_a_reply_all_the_same(model_of, answer, text):
    with ModelServer(plan=lambda _seen: answer) as server:
        (reply,) = model_of(server).replies(asks(1))
    assert reply.text == text
    assert len(server.seen) == 1


def test_tokens_count_as_far_as_the_server_tells_numbers(model_of):
    told = {
        "prompt_tokens": "7",
        "completion_tokens": float("nan"),
        "prompt_tokens_details": {"cached_tokens": 3},
    }
    with ModelServer(plan=lambda _seen: body(usage=told)) as server:
        (reply,) = model_of(server).replies(asks(1))
    assert reply.calls[0].usage == Usage(prompt=7, reply=0, cached=3, reasoning=0)


@pytest.mark.parametrize("absurd", [10**30, -4, 2**31 + 1, True, "1e400", [5]])
def test_absurd_numbers_of_tokens_are_unknown_ones(model_of, absurd):
    with ModelServer(plan=lambda _seen: body(usage={"prompt_tokens": absurd})) as server:
        (reply,) = model_of(server).replies(asks(1))
    assert reply.calls[0].usage.prompt == 0


@pytest.mark.parametrize(
    "answer",
    [
        body({"text": "OK"}),
        body("half", finish_reason="abort"),
        Status(200, "<html>busy</html>"),
        Status(200, "[" * 100_000),
    ],
)
def test_a_body_that_is_no_reply_has_a_reason_and_harms_no_other(model_of, answer):
    with ModelServer(plan=always("question 1", answer)) as server:
        got = outcomes(model_of(server).replies(asks(3)))
    assert got == {"question 0": "OK", "question 1": "bad_response", "question 2": "OK"}


def test_an_error_in_a_body_of_status_200_is_told(model_of):
    says = Status(200, {"error": {"message": "Provider returned error: try later"}})
    with ModelServer(plan=lambda _seen: says) as server:
        (reply,) = model_of(server).replies(asks(1))
    assert (reply.failure, reply.calls[0].detail) == ("bad_response", "Provider returned error: try later")
    assert reply.calls[0].passing


def test_a_refusal_was_paid_for_and_is_not_asked_for_again(model_of):
    refusal = Status(200, {"choices": [{"message": {"content": None, "refusal": "No."}}]})
    with ModelServer(plan=lambda _seen: refusal) as server:
        for _ in range(2):
            (reply,) = model_of(server).replies(asks(1))
            assert (reply.text, reply.failure) == (None, "refused")
    assert len(server.seen) == 1


def test_one_prompt_that_always_fails_is_given_up_alone(model_of):
    with ModelServer(plan=always("question 7", Status(500))) as server:
        got = outcomes(model_of(server, attempts=5, patience_seconds=60).replies(asks(9)))
    assert got.pop("question 7") == "http_500"
    assert set(got.values()) == {"OK"}
    assert len(server.seen) == 8 + 5


def test_a_few_that_always_fail_are_given_up_when_patience_ends(model_of):
    with ModelServer(plan=lambda seen: Status(500) if seen.text[-1] in "1234" else None) as server:
        replies = list(model_of(server, patience_seconds=2).replies(asks(10)))
    failed = {reply.key: reply.failure for reply in replies if reply.failure}
    assert failed == {f"question {n}": "http_500" for n in "1234"}
    assert len(replies) == 10


def test_an_outage_at_the_end_loses_none_of_the_last(model_of):
    began = time.monotonic()
    with ModelServer() as server:
        server.plan = lambda _seen: Status(503) if time.monotonic() - began < 3 else None
        got = outcomes(model_of(server, in_flight=64, most_in_flight=64, attempts=3).replies(asks(5)))
    assert set(got.values()) == {"OK"}


def test_a_forbidden_prompt_is_not_a_wrong_key(model_of):
    blocked = Status(403, {"error": {"message": "Your input was flagged."}})
    with ModelServer(plan=always("question 77", blocked), latency=fixed(0.001)) as server:
        got = outcomes(model_of(server).replies(asks(100)))
    assert got.pop("question 77") == "http_403"
    assert set(got.values()) == {"OK"}
    assert len(server.seen) == 100


def test_a_key_with_a_line_break_is_sent_without_it(model_of, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", " secret-key\n")
    with ModelServer() as server:
        list(model_of(server).replies(asks(1)))
    assert server.seen[0].headers["authorization"] == "Bearer secret-key"


@pytest.mark.parametrize("key", ["schlüssel", "two\nlines"])
def test_a_key_that_cannot_be_sent_is_told_without_being_shown(model_of, monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with ModelServer() as server, pytest.raises(ModelRefusedError, match="OPENAI_API_KEY") as caught:
        list(model_of(server).replies(asks(1)))
    assert key not in str(caught.value)


def test_a_prompt_that_is_too_long_does_not_turn_the_schema_off(model_of):
    message = "This model's maximum context length is 9 tokens (including 3 in the response_format schemas.)"
    with ModelServer(plan=always("question 1", Status(400, {"error": {"message": message}}))) as server:
        requests = [ask(f"question {n}", reply_schema={"type": "object"}) for n in range(4)]
        got = outcomes(model_of(server, in_flight=1, most_in_flight=1).replies(requests))
    assert got["question 1"] == "too_long"
    assert [seen.body["response_format"]["type"] for seen in server.seen] == ["json_schema"] * 4


def test_filtered_content_says_so_even_without_a_word(model_of):
    with ModelServer(plan=lambda _seen: Text("", "content_filter")) as server:
        assert outcomes(model_of(server).replies(asks(1))) == {"question 0": "content_filter"}


def garbled_server(answers: list[bytes]):
    """A server that answers a connection with these bytes, whatever is asked."""

    async def serve(ready, stop):
        async def answer(reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answers[0])
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        ready.append(server.sockets[0].getsockname()[1])
        while not stop.is_set():
            await asyncio.sleep(0.02)
        server.close()

    return serve


def test_what_is_no_http_at_all_is_a_passing_fault(model_of):
    ready, stop = [], threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(garbled_server([b"HELLO\r\n\r\n"])(ready, stop)))
    thread.start()
    while not ready:
        time.sleep(0.01)

    class Garbled:
        url = f"http://127.0.0.1:{ready[0]}/v1"

    (reply,) = model_of(Garbled, attempts=2).replies(asks(1))
    stop.set()
    thread.join()
    assert (reply.failure, reply.calls[0].passing) == ("connection", True)


def test_two_streams_of_one_model_are_refused_rather_than_mixed_up(model_of):
    with ModelServer(latency=fixed(0.01)) as server:
        model = model_of(server)
        first = model.replies(asks(50))
        next(first)
        with pytest.raises(RuntimeError, match="serves another stream already"):
            next(model.replies(asks(5)))
        first.close()
        assert len(list(model.replies(asks(5)))) == 5


def test_an_outage_is_told_while_it_lasts(model_of, caplog):
    began = time.monotonic()
    with ModelServer() as server:
        server.plan = lambda _seen: Status(503) if time.monotonic() - began < 2 else None
        list(model_of(server).replies(asks(20)))
    assert any("has answered nothing for" in record.message for record in caplog.records)


@pytest.mark.parametrize("code", [429, 500, 503])
def test_no_standstill_is_told_while_requests_are_running(model_of, caplog, monkeypatch, code):
    """Some fail at once, and again, while others take their time."""
    monkeypatch.setattr(durable, "_WATCH_SECONDS", 0.05)
    monkeypatch.setattr(durable, "_STALLED_SECONDS", 0.1)
    refused = iter([Status(code, after=0.0)] * 2)
    with ModelServer(latency=fixed(0.8)) as server:
        server.plan = lambda seen: next(refused, None) if seen.text[-1] in "01" else None
        assert len(list(model_of(server).replies(asks(6)))) == 6
    assert [record.message for record in caplog.records] == []


@pytest.mark.parametrize(
    ("code", "refusals", "is_told"), [(429, 1, False), (503, 1, False), (429, 2, True), (503, 2, True)]
)
def test_a_wait_that_the_server_asks_for_once_is_no_standstill(
    model_of, caplog, monkeypatch, code, refusals, is_told
):
    monkeypatch.setattr(durable, "_WATCH_SECONDS", 0.05)
    monkeypatch.setattr(durable, "_STALLED_SECONDS", 0.5)
    seen = Counter()

    def plan(request):
        seen[request.text] += 1
        return Status(code, headers={"Retry-After": "1"}) if seen[request.text] <= refusals else None

    with ModelServer() as server:
        server.plan = plan
        assert len(list(model_of(server).replies(asks(2)))) == 2
    assert any("has answered nothing" in record.message for record in caplog.records) == is_told


def test_a_slow_source_of_requests_does_not_hold_up_what_was_asked(model_of):
    def slowly():
        for request in asks(6):
            time.sleep(0.2)
            yield request

    with ModelServer() as server:
        began = time.monotonic()
        replies = model_of(server).replies(slowly())
        next(replies)
        first = time.monotonic() - began
        assert len(list(replies)) == 5
    assert first < 0.9


def test_a_rerun_with_nothing_but_prompts_that_always_fail_ends_too(model_of):
    with ModelServer(plan=lambda seen: Status(500) if seen.text[-1] in "123" else None) as server:
        for _ in range(2):
            got = outcomes(model_of(server, patience_seconds=1.5).replies(asks(10)))
            assert {key for key, text in got.items() if text == "http_500"} == {
                "question 1",
                "question 2",
                "question 3",
            }
            assert len(got) == 10


def test_prompts_that_always_fail_do_not_keep_later_ones_from_being_sent(model_of):
    with ModelServer(plan=lambda seen: Status(500) if "bad" in seen.text else None) as server:
        requests = [*asks(3), *(ask(f"bad {n}") for n in range(3)), *(ask(f"good {n}") for n in range(20))]
        got = outcomes(model_of(server, in_flight=1, most_in_flight=1, patience_seconds=3).replies(requests))
    assert sum(text == "OK" for text in got.values()) == 23
    assert sum(text == "http_500" for text in got.values()) == 3


def test_a_server_that_is_slow_to_come_back_is_not_given_up_while_it_answers(model_of):
    began = time.monotonic()

    def plan(_seen):
        return Status(503) if time.monotonic() - began < 1 else None

    with ModelServer(plan=plan, latency=lambda _n: 0 if time.monotonic() - began < 1 else 3) as server:
        got = outcomes(model_of(server, patience_seconds=2).replies(asks(12)))
    assert set(got.values()) == {"OK"}


def test_one_prompt_about_forms_does_not_turn_the_schema_off_for_others(model_of):
    complaint = Status(400, {"error": {"message": "Content about grammar is not allowed."}})
    with ModelServer(plan=always("question 1", complaint)) as server:
        requests = [ask(f"question {n}", reply_schema={"type": "object"}) for n in range(4)]
        got = outcomes(model_of(server, in_flight=1, most_in_flight=1).replies(requests))
    assert got["question 1"] == "http_400"
    others = [seen for seen in server.seen if seen.text != "question 1"]
    assert [seen.body["response_format"]["type"] for seen in others] == ["json_schema"] * 3


def test_a_long_message_about_the_length_is_understood(model_of):
    message = "Sorry. " * 200 + "This model's maximum context length is 9 tokens."
    with ModelServer(plan=lambda _seen: Status(400, {"error": {"message": message}})) as server:
        assert outcomes(model_of(server).replies(asks(1))) == {"question 0": "too_long"}
