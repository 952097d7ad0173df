"""Quality gates from literals."""

import numpy as np
import polars as pl
import pytest
from threadpoolctl import threadpool_limits

from aimsciqa_assets.items import earlier_versions
from aimsciqa_assets.judging import gates
from aimsciqa_assets.judging.gates import (
    best_scores,
    closed_book,
    gate_rows,
    no_duplicate,
    relabelling,
    single_document,
    unique_retrieval,
)
from aimsciqa_assets.platform.frames import frame_of

PAPERS = [{"role": "source", "paper_id": "S"}, {"role": "target", "paper_id": "T"}]


def judgements(*rows):
    columns = ("item_id", "setting", "judge", "kind", "score", "rejection_reason")
    return pl.DataFrame(
        [dict(zip(columns, (*row, None)[:6], strict=True)) for row in rows],
        schema=dict(zip(columns, [pl.String] * 4 + [pl.Float64, pl.String], strict=True)),
    )


def verdicts(rows):
    return {row["item_id"]: row["verdict"] for row in rows}


def test_an_item_that_one_paper_answers_fails():
    scores = best_scores(
        judgements(
            ("a", "source_only", "lexical", "lexical", 0.5),
            ("a", "target_only", "lexical", "lexical", 0.0),
            ("b", "source_only", "lexical", "lexical", 0.0),
            ("b", "target_only", "lexical", "lexical", 1.0),
            ("c", "source_only", "lexical", "lexical", 0.0),
            ("d", "target_only", "lexical", "lexical", 1.0),
            ("a", "oracle", "lexical", "lexical", 1.0),
        )
    )
    rows = list(single_document(dict.fromkeys("abcde", PAPERS), scores))
    assert verdicts(rows) == {"a": "pass", "b": "fail", "c": "unknown", "d": "fail", "e": "unknown"}
    assert rows[0]["detail"] == (
        "source alone: 0.5 by the lexical judge only; target alone: 0 by the lexical judge only"
    )
    assert rows[4]["detail"] == "source alone: not judged; target alone: not judged"


def test_each_document_is_read_alone_whatever_its_role_and_one_document_tells_nothing():
    scores = best_scores(judgements(*((item, "third_only", "lexical", "lexical", 1.0) for item in "ab")))
    three = [{"role": role, "paper_id": role} for role in ("first", "second", "third")]
    rows = list(single_document({"a": three, "b": three[2:]}, scores))
    assert verdicts(rows) == {"a": "fail", "b": "unknown"}
    assert rows[0]["detail"].endswith("third alone: 1 by the lexical judge only")
    assert rows[1]["detail"] == "it has one document"


def test_models_judge_before_the_lexical_judge_and_one_of_them_is_enough():
    scores = best_scores(
        judgements(
            ("a", "closed_book", "lexical", "lexical", 1.0),
            ("a", "closed_book", "m", "model", 0.5),
            ("b", "closed_book", "m", "model", 0.0),
            ("b", "closed_book", "n", "model", 1.0),
            ("c", "closed_book", "lexical", "lexical", 1.0),
            ("c", "closed_book", "m", "model", None, "same_family"),
            ("d", "closed_book", "lexical", "lexical", 0.0, "no_answer"),
            ("e", "closed_book", "evaluator", "evaluator", 1.0),
        )
    )
    rows = list(closed_book("abcde", scores))
    assert verdicts(rows) == {"a": "pass", "b": "fail", "c": "fail", "d": "unknown", "e": "fail"}
    assert rows[1]["detail"] == "without papers: 1 by m, n"
    assert rows[2]["detail"] == "without papers: 1 by the lexical judge only"
    assert rows[4]["detail"] == "without papers: 1 by evaluator"


def test_two_retrievers_have_to_rank_the_target_first():
    ranked = [
        *[("a", "bm25", 1), ("a", "minilm", 1), ("a", "fused", 2)],
        *[("b", "bm25", 1), ("b", "minilm", 3)],
        ("c", "bm25", 1),
    ]
    rankings = pl.DataFrame(ranked, schema=["item_id", "retriever", "rank"], orient="row")
    rows = list(unique_retrieval("abcd", rankings))
    assert verdicts(rows) == {"a": "pass", "b": "fail", "c": "unknown", "d": "unknown"}
    assert rows[1]["detail"] == "bm25: place 1; minilm: place 3"
    assert rows[3]["detail"] == "not ranked"


