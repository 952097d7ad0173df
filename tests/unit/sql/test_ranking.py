"""The one ranking of items: `aimsciqa items` and the report list them in its order."""

import pytest

from tests.report_warehouse import insert
from tests.unit.sql.querying import run

ITEMS = {
    "a": ("q1", "q2", 0.9),
    "mirror of a": ("q2", "q1", 0.8),
    "b": ("q3", "q4", 0.7),
    "c": ("q5", "q6", 0.7),
    "d": ("q7", "q8", None),
}
"""Accepted items: the QA pairs of source and target, and the strength of their relation."""
ANYTHING = dict.fromkeys(("gate", "paper", "reason", "split", "text", "variant"), "")


@pytest.fixture
def items(connection):
    """The accepted items and two rejected ones, between papers that may be passed on."""
    accepted = [
        {
            "item_id": name,
            "relation_id": name,
            "core_source_qa_id": source,
            "core_target_qa_id": target,
            "status": "accepted",
        }
        for name, (source, target, _) in ITEMS.items()
    ]
    rejected = [
        {"item_id": name, "relation_id": name, "core_source_qa_id": name, "status": "rejected"}
        for name in ("weak", "strong")
    ]
    insert(connection, "multi_hop.items", *accepted, *rejected)
    strengths = {name: strength for name, (_, _, strength) in ITEMS.items() if strength}
    insert(
        connection,
        "relations.candidate_relations",
        *(
            {"relation_id": name, "strength": strength}
            for name, strength in {**strengths, "weak": 0.95, "strong": 0.99}.items()
        ),
    )
    insert(connection, "corpus.releasable_papers", {"paper_id": "x", "releasable": True})
    return connection


def listed(connection, status: str) -> list[str]:
    """The items of `aimsciqa items`."""
    asked = {**ANYTHING, "status": status, "most": 20}
    return run(connection, "cli.items", **asked)["item_id"].to_list()


def reported(connection) -> list[str]:
    """The items of the report."""
    return run(connection, "browse.index", most=20)["item_id"].to_list()


def test_both_lists_have_the_strongest_first_and_mirrors_behind_all_others(items):
    assert listed(items, "accepted") == ["a", "b", "c", "d", "mirror of a"]
    assert listed(items, "rejected") == ["strong", "weak"]
    assert reported(items) == ["a", "b", "c", "d", "mirror of a", "strong", "weak"]


def test_both_lists_put_gates_before_people_and_people_before_judges(items):
    gates = {"a": "fail", "mirror of a": "pass", "b": "unknown", "d": "pass"}
    insert(items, "benchmark.gates", *({"item_id": name, "verdict": said} for name, said in gates.items()))
    assert listed(items, "accepted") == ["mirror of a", "d", "b", "c", "a"]
    assert reported(items)[:5] == ["mirror of a", "d", "b", "c", "a"]
    insert(
        items,
        "benchmark.ratings",
        {"item_id": "c", "dimension": "fluency", "score": 3},
        {"item_id": "b", "dimension": "multi_hop", "score": 1},
    )
    assert listed(items, "accepted") == ["mirror of a", "d", "c", "b", "a"]
    assert reported(items)[:5] == ["mirror of a", "d", "c", "b", "a"]
    ratings = (
        {"subject_id": "b", "kind": "multi_hop", "criterion": "of 1", "score": 1.0},
        {"subject_id": "d", "kind": "multi_hop", "criterion": "of 5", "score": 4.0},
        {"subject_id": "c", "kind": "multi_hop", "criterion": "of 5", "score": 5.0},
        {"subject_id": "mirror of a", "kind": "multi_hop", "criterion": "of 1", "score": 0.7},
        {"subject_id": "c", "kind": "single_hop", "criterion": "of 1", "score": 0.0},
    )
    insert(items, "benchmark.audit_ratings", *ratings)
    assert listed(items, "accepted") == ["d", "mirror of a", "c", "b", "a"]
    assert reported(items)[:5] == ["d", "mirror of a", "c", "b", "a"]


def test_both_heed_reviewers_and_the_report_what_may_be_passed_on(items):
    decided = (
        {"item_id": "d", "decision": "accepted", "score": 1.0},
        {"item_id": "a", "decision": "rejected", "score": 5.0},
        {"item_id": "c", "decision": "open", "score": 4.0},
    )
    insert(items, "benchmark.review_decisions", *decided)
    assert listed(items, "accepted") == ["d", "c", "mirror of a", "b", "a"]
    assert reported(items)[:5] == ["d", "c", "mirror of a", "b", "a"]
    items.execute("update multi_hop.items set source_paper_id = 'withheld' where item_id in ('d', 'strong')")
    assert listed(items, "accepted") == ["d", "c", "mirror of a", "b", "a"]
    assert reported(items) == ["c", "mirror of a", "b", "a", "d", "weak", "strong"]
