"""Chooses the retrieval question: the target's QA pair farthest from the distractors (section 4.3)."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Vectors = npt.NDArray[np.floating]
_ROWS_AT_ONCE = 20_000


def farthest_questions(
    relations: pl.DataFrame,
    members: pl.DataFrame,
    index: QuestionIndex,
    *,
    core_allowed: bool,
    advance: Callable[[int], None] = lambda _rows: None,
) -> pl.DataFrame:
    """Rows of `relations.retrieval_questions`: of each relation's target the farthest QA pair.

    `relations` are rows of `relations.candidate_relations`, `members` of `relations.clusters`, `index` has
    the QA-level vectors of their papers. Distances are summed over the pairs of the distractors. Without
    `core_allowed` the target's core QA is chosen only if the target has no other pair. Distances that agree
    to nine digits are equal; of equal pairs the first by id is taken. `advance` gets the number of pairs that
    were measured.
    """
    key = relations.select(
        "batch", "relation_id", "variant", "core_target_qa_id", paper_id="target_paper_id"
    ).with_row_index("relation")
    papers = index.paper_ids.gather(np.repeat(np.arange(len(index.paper_ids)), index.questions_of_papers))
    pairs = pl.DataFrame({"paper_id": papers, "qa_id": index.qa_ids}).with_row_index("row")
    pooled = _pools(key, members, index)
    of_targets = key.join(pairs, on="paper_id").sort("relation", "qa_id")
    distances = np.empty(of_targets.height)
    for part in _parts(of_targets.height):
        rows, relation = (of_targets[name][part].to_numpy() for name in ("row", "relation"))
        distances[part] = pooled.distances(index.vectors[rows], relation)
        advance(len(rows))
    measured = of_targets.with_columns(
        total_distance=distances,
        pool=pl.Series(pooled.sizes, dtype=pl.Int32).gather(of_targets["relation"]),
        passed_over=(pl.col("qa_id") == pl.col("core_target_qa_id")) & (not core_allowed),
    )
    ordered = measured.sort(
        "relation",
        "passed_over",
        pl.col("total_distance").round(9),
        "qa_id",
        descending=[False, False, True, False],
    )
    return ordered.unique("relation", keep="first", maintain_order=True).select(
        "batch", "relation_id", "variant", "qa_id", "total_distance", "pool"
    )


class Pools:
    """The QA pairs of each cluster's distractors: the sum of their vectors, `(n_clusters, dim)` float64, and
    their number, `(n_clusters,)`.
    """

    def __init__(self, sums: npt.NDArray[np.float64], sizes: npt.NDArray[np.int64]) -> None:
        self.sums = sums
        self.sizes = sizes

    @classmethod
    def of(cls, index: QuestionIndex, inside: "csr_array") -> "Pools":
        """The pools of clusters; `inside[cluster, paper]` is 1 where a paper of the index is a distractor."""
        from aimsciqa_assets.aim_sciqa.relations.kernel import sum_ranges

        sums = sum_ranges(index.vectors, index.rows_of_papers)
        return cls(inside @ sums, (inside @ index.questions_of_papers).astype(np.int64))

    def distances(self, vectors: Vectors, clusters: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Sum of the cosine distances of each vector to all pairs in the pool of its cluster, `(n,)`.

        The sum of `1 - u.v` over all v is their number minus `u . sum(v)`: one product, not one per pair.
        """
        products = np.einsum("ij,ij->i", vectors.astype(np.float64), self.sums[clusters])
        return np.asarray(self.sizes[clusters] - products)


def _pools(key: pl.DataFrame, members: pl.DataFrame, index: QuestionIndex) -> Pools:
    numbered = pl.DataFrame({"paper_id": index.paper_ids}).with_row_index("paper")
    inside = (
        members.filter(pl.col("role") == "distractor")
        .join(key.select("relation_id", "relation"), on="relation_id")
        .join(numbered, on="paper_id")
        .sort("relation", "paper")
    )
    starts = np.searchsorted(inside["relation"].to_numpy(), np.arange(key.height + 1))
    # Imported here, because it is slow to import and most commands do not need it.
    from scipy.sparse import csr_array

    table = csr_array(
        (np.ones(inside.height), inside["paper"].to_numpy().astype(np.int64), starts),
        shape=(key.height, len(index.paper_ids)),
    )
    return Pools.of(index, table)


def _parts(rows: int) -> Iterator[slice]:
    return (slice(start, start + _ROWS_AT_ONCE) for start in range(0, rows, _ROWS_AT_ONCE))
