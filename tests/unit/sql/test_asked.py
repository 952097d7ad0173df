"""Counts of what models were asked: rows about which nobody was asked are in none of them."""

import pytest

from tests.report_warehouse import insert
from tests.unit.sql.querying import run


@pytest.mark.parametrize(
    ("table", "task", "key", "asked", "unasked"),
    [
        ("benchmark.judgements", "judging answers", "answer_id", [None, "malformed_reply"], ["same_family"]),
        ("benchmark.judgements", "judging answers", "answer_id", [None], ["no_answer", "no_text"]),
        ("benchmark.aspect_ratings", "rating answers", "answer_id", ["malformed_reply"], ["same_family"]),
        ("benchmark.aspect_ratings", "rating answers", "answer_id", [None], ["no_text", "no_answer"]),
        ("benchmark.ratings", "rating items", "item_id", [None], ["own_family", "too_many_documents"]),
        ("benchmark.answers", "answers", "answer_id", [None, "timeout"], ["no_ranking", "not_recorded"]),
        ("benchmark.judgements", "judging answers", "answer_id", ["timeout"], ["not_recorded"]),
        ("benchmark.aspect_ratings", "rating answers", "answer_id", [None], ["not_recorded"]),
        ("benchmark.ratings", "rating items", "item_id", ["timeout"], ["not_recorded"]),
        ("multi_hop.items", "multi-hop items", "item_id", [None, "timeout"], ["not_recorded"]),
        ("single_hop.extractions", "questions about paragraphs", "paragraph_id", [None], ["not_recorded"]),
    ],
)
def test_a_model_is_listed_with_the_rows_that_it_was_asked_for(connection, table, task, key, asked, unasked):
    who = {"judge": "j", "model": "j"}
    insert(connection, table, *(who | {key: f"a{n}", "rejection_reason": r} for n, r in enumerate(unasked)))
    assert run(connection, "report.models").is_empty()
    insert(connection, table, *(who | {key: f"b{n}", "rejection_reason": r} for n, r in enumerate(asked)))
    (row,) = run(connection, "report.models").select("task", "model", "rows").rows()
    assert row == (task, "j", len(asked))


@pytest.mark.parametrize(
    ("reasons", "asked"),
    [
        ([], 0),
        ([None, None, "malformed_reply"], 3),
        (["not_recorded", "not_recorded"], 0),
        (["timeout", "not_recorded", "length_limit", None], 3),
    ],
)
def test_the_report_counts_the_paragraphs_that_somebody_was_asked_about(connection, reasons, asked):
    rows = [{"paragraph_id": f"p{n}", "rejection_reason": reason} for n, reason in enumerate(reasons)]
    insert(connection, "single_hop.extractions", *rows)
    stages = run(connection, "report.stages").rows_by_key("stage", named=True, unique=True)
    assert stages["paragraphs asked about"]["rows"] == asked
