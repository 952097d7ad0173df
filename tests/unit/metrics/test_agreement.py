"""Agreement of raters: worked examples, other implementations' values, and what is undefined."""

import pytest

from aimsciqa_assets.metrics.agreement import average_sd, fleiss_kappa, gwet_ac1, krippendorff_alpha
from tests.reference_cases import all_cases, cases

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", example C: four observers, twelve units.
KRIPPENDORFF = [
    [1, 1, None, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [None, 5, 5, 5],
    [None, None, 1, 1],
    [None, None, 3, None],
]
# Fleiss (1971): thirty psychiatrists are too many for a page; ten subjects, fourteen raters, five categories,
# as counts (the example of most textbooks), kappa 0.210.
FLEISS_COUNTS = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]
LIKERT = [1, 2, 3, 4, 5]


def test_the_ordinal_alpha_of_krippendorffs_own_example():
    assert krippendorff_alpha(KRIPPENDORFF) == pytest.approx(0.815, abs=5e-4)


def test_fleiss_kappa_of_the_textbooks():
    ratings = [
        [category for category, count in zip(LIKERT, counts, strict=True) for _ in range(count)]
        for counts in FLEISS_COUNTS
    ]
    assert fleiss_kappa(ratings, LIKERT) == pytest.approx(0.210, abs=5e-4)


def test_the_order_of_ratings_matters_to_the_ordinal_alpha_only():
    near, far = [[1, 2], [5, 5], [1, 1], [3, 3]], [[1, 5], [5, 5], [1, 1], [3, 3]]
    assert krippendorff_alpha(near) > krippendorff_alpha(far)
    assert gwet_ac1(near, LIKERT).observed == gwet_ac1(far, LIKERT).observed


def test_ac1_by_hand():
    # pa = (1 + 0) / 2; shares 0.25 and 0.75: pe = 2 * 0.25 * 0.75 = 0.375; (0.5 - 0.375) / 0.625 = 0.2
    agreement = gwet_ac1([[1, 1], [0, 1]], [0, 1])
    assert (agreement.observed, agreement.expected, agreement.ac1) == pytest.approx((0.5, 0.375, 0.2))


@pytest.mark.parametrize(
    ("ratings", "categories", "expected"),
    [
        (
            [[None, 0.5, 1.0, 0.0, 0.0], [None, 0.0, 1.0, 1.0, None], [None, 0.5, None, 0.5, None]],
            [0, 0.5, 1],
            (0.5, 0.327932098765, 0.256027554535),
        ),
        (
            [
                [None, 0.5, 1.0, None],
                [1.0, 1.0, 0.5, 0.0],
                [None, 0.5, None, 0.5],
                [1.0, 1.0, None, 0.5],
                [1.0, None, 1.0, 1.0],
                [None, 1.0, 0.5, 1.0],
                [0.5, None, 0.5, 0.0],
            ],
            [0, 0.5, 1],
            (0.452380952381, 0.286139455782, 0.232876712329),
        ),
    ],
)
def test_ac1_with_missing_ratings_as_the_package_irrcac_has_it(ratings, categories, expected):
    agreement = gwet_ac1(ratings, categories)
    assert (agreement.observed, agreement.expected, agreement.ac1) == pytest.approx(expected)


def test_an_item_that_one_rater_rated_counts_for_the_shares_only():
    # As by hand, and one more item: shares (0 + 0.5 + 0) / 3 and 2.5 / 3.
    agreement = gwet_ac1([[1, 1], [0, 1], [1, None]], [0, 1])
    assert agreement.observed == pytest.approx(0.5)
    assert agreement.expected == pytest.approx(2 * (0.5 / 3) * (2.5 / 3))


def test_fleiss_kappa_takes_the_items_that_all_rated():
    complete = [[1, 1], [2, 1], [2, 2], [1, 1]]
    assert fleiss_kappa([*complete, [1, None], [None, 2]], [1, 2]) == fleiss_kappa(complete, [1, 2])


