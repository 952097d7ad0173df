import pytest

from aimsciqa_assets.benchmark.agreement import gwet_ac1
from aimsciqa_assets.benchmark.ranking import hit_at, rank_of, reciprocal_rank_at
from tests.reference_cases import cases


@pytest.mark.parametrize("case", cases("hit_mrr"))
def test_hit_and_mrr_of_the_reference_cases(case):
    rank = rank_of(case["input"]["gold"], case["input"]["ranking"])
    found = {f"hit@{k}": hit_at(k, rank) for k in (1, 3, 5, 50)}
    found |= {f"mrr@{k}": reciprocal_rank_at(k, rank) for k in (5, 50)}
    assert found == pytest.approx(case["expected"])


def test_a_missing_gold_paper_has_no_rank():
    assert rank_of("p9", ["p1", "p2"]) is None
    assert reciprocal_rank_at(5, None) == 0.0


@pytest.mark.parametrize("case", cases("gwet_ac1"))
def test_ac1_of_the_reference_cases(case):
    agreement = gwet_ac1(**case["input"])
    expected = case["expected"]
    assert (agreement.observed, agreement.expected, agreement.ac1) == pytest.approx(
        (expected["pa"], expected["pe"], expected["ac1"])
    )


def test_a_rating_outside_the_categories_is_an_error():
    with pytest.raises(ValueError, match="none of the categories"):
        gwet_ac1([[1, 2]], [0, 1])
