"""Cosines that are the same whatever the number of threads, so that ties stay ties."""

from typing import Final

import numpy as np
import numpy.typing as npt

DECIMALS: Final = 6
"""Decimals of a score. Later ones depend on the processor, and equal texts should get equal scores."""

_WIDENED_AT_ONCE = 8192
"""How many vectors of the right side are in memory in float64."""


def cosines(left: npt.NDArray[np.float32], right: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Cosines of unit vectors `(n, dim)` and `(m, dim)`: `(n, m)`, to six decimals.

    Sums are in float64, because the number of threads changes the order of summation. In float32 this changes
    the sixth decimal, and with it ranks; in float64 it changes the 16th.
    """
    found = np.empty((len(left), len(right)))
    widened = left.astype(np.float64)
    for start in range(0, len(right), _WIDENED_AT_ONCE):
        some = slice(start, start + _WIDENED_AT_ONCE)
        found[:, some] = widened @ right[some].astype(np.float64).T
    return np.round(found, DECIMALS)
