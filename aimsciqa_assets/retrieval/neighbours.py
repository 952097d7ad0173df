"""Nearest neighbours among many vectors: exact up to a size, by an index above it."""

from typing import Final

import numpy as np
import numpy.typing as npt

from aimsciqa_assets.retrieval.cosines import DECIMALS, most_similar

Vectors = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]
Similarities = npt.NDArray[np.float64]

EXACT: Final = 12_000
"""Vectors up to which all are compared; the time for that grows with the square of their number."""
_SEARCHED: Final = 96
_LINKS: Final = 24
_ROUNDED: Final = 4
"""Decimals by which neighbours are put in order: later ones differ between processors."""


def nearest(
    queries: Vectors, vectors: Vectors, count: int, exact: int = EXACT
) -> tuple[Places, Similarities]:
    """Return the places and cosines of the `count` nearest vectors of each query, the nearest first.

    `queries` is `(n, dim)` and `vectors` `(m, dim)`, float32, rows of unit length; both results are
    `(n, min(count, m))`. A query that is among the vectors finds itself. Above `exact` vectors an HNSW index
    finds the neighbours, nearly all of them (`python -m benchmarks.findings_scale` measures the recall).
    """
    count = min(count, len(vectors))
    if not count or not len(queries):
        return np.empty((len(queries), count), dtype=np.int64), np.empty((len(queries), count))
    if len(vectors) <= exact:
        ranked = most_similar(queries, vectors, count)
        return np.stack([row.papers for row in ranked]), np.stack([row.scores for row in ranked])
    return _by_index(queries, vectors, count)


def _by_index(queries: Vectors, vectors: Vectors, count: int) -> tuple[Places, Similarities]:
    # Imported here: small corpora do without it.
    from usearch.index import Index

    index = Index(
        ndim=vectors.shape[1],
        metric="ip",
        dtype="f32",
        connectivity=_LINKS,
        expansion_add=_SEARCHED,
        expansion_search=max(_SEARCHED, 2 * count),
    )
    # With one thread the index depends on nothing but the vectors and their order.
    index.add(np.arange(len(vectors)), vectors, threads=1)
    matches = index.search(queries, count, threads=0)
    places = matches.keys.astype(np.int64)
    similarities = np.round(1.0 - matches.distances.astype(np.float64), DECIMALS)
    order = np.lexsort((places, -np.round(similarities, _ROUNDED)), axis=1)
    return np.take_along_axis(places, order, axis=1), np.take_along_axis(similarities, order, axis=1)
