import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.aim_sciqa.single_hop.alignment import Others, lowest, row_cosines
from tests.reference_cases import cases


@pytest.mark.parametrize("case", cases("lowest_10pct_filter"))
def test_the_lowest_tenth_of_the_reference_cases(case):
    given_values = case["input"]
    differences = [qa - qe for qa, qe in zip(given_values["sim_qa"], given_values["sim_qe"], strict=True)]
    ids = [f"{number:03d}" for number in range(len(differences))]
    removed = lowest(differences, ids, given_values["fraction"])
    assert sorted(int(i) for i in removed) == sorted(case["expected"]["removed_floor"])
    assert len(ids) - len(removed) == case["expected"]["kept"]


def test_ties_are_removed_in_the_order_of_their_ids():
    assert lowest([0.1] * 20, [f"q{number:02d}" for number in range(20)][::-1], 0.1) == {"q00", "q01"}


def test_a_tenth_of_thirty_is_three_for_all_the_bits_of_a_float():
    assert len(lowest(list(range(30)), [f"{number:02d}" for number in range(30)], 0.1)) == 3
    assert len(lowest(list(range(29)), [f"{number:02d}" for number in range(29)], 0.1)) == 2


def test_nothing_is_removed_with_fraction_zero_or_without_pairs():
    assert lowest([0.5] * 20, [str(number) for number in range(20)], 0.0) == set()
    assert lowest([], [], 0.1) == set()


def test_what_comes_later_gives_up_so_many_that_it_is_the_share_of_all():
    ids = [f"{number:02d}" for number in range(25)]
    differences = list(range(25))
    assert len(lowest(differences, ids, 0.1)) == 2
    assert lowest(differences, ids, 0.1, before=25) == {"00", "01", "02"}
    assert [len(lowest([0.0] * 5, ids[:5], 0.1, before=before)) for before in (0, 4, 5, 6, 19)] == [
        0,
        0,
        1,
        1,
        1,
    ]


@given(st.lists(st.floats(-2, 2), max_size=60))
def test_every_removed_pair_is_at_most_as_aligned_as_every_kept_one(differences):
    ids = [f"{number:03d}" for number in range(len(differences))]
    removed = lowest(differences, ids, 0.1)
    assert len(removed) == len(ids) // 10
    kept = [value for value, pair in zip(differences, ids, strict=True) if pair not in removed]
    gone = [value for value, pair in zip(differences, ids, strict=True) if pair in removed]
    assert not gone or max(gone) <= min(kept)


@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), max_size=60), st.integers(0, 40))
def test_of_the_lowest_of_all_those_of_the_batch_are_told(pairs, before):
    measured = [(f"{number * 17 % 61:02d}", value / 7) for number, (value, _) in enumerate(pairs)]
    own, others = (
        [one for one, (_, is_own) in zip(measured, pairs, strict=True) if is_own is of]
        for of in (True, False)
    )
    asked = []

    def ids_at(limit):
        asked.append(limit)
        return [name for name, value in others if value == limit]

    names, values = ([one[place] for one in own] for place in (0, 1))
    of_others = Others(pl.Series([value for _, value in others], dtype=pl.Float64), ids_at)
    every = lowest([value for _, value in measured], [name for name, _ in measured], 0.3, before)
    assert lowest(values, names, 0.3, before, of_others) == every & set(names)
    assert len(asked) <= 1


def test_row_cosines_are_dot_products_of_rows():
    left = np.array([[1, 0], [0.6, 0.8]], dtype=np.float32)
    right = np.array([[0, 1], [0.6, 0.8]], dtype=np.float32)
    assert row_cosines(left, right) == pytest.approx([0.0, 1.0], abs=1e-6)
