"""Cosines that are the same whatever the number of threads, so that ties stay ties."""

from typing import Final

import numpy as np
import numpy.typing as npt

from aimsciqa.bm25 import Ranked, best_first, first_of

DECIMALS: Final = 6
"""Decimals of a score. Later ones depend on the processor, and equal texts should get equal scores."""

_WIDENED_AT_ONCE = 8192
"""How many vectors of the right side are in memory in float64."""
_QUERIES_AT_ONCE = 256


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


def most_similar(
    queries: npt.NDArray[np.float32], documents: npt.NDArray[np.float32], count: int
) -> list[Ranked]:
    """The places and cosines of the `count` nearest documents of each query; ties keep the documents' order.

    It finds what sorting all `cosines` finds. Cosines are made in float32, block by block, so that memory
    does not grow with the number of documents. Those that can be among the nearest are made again in float64.
    """
    found: list[Ranked] = []
    for start in range(0, len(queries), _QUERIES_AT_ONCE):
        found += _most_similar(queries[start : start + _QUERIES_AT_ONCE], documents, count)
    return found


def _most_similar(
    queries: npt.NDArray[np.float32], documents: npt.NDArray[np.float32], count: int
) -> list[Ranked]:
    best = [Ranked(np.empty(0, dtype=np.int64), np.empty(0))] * len(queries)
    # A later document must have a larger cosine than the last of the best ones: it loses a tie.
    least = np.full(len(queries), -np.inf if count > 0 else np.inf)
    error = _error(queries.shape[1])
    for start in range(0, len(documents), _WIDENED_AT_ONCE):
        block = documents[start : start + _WIDENED_AT_ONCE]
        rough = queries @ block.T
        possible = rough > (least - error)[:, None]
        for query in np.flatnonzero(possible.any(axis=1)).tolist():
            places = np.flatnonzero(possible[query])
            if len(places) > count:
                last = first_of(rough[query, places], count).scores[-1]
                places = places[rough[query, places] >= last - 2 * error]
            exact = cosines(queries[query : query + 1], block[places])[0]
            together = best_first(
                np.concatenate([best[query].papers, start + places]),
                np.concatenate([best[query].scores, exact]),
            )
            best[query] = Ranked(together.papers[:count], together.scores[:count])
            if len(best[query].scores) == count:
                least[query] = best[query].scores[-1]
    return best


def _error(dimension: int) -> float:
    """How far a float32 cosine of this dimension can be from the rounded one in float64, twice over."""
    return float(2 * dimension * np.finfo(np.float32).eps) + 10.0**-DECIMALS
