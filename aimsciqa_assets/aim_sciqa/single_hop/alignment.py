"""The alignment filter: finds pairs whose question fits the evidence but not the answer (section 4.2)."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl


def row_cosines(left: npt.NDArray[np.floating], right: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Cosines of the rows of two `(n, dim)` matrices of unit-length rows, `(n,)` float64."""
    return np.asarray(np.einsum("ij,ij->i", left, right, dtype=np.float64))


def lowest(
    differences: Sequence[float] | pl.Series, ids: Sequence[str] | pl.Series, fraction: float, before: int = 0
) -> set[str]:
    """Ids of the floor(fraction x N) pairs with the lowest Sim(Q,A) - Sim(Q,E); ties are broken by id.

    With fraction 0.1 these are the pairs that the paper removes as likely misaligned. With `before` pairs
    that came earlier, so many are removed that it is floor(fraction x N) of all pairs together.
    """

    def share(of: int) -> int:
        # Rounded first: 0.1 x 30 must give 3, even where the product of floats is 2.9999999999999996.
        return math.floor(round(fraction * of, 9))

    count = share(before + len(ids)) - share(before)
    schema = {"difference": pl.Float64, "id": pl.String}
    measured = pl.DataFrame({"difference": differences, "id": ids}, schema=schema)
    return set(measured.bottom_k(count, by=["difference", "id"])["id"])
