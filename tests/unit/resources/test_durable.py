"""The durable model against a server on the loopback: what is sent, what is kept, what is told."""

import json
import threading
import time

import pytest
from aimsciqa_resources.language_model import servers
from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelUnavailableError

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
    always,
    fixed,
    share,
)
from tests.served_models import ask, asks, outcomes

pytestmark = pytest.mark.slow


KEY = "sk-a-secret-that-nobody-may-see"


def test_every_request_has_its_reply_and_what_it_took(model_of):
    with ModelServer(answer=lambda body: body["messages"][-1]["content"].upper()) as server:
        replies = list(model_of(server).replies(asks(20)))
    assert outcomes(replies) == {f"question {n}": f"QUESTION {n}" for n in range(20)}
    (call,) = replies[0].calls
    assert (call.purpose, call.outcome, call.from_journal, call.attempts) == ("answer", "ok", False, 1)
    assert (call.usage.prompt, call.usage.reply, call.finish_reason) == (4, 2, "stop")
    assert 0 < call.latency_seconds < 5
    assert server.most_at_once <= 8


def test_nothing_is_asked_twice(model_of):
    with ModelServer() as server:
        first = outcomes(model_of(server).replies(asks(20)))
        again = list(model_of(server).replies(asks(25)))
    assert len(server.seen) == 25
    assert {reply.key for reply in again if reply.calls[0].from_journal} == set(first)


def test_the_same_question_twice_in_one_go_is_sent_once(model_of):
    with ModelServer(latency=fixed(0.05)) as server:
        replies = list(model_of(server).replies([ask("a", "same"), ask("b", "same"), ask("c", "same")]))
    assert len(server.seen) == 1
    assert outcomes(replies) == {"a": "OK", "b": "OK", "c": "OK"}


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 0.7},
        {"seed": 3},
        {"reply_tokens": 9},
        {"revision": "2"},
        {"extra_body": '{"min_p": 0.1}'},
    ],
)
def test_whatever_changes_a_reply_asks_again(model_of, change):
    with ModelServer() as server:
        list(model_of(server).replies(asks(3)))
        list(model_of(server, **change).replies(asks(3)))
        list(model_of(server, in_flight=2, timeout_seconds=9, api_key_variable="OTHER").replies(asks(3)))
    assert len(server.seen) == 6


def test_a_permanent_error_is_sent_once_and_told(model_of):
    with ModelServer(plan=always("question 77", Status(400))) as server:
        replies = list(model_of(server).replies(asks(100)))
    assert len(replies) == 100
    assert [reply.key for reply in replies if reply.failure] == ["question 77"]
    failed = next(reply for reply in replies if reply.failure)
    assert (failed.failure, failed.text, failed.calls[0].detail) == ("http_400", None, "Bad Request")
    assert len(server.seen) == 100


@pytest.mark.parametrize("code", [413, 422])
def test_other_permanent_errors_too(model_of, code):
    with ModelServer(plan=lambda _seen: Status(code)) as server:
        assert outcomes(model_of(server).replies(asks(1))) == {"question 0": f"http_{code}"}
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "step",
    [
        Status(408),
        Status(409),
        Status(500),
        Status(503),
        Reset(),
        ResetInBody(),
    ],
)
def test_what_passes_is_tried_again(model_of, step):
    with ModelServer(plan=share(0.3, 1, step)) as server:
        replies = list(model_of(server).replies(asks(40)))
    assert set(outcomes(replies).values()) == {"OK"}
    assert len(server.seen) > 40
    assert sum(reply.calls[0].attempts for reply in replies) == len(server.seen)


@pytest.mark.parametrize("step", [InvalidJson(), NotAnObject(), EmptyChoices()])
def test_a_broken_body_is_tried_again_but_not_for_ever(model_of, step):
    with ModelServer(plan=always("question 1", step)) as server:
        got = outcomes(model_of(server).replies(asks(3)))
    assert got == {"question 0": "OK", "question 1": "bad_response", "question 2": "OK"}
    assert len(server.seen) == 2 + 3


def test_an_endless_fault_ends_with_its_reason(model_of):
    with ModelServer(plan=always("question 1", Status(500))) as server:
        got = outcomes(model_of(server, attempts=3).replies(asks(3)))
    assert got["question 1"] == "http_500"
    assert len(server.seen) == 2 + 3


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (NullContent(), "empty_reply"),
        (Text("  "), "empty_reply"),
        (Text("<think>Let me see, first", "length"), "length_limit"),
        (Text("part", "content_filter"), "content_filter"),
        (Refusal("I cannot help with that."), "refused"),
    ],
)
def test_a_reply_without_text_has_a_reason_and_is_not_asked_for_again(model_of, step, reason):
    with ModelServer(plan=lambda _seen: step) as server:
        (reply,) = model_of(server).replies(asks(1))
    assert (reply.text, reply.failure) == (None, reason)
    assert len(server.seen) == 1


