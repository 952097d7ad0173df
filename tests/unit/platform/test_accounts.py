import pytest
from aimsciqa_resources.language_model import Call, Message, ModelReply, ModelRequest, Usage, once
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.platform import writing
from aimsciqa_assets.platform.accounts import Account, TooManyFailuresError
from aimsciqa_assets.platform.records import Record


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


def test_what_failed_in_passing_is_named(account):
    asked = account([reply(0, "http_500", passing=True), reply(1, "http_400"), reply(2)], share=1.0)
    taken(asked, 3)
    assert asked.unanswered == ["0"]


def test_a_repair_that_failed_in_passing_is_named_too(account):
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


@pytest.fixture
def account(tmp_path):
    def of(replies, *, total=None, share=0.05):
        model = Scripted(replies)
        total = total or len(replies)
        return Account("single_hop.extractions", "b1", model, total, tmp_path / "calls", failure_share=share)

    return of


def taken(of, count, first=0):
    details = []
    dialogues = map(once, requests(count)[first:])
    replies = list(of.results(dialogues, lambda _count, detail="": details.append(detail)))
    return replies, details


def test_calls_of_all_turns_count_for_the_row_of_the_dialogue(account):
    def twice():
        first = yield ModelRequest("ask", "0", {}, (Message("user", "0"),))
        yield ModelRequest("check", "1", {}, (Message("user", "1"),), purpose="repair")
        return first

    asked = account([reply(0), reply(1, "http_400")], total=1)
    (result,) = asked.results([twice()], lambda _count, detail="": None)
    assert result.key == "0"
    calls = asked.calls.frame().sort("number").select("key", "number", "task", "purpose", "outcome").rows()
    assert calls == [("0", 1, "ask", "answer", "ok"), ("0", 2, "check", "answer", "http_400")]
    # It went on without that reply: the row is none without one.
    assert asked.standing() == ""


def test_an_error_in_a_dialogue_comes_out_and_its_calls_stay(account):
    def broken():
        yield ModelRequest("test", "1", {}, (Message("user", "1"),))
        raise KeyError("zinc")

    asked = account([reply(0), reply(1)])
    with pytest.raises(KeyError, match="zinc") as caught:
        list(asked.results([once(requests(1)[0]), broken()], lambda _count, detail="": None))
    assert caught.value.__notes__ == [
        "Raised by a dialogue with a language model, at the reply to 1 (task test)."
    ]
    assert asked.calls.frame()["key"].to_list() == ["0"]


def test_every_call_is_a_row(account):
    usage = Usage(prompt=700, reply=50, cached=600, reasoning=9)
    asked = account([reply(0, usage=usage, cost=0.25, attempts=2, latency_seconds=0.5, finish_reason="stop")])
    taken(asked, 1)
    (row,) = asked.calls.frame().rows(named=True)
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
        "replaced": False,
    }


def test_what_was_really_sent_is_recorded(account):
    asked = account([reply(0, sampling="{}"), reply(1)])
    taken(asked, 2)
    assert sorted(asked.calls.frame()["sampling"]) == ['{"temperature": 0}', "{}"]


def test_the_same_reply_twice_is_paid_once(account):
    asked = account([reply(0, cost=0.5), reply(1, cost=0.5, fingerprint="f0", from_journal=True)])
    taken(asked, 2)
    assert sorted(asked.calls.frame()["cost"]) == [0.0, 0.5]


def test_thousands_of_calls_keep_their_order_by_id(account):
    asked = account([reply(n) for n in range(4500)])
    taken(asked, 4500)
    calls = asked.calls.frame()
    assert calls.height == calls["call_id"].n_unique() == 4500
    assert calls["call_id"].is_sorted()


def test_progress_tells_cost_and_failures(account):
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


def test_a_few_failures_are_tolerated(account):
    replies, _ = taken(account([reply(n, "http_400" if n < 5 else None) for n in range(100)]), 100)
    assert len(replies) == 100


def test_more_failures_than_the_share_end_it_with_reasons_and_advice(account):
    asked = account([reply(n, "http_400" if n % 2 else None, detail="No.") for n in range(100)])
    with pytest.raises(TooManyFailuresError) as caught:
        taken(asked, 100)
    assert "6 of 12 requests to m had no reply (http_400 6). The last one: No." in str(caught.value)
    assert "AIMSCIQA_MODEL_FAILURE_SHARE" in str(caught.value)
    assert asked.calls.frame().height == 12


def test_nothing_but_failures_at_first_ends_it_early(account):
    with pytest.raises(TooManyFailuresError, match="20 of 20"):
        taken(account([reply(n, "timeout") for n in range(1000)], total=1000), 1000)


