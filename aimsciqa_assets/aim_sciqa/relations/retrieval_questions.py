"""Chooses the retrieval question: the target's QA pair farthest from the distractors (section 4.3)."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
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
    """Rows of `relations.retrieval_questions`: the first of the questions that `questions_by_distance` gives
    each relation.
    """
    return first_questions(
        questions_by_distance(relations, members, index, core_allowed=core_allowed, advance=advance)
    )


def first_questions(ordered: pl.DataFrame) -> pl.DataFrame:
    """Rows of `relations.retrieval_questions` of the ordered questions of each relation."""
    return ordered.unique("relation", keep="first", maintain_order=True).select(
        "batch", "relation_id", "variant", "qa_id", "total_distance", "pool"
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """What counts beside distance: `specificity` by QA pair, from 0 to 1, with its `weight` against the mean
    distance; `unfit` pairs come last.
    """

    specificity: Mapping[str, float]
    unfit: Collection[str]
    weight: float


def retrieval_candidates(ordered: pl.DataFrame, most: int) -> pl.DataFrame:
    """Rows of `relations.retrieval_candidates`: the first questions of each relation, none that were passed
    over unless there is no other.
    """
    ranked = ordered.with_columns(rank=pl.int_range(1, pl.len() + 1).over("relation"))
    return ranked.filter((pl.col("rank") == 1) | ((pl.col("rank") <= most) & ~pl.col("passed_over"))).select(
        "batch",
        "relation_id",
        "variant",
        "rank",
        "qa_id",
        mean_distance=pl.when(pl.col("pool") > 0).then(pl.col("total_distance") / pl.col("pool")),
        specificity="specificity",
    )


def questions_by_distance(
    relations: pl.DataFrame,
    members: pl.DataFrame,
    index: QuestionIndex,
    *,
    core_allowed: bool,
    choice: Choice | None = None,
    advance: Callable[[int], None] = lambda _rows: None,
) -> pl.DataFrame:
    """Every QA pair of each relation's target, the best retrieval question first.

    `relations` are rows of `relations.candidate_relations`, `members` of `relations.clusters`, `index` has
    the QA-level vectors of their papers. Distances are summed over the pairs of the distractors. Without
    `core_allowed` the target's core QA is chosen only if the target has no other pair. Distances that agree
    to nine digits are equal; of equal pairs the first by id is taken. `advance` gets the number of pairs that
    were measured. With a `choice` specificity counts beside the mean distance.
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
    order = pl.col("total_distance")
    if choice is not None:
        told = [choice.specificity.get(qa_id, 0.0) for qa_id in measured["qa_id"]]
        measured = measured.with_columns(
            specificity=pl.Series(told, dtype=pl.Float64),
            passed_over=pl.col("passed_over") | pl.col("qa_id").is_in(list(choice.unfit)),
        )
        order = order / pl.max_horizontal(pl.col("pool"), 1) + choice.weight * pl.col("specificity")
    return measured.sort(
        "relation", "passed_over", order.round(9), "qa_id", descending=[False, False, True, False]
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
