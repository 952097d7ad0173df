"""The form of items: what is declared fits together, and queries get it where they read it."""

import duckdb
import pytest

from aimsciqa_assets.benchmark.answering.evaluators import divided, evaluated_judgements
from aimsciqa_assets.items import FORMS, ItemForm, Kind, UnknownKindError, form_of, kind_of, kinds
from aimsciqa_assets.items.form import alone, gold_papers, papers_in_hand
from aimsciqa_assets.items.parts import select_of
from aimsciqa_assets.platform.queries import Query, form_query
from aimsciqa_assets.tables import TABLES

SOURCE = {"role": "source", "paper_id": "S", "in_hand": True, "gold": False}
TARGET = {"role": "target", "paper_id": "T", "in_hand": False, "gold": True}
ANSWER = {
    "answer_id": "a",
    "answerer": "m",
    "item_id": "i",
    "variant": "im",
    "setting": "oracle",
    "prediction": "Zinc.",
    "rejection_reason": None,
}


def test_a_kind_belongs_to_one_form_and_has_the_oracle_setting():
    names = [kind.name for form in FORMS.values() for kind in form.kinds]
    assert len(names) == len(set(names)) == len(kinds())
    assert all("oracle" in kind.settings for kind in kinds().values())
    assert form_of("cim").name == "multi_hop"
    assert "citation" in kind_of("cim").settings
    assert "citation" not in kind_of("im").settings
    with pytest.raises(UnknownKindError, match="'riddle', which no form declares"):
        kind_of("riddle")


def test_a_form_says_what_asks_and_which_documents():
    for form in FORMS.values():
        assert form_query(form, "questions")
        assert form_query(form, "documents")
        assert form_query(form, "riddles") is None


def test_documents_by_what_they_are_for():
    assert (gold_papers([SOURCE, TARGET]), papers_in_hand([SOURCE, TARGET])) == (["T"], ["S"])
    assert alone([SOURCE, TARGET]) == {"source": "S", "target": "T"}
    assert alone([SOURCE]) == {}


def test_rows_of_all_systems_come_together_and_what_one_leaves_out_is_null():
    one = "-- One row: it.\nselect 'i' as item_id, 'P' as paper_id, 3 as position"
    select = select_of("pools", {"a": one, "b": "select 'j' as item_id, 'Q' as paper_id"})
    found = duckdb.sql(select).fetchall()
    assert sorted(found) == [("a", "i", "P", 3), ("b", "j", "Q", None)]
    assert duckdb.sql(select_of("pools", {})).fetchall() == []


@pytest.mark.parametrize(
    "statement",
    [
        "select count(*) as n from item_pools",
        "with few as (select * from item_pools)\n\nselect count(*) as n from few",
        "select count(*) as n from item_pools inner join item_documents using (item_id)",
    ],
)
def test_a_query_gets_the_items_that_it_reads(statement):
    query = Query("a.b", f"-- One row: a number, of item_quotes.\n{statement}\n")
    assert query.comment == "One row: a number, of item_quotes."
    assert query.statement == statement
    assert "single_hop" not in query.text
    with duckdb.connect() as connection:
        for table in TABLES.values():
            connection.execute(f"create schema if not exists {table.schema}")
            connection.execute(table.ddl(2))
        assert connection.sql(query.text).fetchall() == [(0,)]


def test_a_query_that_reads_no_items_stays_as_it_is_written():
    query = Query("a.b", "-- One row: not of item_quotes.\nselect 1\n")
    assert query.text == query.written


def test_an_evaluator_of_a_form_that_has_none_says_what_is_missing(monkeypatch):
    items = [{"item_id": "i", "evaluator": "{}"}, {"item_id": "j", "evaluator": None}]
    judged, evaluated = divided([ANSWER, ANSWER | {"item_id": "j"}], items)
    assert [row["item_id"] for row in judged] == ["j"]
    with pytest.raises(ValueError, match="Item i has an evaluator, but the form 'multi_hop' cannot evaluate"):
        list(evaluated_judgements(evaluated))
    form = ItemForm(
        "multi_hop", (Kind("im", "IM"),), evaluate=lambda _evaluator, said: float(said == "Zinc.")
    )
    monkeypatch.setitem(FORMS, "multi_hop", form)
    failed = evaluated[0] | {"prediction": None, "rejection_reason": "http_400"}
    declined = failed | {"rejection_reason": "declined"}
    rows = list(evaluated_judgements([*evaluated, failed, declined]))
    assert [(row["score"], row["rejection_reason"]) for row in rows] == [
        (1.0, None),
        (0.0, "no_answer"),
        (0.0, None),
    ]
