"""How sure a mean over queries or answers is: bootstrap, paired randomisation test, Holm's adjustment.

Bootstrap and test are scipy's. This module adds draws that all columns share, a bound on memory, and results
for empty input. scipy takes seconds to load, so it is imported where it is used.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
Clusters = Sequence[str]
"""The cluster of each row."""

_VALUES_AT_ONCE = 2**20


def bootstrap_intervals(
    values: Values, resamples: int, seed: int, clusters: Clusters | None = None
) -> list[tuple[float | None, float | None]]:
    """95 % percentile intervals of the means of the columns of `(n, m)` values, drawn by row.

    `clusters` names the cluster of each row; whole clusters are then drawn (Field and Welsh 2007), because
    rows of a cluster are no independent observations. The columns share the draws. A single row or cluster
    has no interval: (None, None).
    """
    from scipy.stats import bootstrap

    columns = values.shape[1]
    sums = cluster_sums(np.column_stack([values, np.ones(len(values))]), clusters)
    if len(sums) < 2:
        return [(None, None)] * columns
    interval = bootstrap(
        (sums,),
        _means,
        method="percentile",
        n_resamples=resamples,
        batch=_at_once(sums.size),
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return list(zip(interval.low.tolist(), interval.high.tolist(), strict=True))


def cluster_sums(values: Values, clusters: Clusters | None) -> Values:
    """The sums of the rows of each cluster, `(n_clusters, ...)`, in the order of their first rows."""
    if clusters is None:
        return values
    places = {cluster: place for place, cluster in enumerate(dict.fromkeys(clusters))}
    sums = np.zeros((len(places), *values.shape[1:]))
    np.add.at(sums, [places[cluster] for cluster in clusters], values)
    return sums


def _means(sums: Values, axis: int) -> Values:
    """The means of all columns but the last, which counts the rows."""
    *totals, counts = sums.sum(axis=axis)
    means: Values = np.stack(totals) / counts
    return means


def sign_flip_p_value(
    differences: Values, resamples: int, seed: int, clusters: Clusters | None = None
) -> float | None:
    """Two-sided p-value of the mean of paired differences: how often random signs give a sum as far from 0.

    The differences of a cluster get the same sign, where `clusters` names that of each. If there
    are at most `resamples` combinations of signs, all are tried. Otherwise `resamples` are drawn, and the
    observed signs count as one more. None when there is nothing to compare.
    """
    from scipy.stats import permutation_test

    if not len(differences):
        return None
    sums = cluster_sums(differences, clusters)
    # A sum of 0 is the same under either sign, and a single one as far from 0 under both.
    nonzero = sums[sums != 0]
    if len(nonzero) < 2:
        return 1.0
    test = permutation_test(
        (nonzero,),
        np.sum,
        permutation_type="samples",
        n_resamples=resamples,
        batch=_at_once(len(nonzero)),
        rng=np.random.default_rng(seed),
    )
    return float(test.pvalue)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """P-values adjusted for their number (Holm 1979); None stays None and does not count.

    statsmodels gives the same, but collects all garbage of the process at each call: a third of a second.
    """
    known = np.array([p for p in p_values if p is not None], dtype=np.float64)
    order = np.argsort(known)
    stepped = known[order] * np.arange(len(known), 0, -1)
    adjusted = np.empty_like(known)
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    values = iter(adjusted.tolist())
    return [None if p is None else next(values) for p in p_values]


def _at_once(values: int) -> int:
    """How many resamples of so many values are held in memory together."""
    return max(1, _VALUES_AT_ONCE // values)
