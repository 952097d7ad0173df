"""Agreement of raters, human or not: Gwet's AC1, Krippendorff's alpha, Fleiss' kappa, and their spread.

Ratings are tables of `(n_items, n_raters)`; None where a rater left an item out. A coefficient that is not
defined (no item that two raters rated, or the same rating everywhere) is None, never 0 or 1. Only what the
same rating everywhere means can be told, by `all_equal`: HopWeaver's authors count it as 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import krippendorff
import numpy as np
import numpy.typing as npt

Ratings = Sequence[Sequence[float | None]]
Level = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """`observed` agreement (pa), `expected` by chance (pe), and the coefficient `ac1`."""

    observed: float
    expected: float
    ac1: float


def gwet_ac1(ratings: Ratings, categories: Sequence[float]) -> Agreement | None:
    """Gwet's AC1 (Gwet 2008), with which the paper reports its human check.

    pa is the mean share of agreeing pairs of raters, over the items that two or more rated; pe = sum of pi_k
    (1 - pi_k) / (q - 1) over the q categories with mean share pi_k, over the items that anybody rated (Gwet
    2014, for ratings that are missing); and AC1 = (pa - pe) / (1 - pe). Raises ValueError for fewer than two
    categories, or a rating that is not one of them.
    """
    if len(categories) < 2:
        raise ValueError("AC1 needs two or more categories")
    counts = _counts(ratings, categories)
    raters = counts.sum(axis=1)
    counts, raters = counts[raters > 0], raters[raters > 0]
    both = raters > 1
    if not both.any():
        return None
    pairs = raters[both] * (raters[both] - 1)
    observed = float(((counts * (counts - 1))[both].sum(axis=1) / pairs).mean())
    shares = (counts / raters[:, None]).mean(axis=0)
    expected = float((shares * (1 - shares)).sum() / (len(categories) - 1))
    return Agreement(observed, expected, (observed - expected) / (1 - expected))


def krippendorff_alpha(
    ratings: Ratings, level: Level = "ordinal", all_equal: float | None = None
) -> float | None:
    """Krippendorff's alpha, 1 - Do / De; missing ratings are allowed.

    Where all ratings are equal, De is 0 and alpha is undefined, though some report 1.
    """
    table = _table(ratings)
    rated = ~np.isnan(table)
    # Only an item that two raters rated has pairs of ratings to compare.
    paired = table[rated.sum(axis=1) > 1]
    distinct = np.unique(paired[~np.isnan(paired)]).size
    if distinct < 2:
        return all_equal if distinct else None
    return float(krippendorff.alpha(reliability_data=paired.T, level_of_measurement=level))


def fleiss_kappa(
    ratings: Ratings, categories: Sequence[float], all_equal: float | None = None
) -> float | None:
    """Fleiss' kappa over the items that every rater rated, because it allows no missing ratings.

    Raises ValueError for a rating that is not a category.
    """
    # Imported here: it loads most of statsmodels and scipy.stats, which takes seconds.
    from statsmodels.stats import inter_rater

    complete = [row for row in ratings if None not in row]
    counts = _counts(complete, categories)
    if not complete or len(complete[0]) < 2:
        return None
    if (counts.sum(axis=0) > 0).sum() < 2:
        return all_equal
    return float(inter_rater.fleiss_kappa(counts, method="fleiss"))


def average_sd(ratings: Ratings) -> float | None:
    """The mean over the items of the sample standard deviation of their ratings.

    Items with a single rating are left out. None when no item has two ratings.
    """
    given = [[rating for rating in row if rating is not None] for row in ratings]
    spreads = [np.std(row, ddof=1) for row in given if len(row) > 1]
    return float(np.mean(spreads)) if spreads else None


def _table(ratings: Ratings) -> npt.NDArray[np.float64]:
    """The ratings as an array of `(n_items, n_raters)`, NaN where there is none."""
    table = np.array(ratings, dtype=np.float64)
    return table if table.ndim == 2 else np.empty((0, 0))


def _counts(ratings: Ratings, categories: Sequence[float]) -> npt.NDArray[np.int64]:
    """How many raters gave which category, `(n_items, n_categories)`."""
    table = _table(ratings)
    counts = np.stack([(table == category).sum(axis=1) for category in categories], axis=1)
    if (counts.sum(axis=1) != (~np.isnan(table)).sum(axis=1)).any():
        raise ValueError("a rating is none of the categories")
    return counts
