"""Agreement of raters: Gwet's AC1 (Gwet 2008), with which the paper reports its human check."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Agreement:
    """`observed` agreement (pa), `expected` by chance (pe), and the coefficient `ac1`."""

    observed: float
    expected: float
    ac1: float


def gwet_ac1(ratings: Sequence[Sequence[float]], categories: Sequence[float]) -> Agreement:
    """AC1 of `(n_items, n_raters)` ratings, every item rated by the same number of raters.

    pa is the mean share of agreeing pairs of raters, pe = sum of pi_k (1 - pi_k) / (q - 1) over the q
    categories with mean share pi_k, and AC1 = (pa - pe) / (1 - pe). Raises ValueError for fewer than two
    raters or categories, or a rating that is no category.
    """
    table = np.asarray(ratings, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2 or len(categories) < 2:
        raise ValueError("AC1 needs items rated by two or more raters, and two or more categories")
    counts = np.stack([(table == category).sum(axis=1) for category in categories], axis=1)
    raters = table.shape[1]
    if (counts.sum(axis=1) != raters).any():
        raise ValueError("a rating is none of the categories")
    observed = float((counts * (counts - 1)).sum(axis=1).mean() / (raters * (raters - 1)))
    shares = counts.mean(axis=0) / raters
    expected = float((shares * (1 - shares)).sum() / (len(categories) - 1))
    return Agreement(observed, expected, (observed - expected) / (1 - expected))
