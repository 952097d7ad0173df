"""Rows of syntheses: every step is kept, and the rows are those of the tables."""

from aimsciqa_assets.hopweaver.comparison.attempts import rules_of
from aimsciqa_assets.hopweaver.comparison.dialogue import compare
from aimsciqa_assets.hopweaver.comparison.rows import comparison_rows
from aimsciqa_assets.hopweaver.comparison.steps import Rules
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.settings.hopweaver import HopWeaverSettings
from aimsciqa_assets.tables import TABLES
from tests.dialogues import held
from tests.weirs import (
    DOCUMENTS,
    FAIL,
    HOLLIN,
    QUERIES,
    RECOMMENDATION,
    SCORES,
    SUBJECT,
    Searching,
    passed,
)

MADE_BY = {"model": "m", "model_revision": "1", "prompt_version": "p"}


def rows_of(*replies, found=("d3", "d2", "d4"), rules=None):
    search = Searching({"stone weir": found})
    _, synthesis = held(compare(HOLLIN, search, DOCUMENTS, rules or Rules(tries=1)), *replies)
    rows = comparison_rows([synthesis], "b1", MADE_BY, "scorer")
    for table, some in rows.items():
        assert [set(row) for row in some] == [{one.name for one in TABLES[table].columns}] * len(some)
        assert len(frame_of(table, some)) == len(some)
    return rows


def test_a_comparison_is_an_attempt_with_its_quotes():
    rows = rows_of(SUBJECT, SCORES, RECOMMENDATION, FAIL, passed())
    (attempt,) = rows["hopweaver.attempts"]
    assert (attempt["status"], attempt["rejection_reason"], attempt["documents_tried"]) == (
        "drafted",
        None,
        2,
    )
    assert attempt["first_passage"] == "Hollin Weir was built in 1823."
    assert (attempt["second_paragraph_id"], attempt["second_start"]) == ("d2-p1", 0)
    assert attempt["second_evidence"] == (
        "Salter's Weir crosses the Ebb near Quoyle. Work on it ended in 1790"
    )
    (comparison,) = rows["hopweaver.comparisons"]
    assert (comparison["search"], comparison["queries"]) == ("recommended", ["stone weir"])
    assert comparison["suggested_entity"] == "Salter's Weir"
    assert comparison["second_paragraph"] == "Work on Salter's Weir ended in 1790."
    assert [(row["name"], row["comparability"], row["kept"]) for row in rows["hopweaver.attributes"]] == [
        ("year of construction", 5, True),
        ("length", 4, True),
        ("builder", 3, False),
    ]
    assert [
        (row["paper_id"], row["rank"], row["outcome"], row["rejection_reason"])
        for row in rows["hopweaver.candidates"]
    ] == [
        ("d3", 1, "rejected", "no_comparable_pair"),
        ("d2", 2, "chosen", None),
        ("d4", 3, "not_tried", None),
    ]
    assert [row["paper_id"] for row in rows["hopweaver.replies"]] == [None, None, None, "d3", "d2"]


def test_an_attempt_that_fails_keeps_its_steps():
    rows = rows_of(SUBJECT, SCORES, QUERIES, FAIL, passed(answer="1790"), FAIL)
    (attempt,) = rows["hopweaver.attempts"]
    assert (attempt["status"], attempt["rejection_reason"]) == ("rejected", "every_document_failed")
    assert (attempt["entity_a"], attempt["question"]) == ("Hollin Weir", None)
    tried = rows["hopweaver.candidates"][1]
    assert (tried["rejection_reason"], tried["answer"]) == ("answer_misfit", "1790")


def test_a_document_without_a_subject_says_why():
    rows = rows_of('("ambiguous_subject"<|>"a list of weirs")<|COMPLETE|>')
    (comparison,) = rows["hopweaver.comparisons"]
    assert comparison["without_subject"] == "a list of weirs"
    assert (comparison["status"], comparison["rejection_reason"]) == ("rejected", "ambiguous_subject")
    assert rows["hopweaver.attributes"] == rows["hopweaver.candidates"] == []


def test_queries_by_rule_are_marked():
    rows = rows_of(SUBJECT, SCORES, "nothing")
    (comparison,) = rows["hopweaver.comparisons"]
    assert (comparison["search"], comparison["templated_because"]) == ("templated", "no_queries")
    assert comparison["status"] == "found"
    assert rows["hopweaver.attempts"][0]["rejection_reason"] == "no_candidates"


def test_the_settings_are_those_of_the_paper_unless_they_are_changed():
    as_they_are = Rules(3, 5, 4, "all", True, "tolerant", 3, True, 15, True, True, True, 20241)
    assert rules_of(HopWeaverSettings()) == as_they_are
    changed = HopWeaverSettings(
        comparison_top_k=2,
        least_concreteness=4.5,
        least_comparability=5,
        merging="truncated",
        guided=False,
        readings="released",
        tries=1,
        compared="all",
        most_years=0,
        kin="asked",
        in_common="unasked",
        direction="free",
        seed=0,
    )
    assert rules_of(changed) == Rules(2, 4.5, 5, "truncated", False, "released", 1)