@pytest.mark.parametrize("block", [1, 2, 3, 100])
def test_the_later_of_two_like_questions_fails(monkeypatch, block):
    monkeypatch.setattr(gates, "_BLOCK", block)
    angles = np.deg2rad([0, 90, 2, 91, 45, 0])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    rows = list(no_duplicate(list("abcdef"), vectors, 0.999))
    assert verdicts(rows) == {"a": "pass", "b": "pass", "c": "fail", "d": "fail", "e": "pass", "f": "fail"}
    assert rows[0]["detail"] == "no earlier item"
    assert rows[2]["detail"] == "nearest earlier: a, 0.999"
    assert verdicts(no_duplicate(list("abcdef"), vectors, 1.0))["f"] == "fail"


def test_the_later_of_two_items_that_share_most_facts_fails_whatever_it_asks():
    distinct = np.eye(6, dtype=np.float32)
    facts = {
        "b": frozenset({"q1", "q2"}),
        "c": frozenset({"q1", "q3"}),
        "d": frozenset({"q2", "q1"}),
        "e": frozenset({"f1", "f2", "f3", "f4", "f5"}),
        "f": frozenset({"f1", "f2", "f3", "f4", "f6", "f7"}),
    }
    rows = list(no_duplicate(list("abcdef"), distinct, 0.95, facts))
    assert verdicts(rows) == {"a": "pass", "b": "pass", "c": "pass", "d": "fail", "e": "pass", "f": "fail"}
    assert (rows[3]["detail"], rows[5]["detail"]) == ("on the same facts: b", "on the same facts: e")


def test_the_nearest_earlier_item_is_the_same_whatever_the_number_of_threads():
    drawn = np.random.default_rng(7).standard_normal((60, 384)).astype(np.float32)
    distinct = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    # Each question three times: the third is as near to the first as to the second.
    items = [f"{number:03}" for number in range(180)]
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            found.append(list(no_duplicate(items, np.concatenate([distinct] * 3), 0.95)))
    assert found[0] == found[1]
    assert found[0][179]["detail"] == "nearest earlier: 059, 1.000"


def test_an_item_fails_if_its_papers_are_not_named_by_their_cards():
    said = pl.DataFrame(
        {"item_id": ["a", "b", "c"], "agrees": [True, False, None], "reason": ["A and B", "A alone", ""]}
    )
    rows = list(relabelling(said))
    assert verdicts(rows) == {"a": "pass", "b": "fail", "c": "unknown"}
    assert rows[1]["detail"] == "A alone"


def test_every_item_has_a_row_of_every_gate_whatever_is_missing():
    asked = {"variant": "im", "question": "What of zinc?", "documents": PAPERS}
    queries = pl.DataFrame([{"item_id": "b"} | asked, {"item_id": "a"} | asked])
    nothing = frame_of("benchmark.rankings", [])
    rows = gate_rows(queries, judgements(), nothing, lambda texts: np.ones((len(texts), 1), np.float32), 0.9)
    frame_of("benchmark.gates", rows)
    assert [(row["item_id"], row["gate"], row["verdict"]) for row in rows] == [
        ("a", "closed_book", "unknown"),
        ("a", "no_duplicate", "pass"),
        ("a", "single_document", "unknown"),
        ("a", "unique_retrieval", "unknown"),
        ("b", "closed_book", "unknown"),
        ("b", "no_duplicate", "fail"),
        ("b", "single_document", "unknown"),
        ("b", "unique_retrieval", "unknown"),
    ]
    no_items = queries.clear()
    assert gate_rows(no_items, judgements(), nothing, lambda _texts: np.zeros((0, 4), np.float32), 0.9) == []


def test_an_item_and_what_it_was_before_it_was_polished_are_no_duplicates():
    asked = {"question": "What of zinc?", "documents": PAPERS}
    kinds = {"a": "bridge_original", "b": "bridge", "c": "bridge_original", "d": "comparison"}
    queries = pl.DataFrame([{"item_id": item, "variant": kind} | asked for item, kind in kinds.items()])
    rows = gate_rows(
        queries,
        judgements(),
        frame_of("benchmark.rankings", []),
        lambda texts: np.ones((len(texts), 1), np.float32),
        0.9,
        earlier=earlier_versions(),
    )
    found = {row["item_id"]: row["verdict"] for row in rows if row["gate"] == "no_duplicate"}
    assert found == {"a": "pass", "b": "pass", "c": "fail", "d": "fail"}
