import numpy as np
import polars as pl
import pytest

from aimsciqa_assets.relations.section_pairs import QuestionIndex, section_pairs
from aimsciqa_assets.relations.similarity import unit_rows

ROWS = [
    # paper, section, pair, vector
    ("a", "a1", "q1", [1, 0, 0]),
    ("a", "a2", "q2", [0, 1, 0]),
    ("b", "b1", "q3", [0, 1, 0.1]),
    ("b", "b1", "q4", [0, 1, 0.2]),
    ("b", "b2", "q5", [1, 0, 0]),
    ("c", "c1", "q6", [0, 0, 1]),
]


def index_of(rows) -> QuestionIndex:
    frame = pl.DataFrame([row[:3] for row in rows], schema=["paper_id", "section_id", "qa_id"], orient="row")
    vectors = unit_rows(np.array([row[3] for row in rows], dtype=np.float32))
    return QuestionIndex.of(frame, vectors)


def test_the_longer_similar_section_wins_and_its_core_pair_is_the_nearest():
    rows = list(section_pairs({"a": ["b"]}, index_of(ROWS), variant="im", tau=0.3, per_document_pair=1))
    assert len(rows) == 1
    row = rows[0]
    assert (row["source_section_id"], row["target_section_id"]) == ("a2", "b1")
    assert (row["core_source_qa_id"], row["core_target_qa_id"]) == ("q2", "q3")
    assert row["pairs_over_tau"] == 2
    assert row["similarity"] == pytest.approx(1 / np.sqrt(1.01) + 1 / np.sqrt(1.04), abs=1e-6)
    assert row["strength"] == pytest.approx(1 / np.sqrt(1.01), abs=1e-6)


def test_more_section_pairs_come_in_the_order_of_their_similarity():
    rows = list(section_pairs({"a": ["b"]}, index_of(ROWS), variant="im", tau=0.3, per_document_pair=5))
    assert [(row["source_section_id"], row["target_section_id"], row["rank"]) for row in rows] == [
        ("a2", "b1", 1),
        ("a1", "b2", 2),
    ]


def test_papers_without_a_similar_question_are_not_related():
    assert list(section_pairs({"a": ["c"]}, index_of(ROWS), variant="im", tau=0.3, per_document_pair=1)) == []


def test_papers_without_questions_are_passed_over():
    index = index_of(ROWS)
    assert list(section_pairs({"x": ["b"]}, index, variant="im", tau=0.3, per_document_pair=1)) == []
    rows = list(section_pairs({"a": ["x", "b"]}, index, variant="im", tau=0.3, per_document_pair=1))
    assert [row["target_paper_id"] for row in rows] == ["b"]


def test_the_order_of_rows_and_candidates_does_not_matter():
    ahead = list(section_pairs({"a": ["b", "c"]}, index_of(ROWS), variant="im", tau=0.3, per_document_pair=2))
    behind = list(
        section_pairs({"a": ["c", "b"]}, index_of(ROWS[::-1]), variant="im", tau=0.3, per_document_pair=2)
    )
    assert ahead == behind
