"""Cosines that are the same whatever the number of threads, so that ties stay ties."""

from typing import Final

import numpy as np
import numpy.typing as npt

DECIMALS: Final = 6
"""Of a score: what is behind them depends on the processor, and equal texts should be equally good."""

_WIDENED_AT_ONCE = 8192
"""Vectors of the right side that memory holds in float64."""


def cosines(left: npt.NDArray[np.float32], right: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Cosines of unit vectors `(n, dim)` and `(m, dim)`: `(n, m)`, to six decimals.

    They are summed up in float64: in float32 the sixth decimal depends on the number of threads, which
    changes the order of the sum, and ranks change with it. In float64 the 16th decimal depends on it.
    """
    found = np.empty((len(left), len(right)))
    widened = left.astype(np.float64)
    for start in range(0, len(right), _WIDENED_AT_ONCE):
        some = slice(start, start + _WIDENED_AT_ONCE)
        found[:, some] = widened @ right[some].astype(np.float64).T
    return np.round(found, DECIMALS)
