import pytest
from aimsciqa_resources.language_model import Call, Message, ModelReply, ModelRequest, Usage, once

from aimsciqa_assets.platform.accounts import Account, TooManyFailuresError


class Scripted:
    """A model whose replies are given."""

    name, revision, sampling = "m", "1", '{"temperature": 0}'

    def __init__(self, replies):
        self._replies = replies

    def replies(self, requests):
        due = {request.key for request in requests}
        yield from (reply for reply in self._replies if reply.key in due)


def requests(count):
    return [ModelRequest("test", str(n), {}, (Message("user", str(n)),)) for n in range(count)]


def test_what_failed_in_passing_is_named():
    asked = account([reply(0, "http_500", passing=True), reply(1, "http_400"), reply(2)], share=1.0)
    taken(asked, 3)
    assert asked.unanswered == ["0"]


def test_a_repair_that_failed_in_passing_is_named_too():
    calls = (*reply(0).calls, *reply(0, "http_500", passing=True, purpose="repair").calls)
    asked = account([ModelReply("0", "garbage", calls=calls)])
    taken(asked, 1)
    assert asked.unanswered == ["0"]


def reply(key, failure=None, **call):
    values = {
        "purpose": "answer",
        "fingerprint": f"f{key}",
        "from_journal": False,
        "outcome": failure or "ok",
    }
    return ModelReply(str(key), None if failure else "text", failure, calls=(Call(**values | call),))


def account(replies, *, total=None, share=0.05):
    return Account(
        "single_hop.extractions", "b1", Scripted(replies), total or len(replies), failure_share=share
    )


def taken(of, count):
    details = []
    dialogues = map(once, requests(count))
    replies = list(of.results(dialogues, lambda _count, detail="": details.append(detail)))
    return replies, details


def test_calls_of_all_turns_count_for_the_row_of_the_dialogue():
    def twice():
        first = yield ModelRequest("ask", "0", {}, (Message("user", "0"),))
        yield ModelRequest("check", "1", {}, (Message("user", "1"),), purpose="repair")
        return first

    asked = account([reply(0), reply(1, "http_400")], total=1)
    (result,) = asked.results([twice()], lambda _count, detail="": None)
    assert result.key == "0"
    calls = asked.calls().sort("number").select("key", "number", "task", "purpose", "outcome").rows()
    assert calls == [("0", 1, "ask", "answer", "ok"), ("0", 2, "check", "answer", "http_400")]
    # It went on without that reply: the row is none without one.
    assert asked.standing() == ""


def test_an_error_in_a_dialogue_comes_out_and_its_calls_stay():
    def broken():
        yield ModelRequest("test", "1", {}, (Message("user", "1"),))
        raise KeyError("zinc")

    asked = account([reply(0), reply(1)])
    with pytest.raises(KeyError, match="zinc") as caught:
        list(asked.results([once(requests(1)[0]), broken()], lambda _count, detail="": None))
    assert caught.value.__notes__ == [
        "Raised by a dialogue with a language model, at the reply to 1 (task test)."
    ]
    assert asked.calls()["key"].to_list() == ["0"]


def test_every_call_is_a_row():
    usage = Usage(prompt=700, reply=50, cached=600, reasoning=9)
    asked = account([reply(0, usage=usage, cost=0.25, attempts=2, latency_seconds=0.5, finish_reason="stop")])
    taken(asked, 1)
    (row,) = asked.calls().rows(named=True)
    assert row | {"call_id": ""} == {
        "call_id": "",
        "part": "b1",
        "table_name": "single_hop.extractions",
        "task": "test",
        "key": "0",
        "number": 1,
        "purpose": "answer",
        "model": "m",
        "model_revision": "1",
        "server": None,
        "sampling": '{"temperature": 0}',
        "fingerprint": "f0",
        "from_journal": False,
        "outcome": "ok",
        "detail": "",
        "passing": False,
        "finish_reason": "stop",
        "attempts": 2,
        "latency_seconds": 0.5,
        "prompt_tokens": 700,
        "cached_tokens": 600,
        "reply_tokens": 50,
        "reasoning_tokens": 9,
        "cost": 0.25,
        "answered_at": "",
    }


def test_what_was_really_sent_is_recorded():
    asked = account([reply(0, sampling="{}"), reply(1)])
    taken(asked, 2)
    assert sorted(asked.calls()["sampling"]) == ['{"temperature": 0}', "{}"]


def test_the_same_reply_twice_is_paid_once():
    asked = account([reply(0, cost=0.5), reply(1, cost=0.5, fingerprint="f0", from_journal=True)])
    taken(asked, 2)
    assert sorted(asked.calls()["cost"]) == [0.0, 0.5]


def test_thousands_of_calls_keep_their_order_by_id():
    asked = account([reply(n) for n in range(4500)])
    taken(asked, 4500)
    calls = asked.calls()
    assert calls.height == calls["call_id"].n_unique() == 4500
    assert calls["call_id"].is_sorted()


def test_progress_tells_cost_and_failures():
    replies = [
        reply(0, cost=0.5),
        reply(1, cost=1.5, from_journal=True),
        reply(2, "http_400"),
        reply(3, cost=1.0),
    ]
    _, details = taken(account(replies, share=0.5), 4)
    assert "cost 0.50, about 2.00 in all" in details[0]
    assert "cost 0.50, about 2.50 in all" in details[1]
    assert details[2].endswith("1 without a reply")
    assert "cost 1.50, about 1.50 in all" in details[3]


def test_a_few_failures_are_tolerated():
    replies, _ = taken(account([reply(n, "http_400" if n < 5 else None) for n in range(100)]), 100)
    assert len(replies) == 100


def test_more_failures_than_the_share_end_it_with_reasons_and_advice():
    asked = account([reply(n, "http_400" if n % 2 else None, detail="No.") for n in range(100)])
    with pytest.raises(TooManyFailuresError) as caught:
        taken(asked, 100)
    assert "6 of 12 requests to m had no reply (http_400 6). The last one: No." in str(caught.value)
    assert "AIMSCIQA_MODEL_FAILURE_SHARE" in str(caught.value)
    assert asked.calls().height == 12


def test_nothing_but_failures_at_first_ends_it_early():
    with pytest.raises(TooManyFailuresError, match="20 of 20"):
        taken(account([reply(n, "timeout") for n in range(1000)], total=1000), 1000)


def test_one_failure_is_tolerated_among_a_few_but_not_with_a_share_of_0():
    assert len(taken(account([reply(0, "too_long"), reply(1)]), 2)[0]) == 2
    with pytest.raises(TooManyFailuresError):
        taken(account([reply(0, "too_long"), reply(1)], share=0), 2)


def test_a_share_of_1_tolerates_everything():
    assert len(taken(account([reply(n, "timeout") for n in range(50)], share=1.0), 50)[0]) == 50
