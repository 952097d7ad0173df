import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.relations.similarity import (
    SectionQuestions,
    core_pair,
    section_similarities,
    unit_rows,
)
from tests.reference_cases import cases


def one_section(vectors) -> SectionQuestions:
    return SectionQuestions(unit_rows(np.asarray(vectors, dtype=np.float64)), np.array([0]))


@pytest.mark.parametrize("case", cases("section_similarity_eq4_eq5"))
def test_equations_4_and_5(case):
    source, target = one_section(case["input"]["u"]), one_section(case["input"]["v"])
    found = section_similarities(source, target, case["input"]["tau"])
    expected = case["expected"]
    assert found.cosines == pytest.approx(np.array(expected["K"]))
    assert found.similarity.item() == pytest.approx(expected["sim"])
    assert found.pairs_over_tau.item() == expected["n_pairs_over_tau"]
    assert core_pair(found, source, target, (0, 0)) == tuple(expected["best_pair"])
    assert found.strength.item() == pytest.approx(expected["best_score"])


sizes = st.lists(st.integers(1, 4), min_size=1, max_size=4)


@given(sizes, sizes, st.integers(0, 2**32 - 1), st.floats(-0.5, 0.9))
def test_many_sections_at_once_equal_a_loop_over_section_pairs(source_sizes, target_sizes, seed, tau):
    random = np.random.default_rng(seed)
    source, target = (
        SectionQuestions(
            unit_rows(random.normal(size=(sum(counts), 5))), np.cumsum([0, *counts[:-1]]).astype(np.int64)
        )
        for counts in (source_sizes, target_sizes)
    )
    found = section_similarities(source, target, tau)
    for i in range(len(source_sizes)):
        for j in range(len(target_sizes)):
            total, count, best = 0.0, 0, -2.0
            for u in source.vectors[source.rows(i)]:
                for v in target.vectors[target.rows(j)]:
                    cosine = float(u @ v)
                    best = max(best, cosine)
                    if cosine >= tau:
                        total, count = total + abs(cosine), count + 1
            assert found.similarity[i, j] == pytest.approx(total)
            assert found.pairs_over_tau[i, j] == count
            assert found.strength[i, j] == pytest.approx(best)


def test_the_first_of_equal_pairs_is_the_core_pair():
    source = one_section([[1, 0], [1, 0]])
    target = one_section([[0, 1], [1, 0], [1, 0]])
    found = section_similarities(source, target, 0.3)
    assert core_pair(found, source, target, (0, 0)) == (0, 1)
