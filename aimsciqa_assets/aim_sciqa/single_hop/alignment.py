"""The alignment filter: pairs whose question is nearer to the evidence than to the answer (section 4.2)."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl


def row_cosines(left: npt.NDArray[np.floating], right: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Cosines of the rows of two `(n, dim)` matrices of unit-length rows, `(n,)` float64."""
    return np.asarray(np.einsum("ij,ij->i", left, right, dtype=np.float64))


def lowest(
    differences: Sequence[float] | pl.Series, ids: Sequence[str] | pl.Series, fraction: float
) -> set[str]:
    """Ids of the floor(fraction x N) pairs with the lowest Sim(Q,A) - Sim(Q,E); ties go by id.

    With fraction 0.1 these are the pairs that the paper removes as likely misaligned.
    """
    # floor(0.1 x 30) must be 3 although 0.1 x 30 is 3.0000000000000004 or 2.9999999999999996 elsewhere.
    count = math.floor(round(fraction * len(ids), 9))
    schema = {"difference": pl.Float64, "id": pl.String}
    measured = pl.DataFrame({"difference": differences, "id": ids}, schema=schema)
    return set(measured.bottom_k(count, by=["difference", "id"])["id"])
