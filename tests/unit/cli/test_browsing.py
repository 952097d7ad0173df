"""What `aimsciqa items` lists and in what order, and what `aimsciqa show` tells of an item."""

import json
from unittest import mock

import duckdb
import pytest
from aimsciqa_resources.warehouse import Warehouse
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.writing import create_tables
from tests.report_warehouse import insert

ACCEPTED = {"aa11": ("q1", "q2"), "aa22": ("q2", "q1"), "bb33": ("q3", "q4"), "cc44": ("q5", "q6")}
"""Items by id, with the facts that they are about: the second is the mirror of the first."""
STRENGTHS = {"aa11": 0.9, "aa22": 0.8, "bb33": 0.7, "cc44": 0.6}


def item(item_id: str, facts: tuple[str, str], **more: str) -> dict:
    source, target = facts
    return {
        "item_id": item_id,
        "variant": "im",
        "relation_id": f"r-{item_id}",
        "source_paper_id": "P1",
        "target_paper_id": "P2",
        "core_source_qa_id": source,
        "core_target_qa_id": target,
        "retrieval_qa_id": "q9",
        "retrieval_question": "Which paper counts wolves?",
        "retrieval_answer": "Wolves of the north",
        "merged_question": f"How many wolves of {item_id}?",
        "merged_answer": "Seven",
        "status": "accepted",
        "fluency": "accept",
        "model": "qwen",
        **more,
    }


@pytest.fixture(autouse=True)
def home(_own_home) -> Home:
    made = Home.from_environment()
    made.folder.mkdir()
    create_tables(Warehouse(str(made.database)))
    with duckdb.connect(str(made.database)) as connection:
        insert(
            connection,
            "corpus.papers",
            {"paper_id": "P1", "title": "Elk of the south"},
            {"paper_id": "P2", "title": "Wolves of the north"},
        )
        insert(
            connection,
            "multi_hop.items",
            *(item(item_id, facts) for item_id, facts in ACCEPTED.items()),
            item("dd55", ("q1", "q2"), status="pre_rejected", rejection_reason="refused"),
            item("ee66", ("q1", "q2"), status="rejected", rejection_reason="rejected:fluency"),
        )
        insert(
            connection,
            "relations.candidate_relations",
            *({"relation_id": f"r-{name}", "strength": strength} for name, strength in STRENGTHS.items()),
        )
        insert(
            connection,
            "single_hop.qa_pairs",
            *(
                {
                    "qa_id": f"q{n}",
                    "question": f"Question {n}?",
                    "evidence": f"Evidence {n}.",
                    "paragraph_id": "t",
                }
                for n in range(1, 10)
            ),
        )
    return made


def put(home: Home, table: str, *rows: dict) -> None:
    with duckdb.connect(str(home.database)) as connection:
        insert(connection, table, *rows)


def typed(*words: str, code: int = 0) -> str:
    with mock.patch.object(console, "_width", 80), mock.patch.object(errors, "_width", 80):
        result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    return result.output


def listed(*words: str) -> list[str]:
    return [row["item_id"] for row in json.loads(typed("items", *words, "--format", "json"))]


def gate(item_id: str, name: str, verdict: str) -> dict:
    return {"item_id": item_id, "gate": name, "verdict": verdict, "detail": "because"}


def test_the_strongest_stand_first_and_mirrors_behind_all_others():
    assert listed() == ["aa11", "bb33", "cc44", "aa22"]
    assert listed("--best", "2") == ["aa11", "bb33"]


def test_gates_go_before_ratings_and_ratings_of_people_before_those_of_judges(home):
    put(home, "benchmark.gates", gate("aa11", "no_duplicate", "fail"), gate("cc44", "no_duplicate", "pass"))
    assert listed() == ["cc44", "aa22", "bb33", "aa11"]
    put(
        home,
        "benchmark.ratings",
        {"item_id": "bb33", "dimension": "fluency", "score": 5},
        {"item_id": "aa22", "dimension": "fluency", "score": 4},
    )
    assert listed() == ["cc44", "bb33", "aa22", "aa11"]
    put(home, "benchmark.audit_ratings", {"subject_id": "aa22", "kind": "multi_hop", "score": 0.5})
    assert listed() == ["cc44", "aa22", "bb33", "aa11"]


