"""Laws are fitted to small points and compared with larger ones."""

import pytest

from benchmarks.million.growth import Check, Law, Point, checked, fits_of, value_of


def point(papers: float, batches: float, **quantities: float) -> Point:
    return Point({"papers": papers, "batches": batches}, quantities)


def test_drivers_are_numbers_their_products_or_nothing_that_grows():
    drivers = {"papers": 20.0, "batches": 4.0}
    assert value_of("once", drivers) == 1
    assert value_of("papers", drivers) == 20
    assert value_of("papers x batches", drivers) == 80
    assert value_of("batches x batches", drivers) == 16


def test_a_law_that_is_true_is_found_and_predicts():
    law = Law("files", ("once", "batches"), 0.1)
    points = [point(10, batches, files=6 + 30 * batches) for batches in (1, 2, 4)]
    fit = law.fitted(points)
    assert fit.coefficients == pytest.approx((6, 30))
    assert fit.at({"batches": 100}) == pytest.approx(3006)


def test_a_coefficient_is_never_below_zero():
    law = Law("seconds", ("papers", "papers x papers"), 0.1)
    growing_slower = [point(papers, 1, seconds=papers**0.5) for papers in (1, 4, 16)]
    assert min(law.fitted(growing_slower).coefficients) == 0


def test_relative_errors_count_so_that_small_points_do():
    law = Law("bytes", ("papers",), 0.1)
    # Of 1 a paper and 2 a paper, 6/5 is as wrong as can be borne: the sums of squares of 1 - c and 1 - c/2.
    assert law.fitted([point(10, 1, bytes=10), point(1000, 1, bytes=2000)]).coefficients == pytest.approx(
        (1.2,)
    )


def test_given_coefficients_are_kept():
    law = Law("relations", ("papers",), 0.1, (3.0,))
    assert law.fitted([]).at({"papers": 7}) == 21


def test_a_quantity_that_no_point_tells_is_an_error():
    with pytest.raises(ValueError, match="No point tells bytes"):
        Law("bytes", ("papers",), 0.1).fitted([point(1, 1)])


def test_a_prediction_that_is_too_far_off_does_not_hold():
    laws = (Law("rows", ("papers",), 0.1), Law("files", ("batches",), 0.1))
    small = [point(10, 1, rows=20, files=5)]
    large = [point(100, 3, rows=190, files=20), point(200, 4, files=20)]
    assert checked(laws, small, large) == [
        Check("rows", 100, 3, 200, 190, 0.1),
        Check("files", 100, 3, 15, 20, 0.1),
        Check("files", 200, 4, 20, 20, 0.1),
    ]
    holding = [(round(one.error, 4), one.holds) for one in checked(laws, small, large)]
    assert holding == [(0.0526, True), (-0.25, False), (0.0, True)]


def test_fits_are_found_by_their_quantity():
    fits = fits_of([Law("rows", ("papers",), 0.1)], [point(10, 1, rows=30)])
    assert fits["rows"].at({"papers": 2}) == pytest.approx(6)
