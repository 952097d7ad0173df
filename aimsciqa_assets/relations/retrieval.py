"""The retrieval question: the target's QA pair that is farthest from the rest of its cluster (4.3)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from aimsciqa_assets.frames import vectors_of

Vectors = npt.NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class QaSums:
    """Per paper: its QA vectors, their sum (float64) and their number."""

    vectors: Vectors
    sum: npt.NDArray[np.float64]

    @classmethod
    def of(cls, vectors: Vectors) -> "QaSums":
        """Sum `(n_pairs, dim)` vectors, rows of unit length."""
        return cls(vectors, vectors.sum(axis=0, dtype=np.float64))


def total_distances(target: QaSums, others: Sequence[QaSums]) -> npt.NDArray[np.float64]:
    """Sum of cosine distances of each target QA pair to all QA pairs of the other papers, `(n_pairs,)`.

    The sum of `1 - u.v` over all v is their number minus `u . sum(v)`: one product, not one per pair. The
    target's own pairs do not count.
    """
    count = sum(len(other.vectors) for other in others)
    summed = np.sum([other.sum for other in others], axis=0) if others else np.zeros(target.vectors.shape[1])
    return np.asarray(count - target.vectors.astype(np.float64) @ summed)


def most_distinctive(distances: npt.NDArray[np.float64]) -> int:
    """Row of the largest total distance; the first of equals."""
    return int(distances.argmax())


def retrieval_rows(
    relations: pl.DataFrame,
    members: pl.DataFrame,
    embedded: pl.DataFrame,
    *,
    core_allowed: bool,
    advance: Callable[[int], None] = lambda _relations: None,
) -> Iterator[dict[str, Any]]:
    """Rows of `relations.retrieval_questions`.

    `members` are rows of `relations.clusters`, `embedded` the QA-level vectors of the corpus (`paper_id`,
    `qa_id`, `vector`) in the order of their ids; each paper's vectors are summed once. Papers without a pair
    count for nothing. Without `core_allowed` the target's core QA is passed over, unless it is its only pair.
    """
    qa_ids: dict[str, list[str]] = {}
    sums: dict[str, QaSums] = {}
    for paper, rows in embedded.group_by("paper_id", maintain_order=True):
        qa_ids[str(paper[0])] = rows["qa_id"].to_list()
        sums[str(paper[0])] = QaSums.of(vectors_of(rows["vector"]))
    in_cluster: dict[str, list[str]] = dict(
        members.filter(pl.col("role") == "distractor").group_by("relation_id").agg("paper_id").iter_rows()
    )
    for relation in relations.iter_rows(named=True):
        target = relation["target_paper_id"]
        others = [
            sums[paper] for paper in sorted(in_cluster.get(relation["relation_id"], [])) if paper in sums
        ]
        distances = total_distances(sums[target], others)
        eligible = np.array([core_allowed or qa != relation["core_target_qa_id"] for qa in qa_ids[target]])
        chosen = most_distinctive(np.where(eligible, distances, -np.inf) if eligible.any() else distances)
        yield {
            "batch": relation["batch"],
            "relation_id": relation["relation_id"],
            "variant": relation["variant"],
            "qa_id": qa_ids[target][chosen],
            "total_distance": float(distances[chosen]),
            "pool": sum(len(other.vectors) for other in others),
        }
        advance(1)
