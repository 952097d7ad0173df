import numpy as np
import polars as pl
import pytest

from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex
from aimsciqa_assets.aim_sciqa.relations.section_pairs import (
    parts_in_memory,
    section_pairs,
    section_pairs_in_parts,
)
from aimsciqa_assets.aim_sciqa.relations.similarity import Comparison
from tests.unit.aim_sciqa.relations.questions import unit_rows

pytestmark = pytest.mark.slow  # A first run compiles the kernel, in every worker.

ROWS = [
    # paper, section, pair, vector
    ("a", "a1", "q1", [1, 0, 0]),
    ("a", "a2", "q2", [0, 1, 0]),
    ("b", "b1", "q3", [0, 1, 0.1]),
    ("b", "b1", "q4", [0, 1, 0.2]),
    ("b", "b2", "q5", [1, 0, 0]),
    ("c", "c1", "q6", [0, 0, 1]),
    ("d", "d1", "q7", [0, 1, 0.3]),
]


def index_of(rows) -> QuestionIndex:
    frame = pl.DataFrame([row[:3] for row in rows], schema=["paper_id", "section_id", "qa_id"], orient="row")
    return QuestionIndex.of(frame, unit_rows([row[3] for row in rows]))


def candidates(*pairs, variant="im") -> pl.DataFrame:
    return pl.DataFrame(
        [(variant, *pair, 0) for pair in pairs],
        schema={
            "variant": pl.String,
            "source_paper_id": pl.String,
            "target_paper_id": pl.String,
            "group": pl.Int64,
        },
        orient="row",
    )


def rows_of(pairs, top=1, rows=ROWS) -> list[dict]:
    return section_pairs(pairs, index_of(rows), Comparison(0.3, top)).to_dicts()


def test_the_longer_similar_section_wins_and_its_core_pair_is_the_nearest():
    rows = rows_of(candidates(("a", "b")))
    assert len(rows) == 1
    row = rows[0]
    assert (row["source_section_id"], row["target_section_id"]) == ("a2", "b1")
    assert (row["core_source_qa_id"], row["core_target_qa_id"]) == ("q2", "q3")
    assert row["pairs_over_tau"] == 2
    assert row["similarity"] == pytest.approx(1 / np.sqrt(1.01) + 1 / np.sqrt(1.04), abs=1e-6)
    assert row["strength"] == pytest.approx(1 / np.sqrt(1.01), abs=1e-6)


def test_more_section_pairs_come_in_the_order_of_their_similarity():
    rows = rows_of(candidates(("a", "b")), top=5)
    assert [(row["source_section_id"], row["target_section_id"], row["rank"]) for row in rows] == [
        ("a2", "b1", 1),
        ("a1", "b2", 2),
    ]


def test_papers_without_a_similar_question_are_not_related():
    assert rows_of(candidates(("a", "c"))) == []


def test_papers_without_questions_are_passed_over():
    assert rows_of(candidates(("x", "b"))) == []
    assert [row["target_paper_id"] for row in rows_of(candidates(("a", "x"), ("a", "b")))] == ["b"]
    assert rows_of(candidates()) == []


def test_the_order_of_rows_and_candidates_does_not_matter():
    ahead = rows_of(candidates(("a", "b"), ("a", "c")), top=2)
    assert rows_of(candidates(("a", "c"), ("a", "b")), top=2, rows=ROWS[::-1]) == ahead


def test_papers_that_are_candidates_in_both_variants_give_a_row_in_each():
    both = pl.concat([candidates(("a", "b")), candidates(("a", "b"), variant="cim")])
    cited, similar = rows_of(both)
    assert (cited.pop("variant"), similar.pop("variant")) == ("cim", "im")
    assert cited.pop("section_pair_id") != similar.pop("section_pair_id")
    assert cited == similar


def test_parts_hold_every_candidate_once_and_sources_first():
    pairs = candidates(("s", "a"), ("s", "b"), ("s", "c"), ("s", "z"), ("z", "s"), ("z", "nobody"))
    questions = pl.DataFrame({"paper_id": ["a", "b", "c", "s", "z"], "questions": [3, 3, 3, 8, 8]})
    parts = [
        part.select("source_paper_id", "target_paper_id").rows()
        for part in parts_in_memory(pairs, questions, 6)
    ]
    assert parts == [[("s", "a"), ("s", "b"), ("s", "z"), ("z", "s")], [("s", "c")]]
    assert list(parts_in_memory(pairs.clear(), questions, 6)) == []


def test_targets_come_in_the_order_of_the_questions():
    pairs = candidates(("s", "a"), ("s", "b"), ("s", "c"), ("s", "d"))
    questions = pl.DataFrame({"paper_id": ["s", "a", "c", "b", "d"], "questions": [9, 1, 1, 1, 1]})
    targets = [sorted(part["target_paper_id"]) for part in parts_in_memory(pairs, questions, 2)]
    assert targets == [["a", "c"], ["b", "d"]]


def test_parts_give_the_same_rows_as_all_at_once():
    pairs = candidates(("a", "b"), ("b", "a"), ("b", "c"), ("b", "d"), ("a", "nobody"))
    questions = pl.DataFrame({"paper_id": ["a", "b", "c", "d"], "questions": [2, 3, 1, 1]})
    parts = list(parts_in_memory(pairs, questions, 1))
    read = []

    def index_of_some(papers: pl.Series) -> QuestionIndex:
        read.append(sorted(papers))
        return index_of([row for row in ROWS if row[0] in papers])

    found = section_pairs_in_parts(parts, index_of_some, Comparison(0.3))
    assert read == [["a", "b", "c"], ["b", "d"]]
    assert found.sort("section_pair_id").equals(
        section_pairs(pairs, index_of(ROWS), Comparison(0.3)).sort("section_pair_id")
    )
    assert section_pairs_in_parts([], index_of_some, Comparison(0.3)).columns == found.columns
