"""What requests would cost, by a price table and the replies so far."""

from dataclasses import dataclass

import duckdb
import pytest
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.cli.costs import cost, is_free, reply_tokens
from aimsciqa_assets.platform.writing import create_tables
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
    assert cost(priced, 250_000) == "about 3.00"
    assert cost(priced, 250_000, at_most=True) == "at most 3.00"


def test_before_any_reply_each_is_as_long_as_the_settings_allow(priced):
    # 0.5 million tokens at 2, and a thousand replies of 2048 + 952 tokens at 8.
    assert cost(priced, None) == "at most 25.00"


def test_without_a_price_there_is_no_cost(priced):
    other = ModelSettings(**priced.model.model_dump() | {"name": "other"})
    assert cost(Requests(other), 250_000) == "no price"
    unpriced = ModelSettings(**priced.model.model_dump() | {"prices": ""})
    assert cost(Requests(unpriced), 250_000) == "no price table"


def test_rules_and_recordings_are_free(priced):
    for model in (ModelSettings(), ModelSettings(backend="recorded", name="jane")):
        assert is_free(model)
        assert cost(Requests(model), None) == "free"
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
