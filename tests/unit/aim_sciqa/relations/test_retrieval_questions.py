import numpy as np
import polars as pl
import pytest

from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex
from aimsciqa_assets.aim_sciqa.relations.retrieval_questions import farthest_questions
from tests.reference_cases import cases
from tests.unit.aim_sciqa.relations.questions import unit_rows


def chosen(target, others, *, core="", core_allowed=True) -> dict:
    """The retrieval question of one relation; `target` and `others` are vectors of QA pairs of papers."""
    papers = [target, *others]
    index = index_of(papers)
    relations = pl.DataFrame(
        {
            "batch": "b",
            "relation_id": "r",
            "variant": "im",
            "target_paper_id": "p00",
            "core_target_qa_id": core,
        }
    )
    members = pl.DataFrame(
        [("r", f"p{p:02}", "distractor" if p else "target") for p in range(len(papers) + 1)],
        schema=["relation_id", "paper_id", "role"],
        orient="row",
    )
    rows = farthest_questions(relations, members, index, core_allowed=core_allowed)
    assert rows.height == 1
    return rows.row(0, named=True)


def index_of(papers) -> QuestionIndex:
    """Papers of one section each, given as vectors, the last one first: their order must not matter."""
    ids = [
        (f"p{p:02}", "s", f"p{p:02}.{q:02}") for p, vectors in enumerate(papers) for q in range(len(vectors))
    ]
    rows = pl.DataFrame(ids[::-1], schema=["paper_id", "section_id", "qa_id"], orient="row")
    return QuestionIndex.of(rows, unit_rows([vector for paper in papers for vector in paper])[::-1])


@pytest.mark.parametrize("case", cases("retrieval_qa_selection"))
def test_total_cosine_distances_of_the_reference_cases(case):
    found = chosen(case["input"]["target_qa_vecs"], case["input"]["other_paper_qa_vecs"])
    expected = case["expected"]
    assert found["qa_id"] == f"p00.{expected['selected']:02}"
    assert found["total_distance"] == pytest.approx(max(expected["total_cosine_distance"]), abs=1e-5)
    assert found["pool"] == sum(map(len, case["input"]["other_paper_qa_vecs"]))


def test_without_other_papers_all_pairs_are_equally_distinctive():
    found = chosen([[1, 0], [0, 1]], [])
    assert (found["qa_id"], found["total_distance"], found["pool"]) == ("p00.00", 0.0, 0)


def test_the_core_pair_is_passed_over_unless_it_is_the_only_one():
    target, others = [[0, 1], [1, 0]], [[[1, 0]]]
    assert chosen(target, others)["qa_id"] == "p00.00"
    assert chosen(target, others, core="p00.00", core_allowed=False)["qa_id"] == "p00.01"
    assert chosen(target[:1], others, core="p00.00", core_allowed=False)["qa_id"] == "p00.00"


def test_many_relations_equal_a_loop():
    random = np.random.default_rng(5)
    papers = [unit_rows(random.normal(size=(random.integers(1, 9), 6))) for _ in range(12)]
    targets = [3, 3, 7, 0]
    clusters = [[1, 2], [4, 5, 6], [3], [11, 10, 1, 2]]
    relations = pl.DataFrame(
        {
            "batch": "b",
            "relation_id": [f"r{number}" for number in range(4)],
            "variant": "im",
            "target_paper_id": [f"p{target:02}" for target in targets],
            "core_target_qa_id": "",
        }
    )
    members = pl.DataFrame(
        [
            (f"r{number}", f"p{paper:02}", "distractor")
            for number, cluster in enumerate(clusters)
            for paper in cluster
        ],
        schema=["relation_id", "paper_id", "role"],
        orient="row",
    )
    found = farthest_questions(relations, members, index_of(papers), core_allowed=True)
    for row, target, cluster in zip(found.iter_rows(named=True), targets, clusters, strict=True):
        others = np.concatenate([papers[paper] for paper in cluster]).astype(np.float64)
        distances = (1 - papers[target].astype(np.float64) @ others.T).sum(axis=1)
        assert row["qa_id"] == f"p{target:02}.{distances.argmax():02}"
        assert row["total_distance"] == pytest.approx(distances.max())
        assert row["pool"] == len(others)