REASONED = Status(
    200,
    {
        "choices": [
            {"message": {"content": None, "reasoning_content": "OK"}, "finish_reason": "stop"},
        ]
    },
)


@pytest.mark.parametrize(
    ("step", "detail"),
    [
        (NullContent(), "the answer has no text"),
        (Text(" \n"), "the answer has no text"),
        (Text("<think>It is OK.</think>"), "the answer has no text behind the model's thinking"),
        (
            REASONED,
            "the answer has no text: it was in `reasoning_content`. Start the server without its reasoning "
            "parser, or turn the thinking off: "
            """AIMSCIQA_MODEL_EXTRA_BODY='{"chat_template_kwargs": {"enable_thinking": false}}'""",
        ),
    ],
)
def test_an_answer_without_text_is_not_kept_and_asked_for_again(model_of, step, detail):
    with ModelServer(plan=lambda _seen: step) as server:
        (reply,) = model_of(server).replies(asks(1))
        server.plan = lambda _seen: None
        (again,) = model_of(server).replies(asks(1))
    assert (reply.failure, reply.calls[0].detail, reply.calls[0].passing) == ("empty_reply", detail, True)
    assert (again.text, again.calls[0].from_journal) == ("OK", False)
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    "step", [Text("<think>Let me see", "length"), Text("", "content_filter"), Refusal("I cannot.")]
)
def test_refusals_and_cut_answers_are_kept(model_of, step):
    with ModelServer(plan=lambda _seen: step) as server:
        failures = [reply.failure for _ in range(2) for reply in model_of(server).replies(asks(1))]
    assert len(server.seen) == len(set(failures)) == 1


def test_thinking_is_taken_off_and_paid_for(model_of, tmp_path):
    with ModelServer(plan=lambda _seen: Text("<think>It may be 7.</think>\nSeven.")) as server:
        (reply,) = model_of(server, thinking_tokens=1000, reply_tokens=50).replies(asks(1))
    assert reply.text == "Seven."
    assert reply.calls[0].usage.reply == 5
    assert server.seen[0].body["max_tokens"] == 1050


def test_a_reply_cut_at_the_limit_says_so(model_of):
    with ModelServer(plan=lambda _seen: Text('{"pairs": [', "length")) as server:
        (reply,) = model_of(server).replies(asks(1))
    assert (reply.text, reply.failure, reply.truncated) == ('{"pairs": [', None, True)


def test_429_with_retry_after_waits_that_long_and_the_rest_goes_on(model_of):
    times = {}

    def plan(seen):
        times.setdefault(seen.text, []).append(seen.at)
        return (
            Status(429, headers={"Retry-After": "1"})
            if seen.text == "question 0" and len(times[seen.text]) == 1
            else None
        )

    with ModelServer(plan=plan, latency=fixed(0.02)) as server:
        began = time.monotonic()
        replies = list(model_of(server, in_flight=2).replies(asks(20)))
    assert set(outcomes(replies).values()) == {"OK"}
    first, second = times["question 0"]
    assert second - first >= 1.0
    assert max(at for (at, *_) in (times[f"question {n}"] for n in range(1, 20))) - began < 0.9


def test_a_slow_drip_runs_into_the_timeout(model_of):
    with ModelServer(plan=always("question 1", SlowDrip(5))) as server:
        got = outcomes(model_of(server, timeout_seconds=0.3).replies(asks(3)))
    assert got == {"question 0": "OK", "question 1": "timeout", "question 2": "OK"}
    assert len(server.seen) == 2 + 3


def test_time_in_our_own_queue_is_not_the_servers(model_of):
    with ModelServer(latency=fixed(0.1)) as server:
        got = outcomes(model_of(server, in_flight=1, most_in_flight=1, timeout_seconds=0.3).replies(asks(10)))
    assert set(got.values()) == {"OK"}
    assert len(server.seen) == 10


@pytest.mark.parametrize("code", [401, 403])
def test_a_wrong_key_stops_at_once_and_tells_what_to_set(model_of, monkeypatch, code):
    monkeypatch.setenv("MY_KEY", KEY)
    refusal = Status(code, {"error": {"message": f"Incorrect API key provided: {KEY}."}})
    with (
        ModelServer(plan=lambda _seen: refusal, latency=fixed(0.01)) as server,
        pytest.raises(ModelRefusedError) as caught,
    ):
        list(model_of(server, api_key_variable="MY_KEY").replies(asks(500)))
    assert "environment variable MY_KEY" in str(caught.value)
    assert KEY not in str(caught.value)
    assert len(server.seen) < 40


