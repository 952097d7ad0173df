"""What requests would cost, by a price table and the replies so far."""

from dataclasses import dataclass

import duckdb
import pytest
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.warehouse import Warehouse
from rich.console import Console

from aimsciqa_assets.cli import preview
from aimsciqa_assets.cli.costs import Cost, cost, in_all, is_free, prices_in, reply_tokens, with_total
from aimsciqa_assets.cli.foretelling import Asked
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from tests import report_warehouse


@dataclass
class Requests:
    model: ModelSettings
    task: str = "multi_hop"
    to_send: int = 1000
    prompt_tokens: int = 500_000


@pytest.fixture
def priced(tmp_path) -> Requests:
    """A thousand requests to a model whose input costs 2 per million tokens, its output 8."""
    table = tmp_path / "prices.csv"
    table.write_text("model,input,cached_input,output\nm,2,0.5,8\n")
    model = {"backend": "server", "name": "m", "base_url": "http://localhost:9/v1", "prices": str(table)}
    return Requests(ModelSettings(**model, reply_tokens=2048, thinking_tokens=952))


def test_prompts_and_replies_are_paid_for_at_their_own_price(priced):
    # 0.5 million tokens at 2, and 0.25 million at 8.
    assert str(cost(priced, 250_000)) == "about 3.00"
    assert str(cost(priced, 250_000, at_most=True)) == "at most 3.00"


def test_before_any_reply_each_is_as_long_as_the_settings_allow(priced):
    # 0.5 million tokens at 2, and a thousand replies of 2048 + 952 tokens at 8.
    assert str(cost(priced, None)) == "at most 25.00"


def test_without_a_price_there_is_no_cost(priced):
    other = ModelSettings(**priced.model.model_dump() | {"name": "other"})
    assert str(cost(Requests(other), 250_000)) == "no price"
    unpriced = ModelSettings(**priced.model.model_dump() | {"prices": ""})
    assert str(cost(Requests(unpriced), 250_000)) == "no price table"


def test_rules_and_recordings_are_free(priced):
    for model in (ModelSettings(), ModelSettings(backend="recorded", name="jane")):
        assert is_free(model)
        assert str(cost(Requests(model), None)) == "free"
    assert not is_free(priced.model)


@pytest.fixture
def warehouse(tmp_path) -> Warehouse:
    """Replies to one task by two models, one call that failed, and one whose tokens nobody counted."""
    made = Warehouse(str(tmp_path / "warehouse.duckdb"))
    create_tables(made)
    calls = [("m", "ok", 10), ("m", "ok", 20), ("m", "timeout", 900), ("m", "ok", 0), ("n", "ok", 60)]
    rows = [
        {"call_id": str(number), "task": "multi_hop", "model": model, "outcome": outcome, "reply_tokens": n}
        for number, (model, outcome, n) in enumerate(calls)
    ]
    with duckdb.connect(made.database) as connection:
        report_warehouse.insert(connection, "ops.llm_calls", *rows)
    return made


def test_replies_are_as_long_as_those_of_the_model_so_far(priced, warehouse):
    assert reply_tokens(priced, warehouse) == 15_000


def test_for_a_model_that_never_replied_those_of_others_count(priced, warehouse):
    priced.model = ModelSettings(**priced.model.model_dump() | {"name": "new"})
    assert reply_tokens(priced, warehouse) == 30_000


def test_for_a_task_that_nobody_was_asked_nothing_is_known(priced, warehouse):
    priced.task = "answering"
    assert reply_tokens(priced, warehouse) is None


CALL = {"table_name": "benchmark.judgements", "model": "m", "prompt_tokens": 10, "cost": 0.5}