def test_what_is_listed_can_be_chosen(home):
    put(home, "benchmark.gates", gate("bb33", "unique_retrieval", "fail"))
    assert listed("--failed", "unique_retrieval") == ["bb33"]
    assert listed("--search", "WOLVES OF CC44") == ["cc44"]
    assert listed("--rejected", "") == ["dd55", "ee66"]
    assert listed("--rejected", "rejected:flu") == ["ee66"]
    assert listed("--variant", "cim") == []
    assert listed("--paper", "P2", "--limit", "1") == ["aa11"]


def test_the_list_says_by_what_it_is_ranked_and_fits_into_80_columns(home):
    put(home, "benchmark.gates", gate("bb33", "no_duplicate", "fail"))
    output = typed("items")
    assert max(map(len, output.splitlines())) <= 80
    assert "1. aa11  im, strength 0.90" in output
    assert "bb33  im, 0 gates passed, failed no_duplicate, strength 0.70" in output
    assert "- Wolves of the north" in output
    assert "Ranked by quality gates" in output
    assert "4 of 4 items" in output
    assert "No item fits" in typed("items", "--search", "nothing like it")


def test_an_item_is_shown_with_all_its_parts(home):
    put(home, "benchmark.gates", gate("aa11", "no_duplicate", "fail"))
    put(
        home,
        "benchmark.answers",
        {"answer_id": "a", "item_id": "aa11", "answerer": "m", "setting": "oracle", "prediction": "Eight"},
    )
    put(home, "benchmark.judgements", {"answer_id": "a", "item_id": "aa11", "judge": "gpt", "score": 0.5})
    rated = {"answer_id": "a", "item_id": "aa11"}
    put(home, "benchmark.aspect_ratings", rated | {"judge": "gpt", "overall": 77.5})
    put(home, "benchmark.aspect_ratings", rated | {"judge": "m", "rejection_reason": "same_family"})
    put(
        home,
        "benchmark.rankings",
        {"retriever": "bm25", "item_id": "aa11", "setting": "full", "rank": 3, "candidates": 9},
    )
    output = typed("show", "aa1")
    assert max(map(len, output.splitlines())) <= 80
    for part in (
        "Item aa11",
        "The source: Elk of the south",
        "The target: Wolves of the north",
        "“Evidence 9.”",
        "retrieval question  Question 9?",
        "fluency",
        "fail: because",
        "bm25, full          3 of 9",
        "Answer of m, oracle",
        "gpt 0.5",
        "gpt 77.5, m same_family",
    ):
        assert part in output
    whole = json.loads(typed("show", "aa11", "--format", "json"))
    assert [pair["evidence"] for pair in whole["evidence"]] == ["Evidence 1.", "Evidence 2.", "Evidence 9."]
    assert [paper["title"] for paper in whole["documents"]] == ["Elk of the south", "Wolves of the north"]
    assert whole["answers"][0]["judged"] == [{"judge": "gpt", "score": 0.5}]


def test_what_reviewers_decided_and_edited_is_told(home):
    put(
        home,
        "benchmark.review_decisions",
        {
            "item_id": "bb33",
            "decision": "accepted",
            "reviewers": 2,
            "accepts": 1,
            "rejects": 0,
            "score": 3.5,
            "question": "How many wolves, as Anna asks?",
        },
    )
    assert "accepted in review, edited" in typed("items", "--search", "bb33")
    assert "in review" not in typed("items", "--search", "aa11")
    output = typed("show", "bb33")
    for part in (
        "How many wolves of bb33?",
        "decision            accepted: 1 of 2 accept it, 0 reject it",
        "rating              3.50 of 5",
        "question as edited  How many wolves, as Anna asks?",
    ):
        assert part in output
    assert "answer as edited" not in output
    assert "Review" not in typed("show", "aa11")


def test_a_rejected_item_is_shown_with_its_reason():
    assert "pre_rejected (refused)" in typed("show", "dd")


def test_a_beginning_that_fits_none_or_several_is_told():
    assert "aa11, aa22" in typed("show", "aa", code=1)
    assert "No item has an id that begins with xyz" in typed("show", "xyz", code=1)
