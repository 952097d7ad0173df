import numpy as np
import pytest
from scipy.stats import ttest_1samp
from statsmodels.stats.multitest import multipletests

from aimsciqa.measures.resampling import bootstrap_intervals, holm, sign_flip_p_value


def test_the_interval_is_near_that_of_the_normal_distribution():
    values = np.random.default_rng(1).random(200)
    half = 1.96 * values.std() / 200**0.5
    ((low, high),) = bootstrap_intervals(values[:, None], 20_000, seed=3)
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.002)


def test_the_columns_share_their_draws():
    values = np.random.default_rng(2).random((30, 1))
    first, second = bootstrap_intervals(np.hstack([values, 2 * values]), 500, seed=1)
    assert second == pytest.approx((2 * first[0], 2 * first[1]))


def test_intervals_cover_the_true_mean_as_often_as_they_say():
    generator = np.random.default_rng(4)
    samples = (generator.random((100, 400)) < 0.7).astype(float)
    intervals = bootstrap_intervals(samples, 1000, seed=5)
    covered = sum(low <= 0.7 <= high for low, high in intervals)
    assert 360 <= covered <= 396


def test_the_draws_do_not_depend_on_how_many_fit_into_memory(monkeypatch):
    values = np.random.default_rng(6).random((50, 2))
    whole = bootstrap_intervals(values, 300, seed=7)
    monkeypatch.setattr("aimsciqa.measures.resampling._VALUES_AT_ONCE", 1000)
    assert bootstrap_intervals(values, 300, seed=7) == whole


def test_one_query_has_no_interval():
    assert bootstrap_intervals(np.ones((1, 2)), 100, seed=1) == [(None, None), (None, None)]


def test_equal_retrievers_have_the_p_value_1():
    assert sign_flip_p_value(np.zeros(40), 1000, seed=1) == 1.0


def test_a_single_difference_says_nothing():
    assert sign_flip_p_value(np.array([0.0, 0.5, 0.0]), 1000, seed=1) == 1.0


def test_nothing_to_compare_has_no_p_value():
    assert sign_flip_p_value(np.zeros(0), 1000, seed=1) is None


def test_few_differences_are_tested_exactly():
    # All of 4 signs: the sum 4 and -4 are 2 of 16.
    assert sign_flip_p_value(np.array([1, 1, 0, 1, 1.0]), 100, seed=1) == 2 / 16
    # 3 - 1: 2 or more either way. Sums of +-1 and +-3: 4, 2, -2, -4.
    assert sign_flip_p_value(np.array([3, -1.0]), 100, seed=1) == 1.0


@pytest.mark.parametrize("count", [10, 60])
def test_the_p_value_is_near_that_of_the_t_test(count):
    differences = np.random.default_rng(count).normal(0.2, 1, count)
    assert sign_flip_p_value(differences, 20_000, seed=2) == pytest.approx(
        ttest_1samp(differences, 0).pvalue, abs=0.02
    )


def test_an_observed_extreme_counts_among_the_draws():
    assert sign_flip_p_value(np.ones(60), 999, seed=1) == 2 / 1000


def test_holm_by_hand_with_one_missing():
    assert holm([0.01, None, 0.04, 0.03]) == pytest.approx([0.03, None, 0.06, 0.06])
    assert holm([]) == []


def test_holm_is_that_of_statsmodels_with_ties_and_beyond_one():
    draws = np.random.default_rng(5)
    for count in (1, 30):
        p_values = draws.choice([0.0, 0.001, 0.01, 0.02, 0.3, 1.0, *draws.random(5) / 20], count).tolist()
        assert holm(p_values) == multipletests(p_values, method="holm")[1].tolist()


def test_clusters_of_one_row_change_nothing():
    values = np.random.default_rng(8).random((40, 2))
    each = [str(row) for row in range(40)]
    assert bootstrap_intervals(values, 300, 9, each) == bootstrap_intervals(values, 300, 9)
    differences = values[:, 0] - values[:, 1]
    assert sign_flip_p_value(differences, 300, 9, each) == sign_flip_p_value(differences, 300, 9)


def test_rows_that_are_copies_of_each_other_make_no_mean_surer():
    values = np.random.default_rng(10).random((30, 1))
    names = [str(row) for row in range(30)]
    once = bootstrap_intervals(values, 500, 11)
    twice = bootstrap_intervals(np.repeat(values, 2, axis=0), 500, 11, [name for name in names for _ in "ab"])
    assert twice[0] == pytest.approx(once[0])
    differences = values[:, 0] - 0.4
    assert sign_flip_p_value(
        np.repeat(differences, 2), 500, 11, [name for name in names for _ in "ab"]
    ) == sign_flip_p_value(differences, 500, 11)


def test_a_large_cluster_weighs_as_much_as_it_has_rows():
    # Two clusters: 1 of three rows, 0 of one. Drawn are both (3/4), or one of them twice (1 or 0).
    ((low, high),) = bootstrap_intervals(np.array([[1], [0], [1], [1.0]]), 2000, 12, list("abaa"))
    assert (low, high) == (0, 1)
    assert bootstrap_intervals(np.ones((4, 1)), 100, 1, list("aaaa")) == [(None, None)]


def test_signs_are_drawn_by_cluster():
    # The sums of three clusters are 2, 2 and 2: all signs alike in 2 of 8 cases.
    assert sign_flip_p_value(np.ones(6), 100, 1, list("aabbcc")) == 2 / 8
    assert sign_flip_p_value(np.ones(6), 100, 1) == 2 / 64
