"""The alignment filter: finds pairs whose question fits the evidence but not the answer (section 4.2)."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl


def row_cosines(left: npt.NDArray[np.floating], right: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Cosines of the rows of two `(n, dim)` matrices of unit-length rows, `(n,)` float64."""
    return np.asarray(np.einsum("ij,ij->i", left, right, dtype=np.float64))


@dataclass(frozen=True, slots=True)
class Others:
    """Pairs of other batches: their `differences`, and the ids of those with a given one."""

    differences: pl.Series
    ids_at: Callable[[float], Iterable[str]]


def lowest(
    differences: Sequence[float] | pl.Series,
    ids: Sequence[str] | pl.Series,
    fraction: float,
    before: int = 0,
    others: Others | None = None,
) -> set[str]:
    """Ids of the floor(fraction x N) pairs with the lowest Sim(Q,A) - Sim(Q,E); ties are broken by id.

    With fraction 0.1 these are the pairs that the paper removes as likely misaligned. With `before` pairs
    that came earlier, so many are removed that it is floor(fraction x N) of all pairs together. With `others`
    the N pairs are these and the others; the ids of others are not among those returned.
    """

    def share(of: int) -> int:
        # Rounded first: 0.1 x 30 must give 3, even where the product of floats is 2.9999999999999996.
        return math.floor(round(fraction * of, 9))

    own = np.asarray(differences, dtype=np.float64)
    every = np.concatenate([own, others.differences.to_numpy()]) if others else own
    count = share(before + len(every)) - share(before)
    if not count:
        return set()
    limit = float(np.partition(every, count - 1)[count - 1])
    below, level = (
        {ids[int(place)] for place in np.flatnonzero(those)} for those in (own < limit, own == limit)
    )
    # Only where the last ones tie does it matter which ids the others have.
    ties = sorted(level.union(others.ids_at(limit) if others and level else ()))
    return below | level.intersection(ties[: count - int((every < limit).sum())])