def test_one_failure_is_tolerated_among_a_few_but_not_with_a_share_of_0(account):
    assert len(taken(account([reply(0, "too_long"), reply(1)]), 2)[0]) == 2
    with pytest.raises(TooManyFailuresError):
        taken(account([reply(0, "too_long"), reply(1)], share=0), 2)


def test_a_share_of_1_tolerates_everything(account):
    assert len(taken(account([reply(n, "timeout") for n in range(50)], share=1.0), 50)[0]) == 50


@pytest.mark.parametrize("in_memory", [2, 10_000])
def test_calls_are_written_whole_and_a_failed_run_keeps_the_earlier_ones(
    tmp_path, account, monkeypatch, in_memory
):
    monkeypatch.setattr(writing, "_CALLS_IN_MEMORY", in_memory)
    warehouse = Warehouse(database=str(tmp_path / "w.duckdb"))
    writing.create_tables(warehouse)
    of_calls = "select key, outcome, cost from ops.llm_calls order by key"

    one, two = account([reply(n, cost=0.5) for n in range(2)]), account([reply(2, cost=0.5)])
    taken(one, 2)
    taken(two, 3, first=2)
    record = Record("single_hop.extractions", "b1", "f", "f", "", frozenset(), 0)
    writing.write_rows(warehouse, {}, "b1", [record], [one, two])
    assert warehouse.read(of_calls).rows() == [(str(n), "ok", 0.5) for n in range(3)]

    failed = account([reply(n, "http_400") for n in range(2, 6)], share=1.0)
    taken(failed, 6, first=2)
    writing.write_failure(warehouse, ["single_hop.extractions"], "b1", ValueError("No."), [failed])
    assert warehouse.read(of_calls).rows() == [
        ("0", "ok", 0.5),
        ("1", "ok", 0.5),
        *((str(n), "http_400", None) for n in range(2, 6)),
    ]


def calls_after(warehouse: Warehouse, *accounts) -> list[tuple]:
    record = Record("single_hop.extractions", "b1", "f", "f", "", frozenset(), 0)
    for one in accounts:
        writing.write_rows(warehouse, {}, "b1", [record], [one])
    columns = "key, fingerprint, from_journal, cost, replaced"
    return warehouse.read(f"select {columns} from ops.llm_calls order by key, fingerprint").rows()


@pytest.mark.parametrize("in_memory", [0, 10_000])
def test_calls_that_a_later_prompt_replaced_stay_with_their_cost(tmp_path, account, monkeypatch, in_memory):
    monkeypatch.setattr(writing, "_CALLS_IN_MEMORY", in_memory)
    warehouse = Warehouse(database=str(tmp_path / "w.duckdb"))
    writing.create_tables(warehouse)

    def asked(prompt: str, *, known: bool = False, rows: int = 2):
        replies = [reply(n, fingerprint=f"{prompt}{n}", cost=0.5, from_journal=known) for n in range(rows)]
        made = account(replies)
        taken(made, rows)
        return made

    old = [("0", "old0", False, 0.5, True), ("1", "old1", False, 0.5, True)]
    new = [("0", "new0", False, 0.5, False), ("1", "new1", False, 0.5, False)]
    assert calls_after(warehouse, asked("old"), asked("new")) == [new[0], old[0], new[1], old[1]]
    # The same again changes nothing but where the replies come from.
    again = [(key, mark, True, cost, replaced) for key, mark, _, cost, replaced in new]
    assert calls_after(warehouse, asked("new", known=True)) == [again[0], old[0], again[1], old[1]]
    # The old prompt is back, and a row is gone.
    assert calls_after(warehouse, asked("old", known=True, rows=1)) == [
        ("0", "new0", True, 0.5, True),
        ("0", "old0", True, 0.5, False),
        ("1", "new1", True, 0.5, True),
        ("1", "old1", False, 0.5, True),
    ]


def test_an_answer_without_text_stays_paid_where_its_request_is_sent_again(tmp_path, account):
    warehouse = Warehouse(database=str(tmp_path / "w.duckdb"))
    writing.create_tables(warehouse)
    tries = [
        reply(0, "empty_reply", passing=True, cost=0.5, answered_at="2026-01-01"),
        reply(0, "empty_reply", passing=True, cost=0.25, answered_at="2026-01-02"),
        reply(0, "timeout", passing=True),
        reply(0, cost=0.125, answered_at="2026-01-03"),
        reply(0, cost=0.125, answered_at="2026-01-03", from_journal=True),
    ]
    made = [account([one], share=1.0) for one in tries]
    for asked in made:
        taken(asked, 1)
    assert sorted(cost for *_, cost, _ in calls_after(warehouse, *made)) == [0.125, 0.25, 0.5]
