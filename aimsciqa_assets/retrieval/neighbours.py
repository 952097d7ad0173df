"""Nearest neighbours among many vectors: exact up to a size, by an index above it."""

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from aimsciqa_assets.retrieval.cosines import DECIMALS, most_similar

if TYPE_CHECKING:
    from usearch.index import Index

Vectors = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]
Similarities = npt.NDArray[np.float64]

EXACT: Final = 12_000
"""Vectors up to which all are compared; the time for that grows with the square of their number."""
_SEARCHED: Final = 128
"""Vectors that the index looks at for each one: twice the neighbours that anything here asks for."""
_LINKS: Final = 24
_ROUNDED: Final = 4
"""Decimals by which neighbours are put in order: later ones differ between processors."""


class Neighbours:
    """Vectors in which neighbours are looked for, and to which more may be added.

    Up to `exact` vectors all are compared. Above, an HNSW index finds nearly all neighbours;
    `python -m benchmarks.findings_scale` measures its recall.
    """

    def __init__(self, exact: int = EXACT) -> None:
        self._exact = exact
        self._vectors: list[Vectors] = []
        self._index: Index | None = None
        self._size = 0

    def __len__(self) -> int:
        """Return the number of vectors."""
        return self._size

    def add(self, vectors: Vectors) -> None:
        """Add vectors, `(m, dim)` float32, rows of unit length; their places follow those before."""
        places = np.arange(self._size, self._size + len(vectors))
        self._size += len(vectors)
        if self._index is None:
            self._vectors.append(vectors)
            if self._size <= self._exact:
                return
            vectors, places = np.concatenate(self._vectors), np.arange(self._size)
            self._vectors.clear()
            self._index = _index_of(vectors.shape[1])
        if len(vectors):
            # With one thread the index depends on nothing but the vectors and their order.
            self._index.add(places, vectors, threads=1)

    def nearest(self, queries: Vectors, count: int) -> tuple[Places, Similarities]:
        """Return the places and cosines of the `count` nearest vectors of each query, the nearest first.

        `queries` is `(n, dim)`, float32, rows of unit length; both results are `(n, min(count, size))`. A
        query that is among the vectors finds itself.
        """
        count = min(count, self._size)
        if not count or not len(queries):
            return np.empty((len(queries), count), dtype=np.int64), np.empty((len(queries), count))
        if self._index is None:
            ranked = most_similar(queries, np.concatenate(self._vectors), count)
            return np.stack([row.papers for row in ranked]), np.stack([row.scores for row in ranked])
        matches = self._index.search(queries, count, threads=0)
        places = matches.keys.astype(np.int64)
        similarities = np.round(1.0 - matches.distances.astype(np.float64), DECIMALS)
        order = np.lexsort((places, -np.round(similarities, _ROUNDED)), axis=1)
        return np.take_along_axis(places, order, axis=1), np.take_along_axis(similarities, order, axis=1)


def _index_of(dimension: int) -> "Index":
    # Imported here: small corpora do without it.
    from usearch.index import Index

    return Index(
        ndim=dimension,
        metric="ip",
        dtype="f32",
        connectivity=_LINKS,
        expansion_add=_SEARCHED,
        expansion_search=_SEARCHED,
    )


def nearest(
    queries: Vectors, vectors: Vectors, count: int, exact: int = EXACT
) -> tuple[Places, Similarities]:
    """Return the places and cosines of the `count` nearest vectors of each query (`Neighbours.nearest`)."""
    neighbours = Neighbours(exact)
    neighbours.add(vectors)
    return neighbours.nearest(queries, count)
