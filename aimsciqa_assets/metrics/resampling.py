"""How sure a mean over queries or answers is: bootstrap, paired randomisation test, Holm's adjustment."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

_DRAWS_AT_ONCE = 2**22
_LEVEL = 0.95
_EXACT_UP_TO = 2**12


def bootstrap_intervals(values: Values, resamples: int, seed: int) -> list[tuple[float | None, float | None]]:
    """95 % percentile intervals of the means of the columns of `(n, m)` values, drawn by row.

    The columns share the draws. One row says nothing of how it may vary: None.
    """
    rows, columns = values.shape
    if rows < 2:
        return [(None, None)] * columns
    means = np.concatenate([weights @ values / rows for weights in _weights(rows, resamples, seed)])
    tail = (1 - _LEVEL) / 2
    low, high = np.quantile(means, (tail, 1 - tail), axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def sign_flip_p_value(differences: Values, resamples: int, seed: int) -> float | None:
    """Two-sided p-value of the mean of paired differences: how often random signs lead as far from 0.

    All signs are tried where that are 4,096 at most; else `resamples` of them, the observed ones included.
    None when there is nothing to compare.
    """
    if not len(differences):
        return None
    # Pairs that are equal stay so under either sign.
    nonzero = differences[differences != 0]
    observed = abs(nonzero.sum())
    reached = observed - 1e-9 * max(1.0, observed)
    if 2 ** len(nonzero) <= _EXACT_UP_TO:
        patterns = np.arange(2 ** len(nonzero))[:, None] >> np.arange(len(nonzero)) & 1
        return float((np.abs((1 - 2 * patterns) @ nonzero) >= reached).mean())
    generator = np.random.default_rng(seed)
    extreme = 0
    for count in _in_blocks(resamples, len(nonzero)):
        signs = 1 - 2 * generator.integers(2, size=(count, len(nonzero)), dtype=np.int8)
        extreme += int((np.abs(signs @ nonzero) >= reached).sum())
    return (extreme + 1) / (resamples + 1)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """P-values adjusted for their number (Holm 1979); one that is missing stays so and does not count."""
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for smaller, (p, place) in enumerate(known):
        largest = max(largest, min(1.0, p * (len(known) - smaller)))
        adjusted[place] = largest
    return adjusted


def _weights(rows: int, resamples: int, seed: int) -> Iterator[Values]:
    """How often each row is drawn in each resample, `(count, rows)` at a time."""
    generator = np.random.default_rng(seed)
    for count in _in_blocks(resamples, rows):
        drawn = generator.integers(rows, size=(count, rows)) + np.arange(count)[:, None] * rows
        yield np.bincount(drawn.ravel(), minlength=count * rows).reshape(count, rows).astype(np.float64)


def _in_blocks(resamples: int, rows: int) -> Iterator[int]:
    at_once = max(1, _DRAWS_AT_ONCE // rows)
    for start in range(0, resamples, at_once):
        yield min(at_once, resamples - start)
