"""Counts of what models were asked: rows about which nobody was asked are in none of them."""

import pytest

from tests.report_warehouse import insert
from tests.unit.sql.querying import run

LEFT_OUT = ("closing_section", "one_sentence", "material_list")


def paragraphs(connection, *reasons: str | None) -> None:
    rows = ({"paragraph_id": f"p{n}", "rejection_reason": reason} for n, reason in enumerate(reasons))
    insert(connection, "single_hop.extractions", *rows)


@pytest.mark.parametrize(
    ("reasons", "asked"),
    [
        ([None, None, None], 3),
        ([None, *LEFT_OUT], 1),
        ([None, "malformed_reply", "timeout", "one_sentence"], 3),
        (["material_list"], 0),
        ([], 0),
    ],
)
def test_paragraphs_that_were_left_out_were_not_asked_about(connection, reasons, asked):
    paragraphs(connection, *reasons)
    stages = dict(run(connection, "report.stages").select("stage", "rows").iter_rows())
    assert stages["paragraphs asked about"] == asked
    models = run(connection, "report.models").filter(task="questions about paragraphs")
    assert models["rows"].to_list() == [asked] * (asked > 0)


@pytest.mark.parametrize(
    ("table", "task", "key", "asked", "unasked"),
    [
        ("benchmark.judgements", "judging answers", "answer_id", [None, "malformed_reply"], ["same_family"]),
        ("benchmark.judgements", "judging answers", "answer_id", [None], ["no_answer", "no_text"]),
        ("benchmark.aspect_ratings", "rating answers", "answer_id", ["malformed_reply"], ["same_family"]),
        ("benchmark.aspect_ratings", "rating answers", "answer_id", [None], ["no_text", "no_answer"]),
        ("benchmark.ratings", "rating items", "item_id", [None], ["own_family", "too_many_documents"]),
        ("benchmark.answers", "answers", "answer_id", [None, "timeout"], ["no_ranking", "not_recorded"]),
    ],
)
def test_a_model_is_listed_with_the_rows_that_it_was_asked_for(connection, table, task, key, asked, unasked):
    who = {"judge": "j", "model": "j"}
    insert(connection, table, *(who | {key: f"a{n}", "rejection_reason": r} for n, r in enumerate(unasked)))
    assert run(connection, "report.models").is_empty()
    insert(connection, table, *(who | {key: f"b{n}", "rejection_reason": r} for n, r in enumerate(asked)))
    (row,) = run(connection, "report.models").select("task", "model", "rows").rows()
    assert row == (task, "j", len(asked))
