"""The retrieval question: the target's QA pair that is farthest from the rest of its cluster (4.3)."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.sparse import csr_array

Vectors = npt.NDArray[np.floating]
_ROWS_AT_ONCE = 20_000


def farthest_questions(
    relations: pl.DataFrame,
    members: pl.DataFrame,
    embedded: pl.DataFrame,
    vectors: Vectors,
    *,
    core_allowed: bool,
    advance: Callable[[int], None] = lambda _rows: None,
) -> pl.DataFrame:
    """Rows of `relations.retrieval_questions`.

    `relations` are rows of `relations.candidate_relations`, `members` of `relations.clusters`, `embedded`
    the QA pairs of their papers (`paper_id`, `qa_id`), by paper, and `vectors` their `(n_pairs, dim)`
    QA-level vectors, rows of unit length. Papers without a pair count for nothing; a target's own pairs do
    not count, either. Without `core_allowed` the target's core QA is passed over, unless it is its only pair.
    Of equals, to nine digits, the first by id is taken. `advance` is told how many pairs were measured.
    """
    key = relations.select(
        "batch", "relation_id", "variant", "core_target_qa_id", paper_id="target_paper_id"
    ).with_row_index("relation")
    pairs = embedded.select("paper_id", "qa_id").with_row_index("row")
    pooled = _pools(key, members, pairs, vectors)
    of_targets = key.join(pairs, on="paper_id").sort("relation", "qa_id")
    distances = np.empty(of_targets.height)
    for part in _parts(of_targets.height):
        rows, relation = (of_targets[name][part].to_numpy() for name in ("row", "relation"))
        distances[part] = pooled.distances(vectors[rows], relation)
        advance(len(rows))
    return (
        of_targets.with_columns(
            total_distance=distances,
            pool=pl.Series(pooled.sizes, dtype=pl.Int32).gather(of_targets["relation"]),
            passed_over=(pl.col("qa_id") == pl.col("core_target_qa_id")) & (not core_allowed),
        )
        .sort(
            "relation",
            "passed_over",
            pl.col("total_distance").round(9),
            "qa_id",
            descending=[False, False, True, False],
        )
        .unique("relation", keep="first", maintain_order=True)
        .select("batch", "relation_id", "variant", "qa_id", "total_distance", "pool")
    )


class Pools:
    """The QA pairs of each cluster's distractors: the sum of their vectors, `(n_clusters, dim)` float64, and
    their number, `(n_clusters,)`.
    """

    def __init__(self, sums: npt.NDArray[np.float64], sizes: npt.NDArray[np.int64]) -> None:
        self.sums = sums
        self.sizes = sizes

    @classmethod
    def of(cls, vectors: Vectors, starts: npt.NDArray[np.int64], inside: csr_array) -> "Pools":
        """Those of clusters. Paper `p` owns the vectors from `starts[p]` up to the next, and
        `inside[cluster, p]` is 1 where it is a distractor.
        """
        sums = np.add.reduceat(vectors, starts, axis=0, dtype=np.float64)
        return cls(inside @ sums, (inside @ np.diff(starts, append=len(vectors))).astype(np.int64))

    def distances(self, vectors: Vectors, clusters: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Sum of the cosine distances of each vector to all pairs in the pool of its cluster, `(n,)`.

        The sum of `1 - u.v` over all v is their number minus `u . sum(v)`: one product, not one per pair.
        """
        products = np.einsum("ij,ij->i", vectors.astype(np.float64), self.sums[clusters])
        return np.asarray(self.sizes[clusters] - products)


def _pools(key: pl.DataFrame, members: pl.DataFrame, pairs: pl.DataFrame, vectors: Vectors) -> Pools:
    papers = pairs.group_by("paper_id", maintain_order=True).agg(start=pl.col("row").first())
    numbered = papers.with_row_index("paper")
    inside = (
        members.filter(pl.col("role") == "distractor")
        .join(key.select("relation_id", "relation"), on="relation_id")
        .join(numbered, on="paper_id")
        .sort("relation", "paper")
    )
    places = (inside["relation"].to_numpy(), inside["paper"].to_numpy())
    table = csr_array((np.ones(inside.height), places), shape=(key.height, papers.height))
    return Pools.of(vectors, papers["start"].to_numpy().astype(np.int64), table)


def _parts(rows: int) -> Iterator[slice]:
    return (slice(start, start + _ROWS_AT_ONCE) for start in range(0, rows, _ROWS_AT_ONCE))