def test_average_sd_is_the_mean_of_sample_deviations():
    # Sample SD of 1, 3 is sqrt(2), of 2, 2, 5 it is sqrt(3); the last item has one rating.
    ratings = [[1, 3, None], [2, 2, 5], [4, None, None]]
    assert average_sd(ratings) == pytest.approx((2**0.5 + 3**0.5) / 2)


@pytest.mark.parametrize(
    "ratings",
    [
        [],
        [[]],
        [[1]],
        [[1], [2]],
        [[1, None], [None, 2]],
        [[None, None]],
    ],
)
def test_nothing_that_two_rated_is_undefined(ratings):
    assert krippendorff_alpha(ratings) is None
    assert gwet_ac1(ratings, LIKERT) is None
    assert fleiss_kappa(ratings, LIKERT) is None
    assert average_sd(ratings) is None


def test_one_and_the_same_rating_everywhere_leaves_only_ac1_defined():
    ratings = [[5, 5], [5, 5]]
    assert krippendorff_alpha(ratings) is None
    assert fleiss_kappa(ratings, LIKERT) is None
    assert gwet_ac1(ratings, LIKERT).ac1 == 1.0
    assert average_sd(ratings) == 0.0


@pytest.mark.parametrize("ratings", [[[5, 5], [5, 5]], [[1, 1, 1]], [[2, 2], [None, 2], [2, None]]])
def test_one_and_the_same_rating_everywhere_is_one_for_whoever_says_so(ratings):
    assert krippendorff_alpha(ratings, all_equal=1.0) == 1.0
    assert fleiss_kappa(ratings, LIKERT, all_equal=1.0) == 1.0


@pytest.mark.parametrize("ratings", [[], [[1]], [[1, None], [None, 1]]])
def test_nothing_that_two_rated_is_undefined_even_then(ratings):
    assert krippendorff_alpha(ratings, all_equal=1.0) is None
    assert fleiss_kappa(ratings, LIKERT, all_equal=1.0) is None


def test_identical_counts_of_ratings_are_no_agreement():
    # The peer's function gives 1 here, because the counts of all items are the same.
    assert fleiss_kappa([[1, 2], [2, 1], [1, 2]], [1, 2], all_equal=1.0) == pytest.approx(-1)


def test_the_raters_whole_agreement_on_different_items_is_one():
    ratings = [[5, 5, 5], [1, 1, 1]]
    assert krippendorff_alpha(ratings) == pytest.approx(1.0)
    assert fleiss_kappa(ratings, LIKERT) == pytest.approx(1.0)


@pytest.mark.parametrize("measure", [gwet_ac1, fleiss_kappa])
def test_a_rating_outside_the_scale_is_an_error(measure):
    with pytest.raises(ValueError, match="none of the categories"):
        measure([[1, 2.5], [2, 2]], LIKERT)


@pytest.mark.parametrize("case", cases("gwet_ac1"))
def test_ac1_of_the_reference_cases(case):
    agreement = gwet_ac1(**case["input"])
    expected = case["expected"]
    assert (agreement.observed, agreement.expected, agreement.ac1) == pytest.approx(
        (expected["pa"], expected["pe"], expected["ac1"])
    )


@pytest.mark.parametrize("case", all_cases("hopweaver-agreement"))
def test_the_reference_cases_of_judges_and_their_runs(case):
    ratings = case["ratings_item_by_run"]
    kappa = fleiss_kappa(ratings, case["categories"], all_equal=1.0)
    assert kappa == pytest.approx(case["fleiss_kappa_statsmodels"], abs=1e-9)
    alphas = {level: krippendorff_alpha(ratings, level, 1.0) for level in case["krippendorff_alpha"]}
    assert alphas == pytest.approx(case["krippendorff_alpha"], abs=1e-9)
    assert average_sd(ratings) == pytest.approx(case["avg_intra_item_sd"], abs=1e-9)
    of_items = [average_sd([row]) for row in ratings]
    assert of_items == pytest.approx(case["item_sd_ddof1"], abs=1e-9)