@pytest.mark.parametrize(
    ("calls", "count", "replaced", "spent"),
    [
        # Two answerers give one answer, and the judge is asked once.
        ([{"part": "a"}, {"part": "b", "from_journal": True}], 2, 0, 0.5),
        # The ids of the rows changed; the reply is in the journal.
        ([{"key": "old", "replaced": True}, {"key": "new", "from_journal": True}], 2, 1, 0.5),
        # Another prompt was asked since, and then another one.
        ([{"fingerprint": "1", "replaced": True}, {"fingerprint": "2", "replaced": True}, {}], 3, 2, 1.5),
        # The same request was paid again, because the first answer had no text.
        ([{"answered_at": "2026-01-01", "replaced": True}, {"answered_at": "2026-01-02"}], 2, 1, 1.0),
        ([{"cost": None}, {"cost": None, "outcome": "timeout"}], 2, 0, None),
    ],
)
def test_what_was_spent_counts_every_reply_once(tmp_path, calls, count, replaced, spent):
    made = Warehouse(str(tmp_path / "warehouse.duckdb"))
    create_tables(made)
    rows = [{"call_id": str(number), "fingerprint": "f", **CALL, **call} for number, call in enumerate(calls)]
    with duckdb.connect(made.database) as connection:
        report_warehouse.insert(connection, "ops.llm_calls", *rows)
    row = made.read(query_of("cli.calls").text).row(0, named=True)
    assert (row["calls"], row["replaced"], row["prompt_tokens"], row["cost"]) == (
        count,
        replaced,
        10 * count,
        spent,
    )
    assert made.read(query_of("metrics.model_tokens").text)["cost"].to_list() == [spent]


@pytest.mark.parametrize(
    ("costs", "told"),
    [
        ([], "free"),
        ([Cost(), Cost()], "free"),
        ([Cost(1.5), Cost(0.25), Cost()], "about 1.75"),
        ([Cost(1.5), Cost(2.0, at_most=True)], "at most 3.50"),
        ([Cost(1.5), Cost(unknown="no price")], "about 1.50, and requests with no price"),
        ([Cost(), Cost(unknown="no price table")], "no price table"),
        ([Cost(0.0, at_most=True)], "at most 0.00"),
    ],
)
def test_the_sum_of_costs_hides_nothing_that_has_no_price(costs, told):
    assert in_all(costs) == told


def replies(model: str, task: str, number: int, prompt: int, cached: int, reply: int, day: str) -> dict:
    return {
        "model": model,
        "task": task,
        "replies": number,
        "prompt_tokens": prompt,
        "cached_tokens": cached,
        "reply_tokens": reply,
        "first_day": day,
        "last_day": day,
    }


def test_the_journal_is_summed_up_with_what_its_replies_cost(priced):
    prices = prices_in(Settings.preset_of("demo", {"AIMSCIQA_MODEL_PRICES": priced.model.prices}))
    rows = [
        replies("m", "multi_hop", 2, 1_000_000, 400_000, 250_000, "2026-01-02"),
        replies("m", "single_hop", 3, 500_000, 0, 0, "2026-01-01"),
        replies("other", "judge", 1, 10, 0, 20, "2026-01-03"),
    ]
    *each, total = with_total(rows, prices)
    # 0.6 million tokens at 2, 0.4 at 0.5 and 0.25 at 8; half a million at 2; no price.
    assert [row["cost"] for row in each] == [pytest.approx(3.4), pytest.approx(1.0), None]
    assert total == {
        "model": "in all",
        "task": "",
        "replies": 6,
        "prompt_tokens": 1_500_010,
        "cached_tokens": 400_000,
        "reply_tokens": 250_020,
        "first_day": "2026-01-01",
        "last_day": "2026-01-03",
        "cost": pytest.approx(4.4),
    }


def test_without_prices_the_journal_has_tokens_and_no_cost():
    *_, total = with_total([replies("m", "judge", 1, 10, 0, 20, "2026-01-03")], {})
    assert (total["replies"], total["reply_tokens"], total["cost"]) == (1, 20, None)


def test_the_preview_ends_with_a_line_for_all_tasks(priced, warehouse, monkeypatch):
    asked = [
        Asked("multi_hop", priced.model, requests=1000, known=0, characters=2_000_000),
        Asked("single_hop", ModelSettings(), requests=5, known=5),
        Asked("unheard", priced.model, requests=10, known=0, characters=40),
    ]
    printed = Console(record=True, width=120)
    monkeypatch.setattr(preview, "console", printed)
    preview.print_asked(asked[:2], [], 0, warehouse)
    preview.print_asked(asked, [], 0, warehouse)
    totals = [row for row in printed.export_text().splitlines() if row.startswith("in all")]
    assert [" ".join(row.split()) for row in totals] == [
        "in all 1005 5 500,000 15,000 about 1.12",
        "in all 1015 5 500,010 unknown at most 1.36",
    ]
