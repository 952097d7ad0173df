import numpy as np
import pytest

from aimsciqa_assets.relations.retrieval import QaSums, most_distinctive, total_distances
from aimsciqa_assets.relations.similarity import unit_rows
from tests.reference_cases import cases


def sums_of(vectors) -> QaSums:
    return QaSums.of(unit_rows(np.asarray(vectors, dtype=np.float64)))


@pytest.mark.parametrize("case", cases("retrieval_qa_selection"))
def test_total_cosine_distances_of_the_reference_cases(case):
    target = sums_of(case["input"]["target_qa_vecs"])
    others = [sums_of(vectors) for vectors in case["input"]["other_paper_qa_vecs"]]
    distances = total_distances(target, others)
    assert distances == pytest.approx(np.array(case["expected"]["total_cosine_distance"]))
    assert most_distinctive(distances) == case["expected"]["selected"]


def test_without_other_papers_all_pairs_are_equally_distinctive():
    distances = total_distances(sums_of([[1, 0], [0, 1]]), [])
    assert distances.tolist() == [0.0, 0.0]
    assert most_distinctive(distances) == 0
