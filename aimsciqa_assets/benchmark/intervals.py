"""Bootstrap intervals of means."""

import numpy as np
import numpy.typing as npt

_DRAWN_AT_ONCE = 1 << 22


def bootstrap_interval(values: npt.NDArray[np.float64], resamples: int, seed: int) -> tuple[float, float]:
    """The 95 % percentile interval of the mean of `values`, `(n,)` float64, over so many resamples.

    The same seed gives the same interval. Raises ValueError when there are no values.
    """
    if values.size == 0:
        raise ValueError("an interval needs at least one value")
    random = np.random.default_rng(seed)
    at_once = max(1, _DRAWN_AT_ONCE // values.size)
    means = np.concatenate(
        [
            values[random.integers(values.size, size=(min(at_once, resamples - done), values.size))].mean(1)
            for done in range(0, resamples, at_once)
        ]
    )
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)