def test_the_key_goes_to_the_server_and_nowhere_else(model_of, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    says = Status(400, {"error": {"message": f"Bad request with key {KEY} and sk-proj-other123456"}})
    with ModelServer(plan=always("question 1", says)) as server:
        replies = list(model_of(server).replies(asks(3)))
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(replies)
    assert "sk-proj" not in repr(replies)
    for file in tmp_path.iterdir():
        assert KEY.encode() not in file.read_bytes()


def test_an_unknown_model_stops_at_once_and_names_those_that_are_there(model_of):
    with (
        ModelServer(plan=lambda _seen: Status(404), model="other") as server,
        pytest.raises(
            ModelRefusedError, match=r"m at http.* is not there .*AIMSCIQA_MODEL_NAME.* It has: other"
        ),
    ):
        list(model_of(server).replies(asks(5)))


def test_a_used_up_account_stops_at_once(model_of):
    empty = Status(429, {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}})
    with ModelServer(plan=lambda _seen: empty) as server, pytest.raises(ModelRefusedError, match="used up"):
        list(model_of(server).replies(asks(50)))


def test_a_server_that_went_away_is_waited_for_and_nothing_is_lost(model_of):
    def away(seen):
        return Status(503) if 10 <= seen.number < 20 else None

    with ModelServer(plan=away, latency=fixed(0.01)) as server:
        replies = list(model_of(server, attempts=2).replies(asks(60)))
    assert set(outcomes(replies).values()) == {"OK"}


def test_a_server_that_stays_away_ends_the_step_with_advice(model_of):
    with ModelServer() as server:
        pass
    model = model_of(server, patience_seconds=1)
    with pytest.raises(
        ModelUnavailableError, match=r"has answered nothing for \d s; the last error was: conn"
    ):
        list(model.replies(asks(20)))


def test_what_was_answered_before_an_error_is_kept(model_of):
    with ModelServer(plan=lambda seen: Status(401) if seen.number >= 10 else None) as server:
        with pytest.raises(ModelRefusedError):
            list(model_of(server, in_flight=1, most_in_flight=1).replies(asks(20)))
        server.plan = lambda _seen: None
        assert len(list(model_of(server).replies(asks(20)))) == 20
    assert len([seen for seen in server.seen if seen.status == 200]) == 20


def test_leaving_the_replies_stops_the_asking(model_of):
    with ModelServer(latency=fixed(0.02)) as server:
        replies = model_of(server).replies(asks(1000))
        next(replies)
        replies.close()
        sent = len(server.seen)
        time.sleep(0.2)
        assert len(server.seen) <= sent + 8
        assert threading.active_count() < 10


def test_an_error_in_the_requests_comes_out(model_of):
    def broken():
        yield ask("a")
        raise KeyError("title")

    with ModelServer() as server, pytest.raises(KeyError, match="title"):
        list(model_of(server).replies(broken()))


def test_a_prompt_over_the_context_has_that_as_its_reason(model_of):
    with ModelServer(context=20) as server:
        requests = [ask("short", "one two"), ask("long", " ".join("abcdefghijklmnop"))]
        got = outcomes(model_of(server, reply_tokens=8).replies(requests))
    assert got == {"short": "OK", "long": "too_long"}


def test_a_queue_at_a_vllm_server_lowers_the_number_in_flight(model_of, monkeypatch):
    monkeypatch.setattr(servers, "_WATCH_SECONDS", 0.1)
    in_work = []
    with ModelServer(slots=4, latency=fixed(0.05)) as server:
        server.plan = lambda _seen: in_work.append(server.in_engine)
        list(model_of(server, in_flight=40, most_in_flight=40).replies(asks(200)))
    assert max(in_work[:60]) > 30
    assert max(in_work[100:]) < 12


def test_an_empty_queue_at_a_vllm_server_raises_it_again(model_of, monkeypatch):
    monkeypatch.setattr(servers, "_WATCH_SECONDS", 0.1)
    with ModelServer(latency=fixed(0.05)) as server:
        list(model_of(server, in_flight=2, most_in_flight=16).replies(asks(250)))
    assert 8 <= server.most_at_once <= 16


def test_without_metrics_the_number_in_flight_is_fixed(model_of):
    with ModelServer(latency=fixed(0.02), owned_by="someone") as server:
        list(model_of(server, in_flight=6, most_in_flight=64).replies(asks(100)))
    assert server.most_at_once == 6


def test_a_reply_that_no_file_can_hold_is_mended(model_of):
    body = json.dumps({"choices": [{"message": {"content": "\ud800 x"}, "finish_reason": "stop"}]})
    with ModelServer(plan=lambda _seen: Status(200, json.loads(body))) as server:
        (reply,) = model_of(server).replies(asks(1))
    assert reply.text == "? x"
