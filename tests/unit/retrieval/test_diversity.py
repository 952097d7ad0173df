"""The choice of diverse candidates: by hand, with the reference cases, and beside a slow implementation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.retrieval.coarse import Hit
from aimsciqa_assets.retrieval.diversity import WEIGHTS, Weights, select_diverse
from tests.reference_cases import all_cases

EAST, NORTH, WEST = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]
EVEN = Weights(1, 1, 1)


def chosen(scores, vectors, source, weights, top_k=9, exclude=None):
    hits = [Hit(f"d{number}", score) for number, score in enumerate(scores)]
    return select_diverse(hits, np.array(vectors), np.array(source), weights, top_k, exclude=exclude)


def ids(found) -> list[str]:
    return [one.document_id for one in found]


def test_a_copy_of_a_chosen_document_comes_last_and_its_terms_are_told():
    found = chosen([0.9, 0.8, 0.5], [EAST, EAST, NORTH], NORTH, Weights(8, 1, 1))
    assert ids(found) == ["d0", "d1", "d2"]
    found = chosen([0.9, 0.8, 0.5], [EAST, EAST, NORTH], WEST, Weights(1, 1, 2))
    assert ids(found) == ["d0", "d2", "d1"]
    assert [(one.relevance, one.source, one.redundancy) for one in found] == [
        (0.9, -1, 0),
        (0.5, 0, 0),
        (0.8, -1, 1),
    ]
    assert [one.score for one in found] == pytest.approx([0.475, 0.125, -0.05])


def test_the_source_is_left_out_and_not_replaced():
    scores, vectors = [0.9, 0.8, 0.7], [EAST, NORTH, WEST]
    assert ids(chosen(scores, vectors, EAST, Weights(1, 0, 0), 3, "d1")) == ["d0", "d2"]
    assert ids(chosen(scores, vectors, EAST, Weights(1, 0, 0), 3, "elsewhere")) == ["d0", "d1", "d2"]
    assert ids(chosen(scores, vectors, EAST, Weights(0, 1, 0), 1)) == ["d2"]


def test_equal_scores_keep_the_order_of_the_search():
    assert ids(chosen([0.5] * 4, [NORTH] * 4, EAST, EVEN)) == ["d0", "d1", "d2", "d3"]
    third = [0.1 * 3, 0.3, 0.3]
    assert ids(chosen(third[::-1], [NORTH] * 3, EAST, Weights(1, 0, 0))) == ["d0", "d1", "d2"]


def test_opposite_documents_are_no_gain_and_a_vector_of_zeros_is_like_nothing():
    found = chosen([0.5, 0.5], [EAST, WEST], [0, 0], EVEN)
    assert [(one.source, one.redundancy) for one in found] == [(0, 0), (0, 0)]
    assert chosen([0.5], [[0, 0]], EAST, EVEN)[0].source == 0


def test_nothing_is_chosen_from_nothing():
    assert select_diverse([], np.array([]), np.array(EAST), EVEN, 5) == []
    assert chosen([0.5], [EAST], EAST, EVEN, 0) == []


def test_weights_are_normalised():
    assert Weights(8, 1, 1).normalised() == Weights(0.8, 0.1, 0.1)
    for weights in WEIGHTS.values():
        assert math.isclose(weights.relevance + weights.source + weights.redundancy, 1)


@pytest.mark.parametrize("weights", [(0, 0, 0), (2, -1, 1), (math.nan, 1, 1), (math.inf, 1, 1)])
def test_weights_that_mean_nothing_are_refused(weights):
    with pytest.raises(ValueError, match="weights must be"):
        Weights(*weights).normalised()


def test_the_presets():
    values = {name: (one.relevance, one.source, one.redundancy) for name, one in WEIGHTS.items()}
    assert values == {
        "paper": (0.87, 0.03, 0.1),
        "wrapper": (0.8, 0.1, 0.1),
        "synthesizer": (0.7, 0.1, 0.2),
        "reranker": (0.85, 0.05, 0.1),
    }


@pytest.mark.parametrize("case", all_cases("hopweaver-mmr"))
def test_the_reference_cases(case):
    pool = case["candidates"][: case["search_num_requested"][0]]
    found = select_diverse(
        [Hit(one["id"], one["score"]) for one in pool],
        np.array([one["vec"] for one in pool]),
        np.array(case["source_vec"]),
        Weights(*case["lambdas_in"]),
        case["top_k"],
        exclude=case["exclude_id"],
    )
    assert ids(found) == case["expected_ids"]
    assert [one.score for one in found] == pytest.approx(case["expected_scores"], rel=0, abs=1e-9)


def cosine(one, other) -> float:
    lengths = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else 0.0


def slowly(scores, vectors, source, weights, top_k):
    """The same with loops, as the formula says it."""
    total = sum(weights)
    l1, l2, l3 = (weight / total for weight in weights)
    left, selected, values = list(range(len(scores))), [], []
    while left and len(selected) < top_k:
        value = {
            d: l1 * scores[d]
            - l2 * cosine(vectors[d], source)
            - l3 * max([0.0, *(cosine(vectors[d], vectors[s]) for s in selected)])
            for d in left
        }
        best = max(left, key=lambda d: (round(value[d], 9), -d))
        left.remove(best)
        selected.append(best)
        values.append(value[best])
    return [f"d{d}" for d in selected], values


VECTOR = st.lists(st.integers(-4, 4), min_size=3, max_size=3)


@given(
    st.lists(st.tuples(st.integers(0, 9), VECTOR), max_size=8),
    VECTOR,
    st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9)),
    st.integers(0, 9),
)
def test_any_choice_is_that_of_the_formula(documents, source, weights, top_k):
    scores, vectors = [score / 10 for score, _ in documents], [vector for _, vector in documents]
    table = np.array(vectors, dtype=float).reshape(len(vectors), 3)
    found = chosen(scores, table, source, Weights(*weights), top_k)
    expected, values = slowly(scores, vectors, source, weights, top_k)
    assert ids(found) == expected
    assert [one.score for one in found] == pytest.approx(values, abs=1e-9)
