"""Choice of candidates that fit the query, but neither repeat the source document nor each other.

This is HopWeaver's variant of maximal marginal relevance (Carbonell and Goldstein 1998):

    score = l1 * relevance - l2 * cosine with the source - l3 * max(0, largest cosine with a chosen document)

Relevance is the retriever's raw score. Documents are chosen one by one, always the one with the highest
score.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from aimsciqa_assets.retrieval.coarse import FloatMatrix, Hit

_DECIMALS: Final = 12
"""Scores that differ in later decimals only are equal."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much relevance, the source and redundancy count (l1, l2, l3). Only their ratios matter."""

    relevance: float
    source: float
    redundancy: float

    def normalised(self) -> "Weights":
        """The same weights with a sum of 1. Raises `ValueError` if one is negative or all are 0."""
        given = (self.relevance, self.source, self.redundancy)
        total = sum(given)
        if min(given) < 0 or total <= 0 or not math.isfinite(total):
            raise ValueError(f"weights must be numbers from 0 on, and one of them above 0: {given}")
        return Weights(*(weight / total for weight in given))


WEIGHTS: Final[Mapping[str, Weights]] = {
    "paper": Weights(0.87, 0.03, 0.1),
    "wrapper": Weights(0.8, 0.1, 0.1),
    "synthesizer": Weights(0.7, 0.1, 0.2),
    "reranker": Weights(0.85, 0.05, 0.1),
}
"""The four sets that HopWeaver's authors use: in the paper's ablation, and in three places of their code."""


@dataclass(frozen=True, slots=True)
class Selected:
    """A chosen document: its score when it was chosen, and the three terms of the score without weights."""

    document_id: str
    score: float
    relevance: float
    source: float
    redundancy: float


def select_diverse(
    hits: Sequence[Hit],
    vectors: FloatMatrix,
    source_vector: FloatMatrix,
    weights: Weights,
    top_k: int,
    *,
    exclude: str | None = None,
    leading: int = 0,
) -> list[Selected]:
    """Choose `top_k` of the hits, the best first; of equal scores, the earlier hit.

    `vectors` are those of the hits, `(n_hits, dim)`, and `source_vector` is `(dim,)`; they need not have unit
    length. The document `exclude` is left out, so that there is one candidate less. The first `leading` hits
    are chosen before all others, in their order.
    """
    used = weights.normalised()
    if not hits:
        return []
    unit = _unit(vectors)
    left = [place for place, hit in enumerate(hits) if hit.document_id != exclude]
    relevance = np.array([hit.score for hit in hits], dtype=np.float64)
    source = unit @ _unit(np.reshape(source_vector, (1, -1)))[0]
    fixed = used.relevance * relevance - used.source * source
    redundancy = np.zeros(len(hits))
    chosen: list[Selected] = []
    while left and len(chosen) < top_k:
        scores = fixed[left] - used.redundancy * redundancy[left]
        best = left.pop(0 if left[0] < leading else int(np.argmax(np.round(scores, _DECIMALS))))
        chosen.append(
            Selected(
                hits[best].document_id,
                float(fixed[best] - used.redundancy * redundancy[best]),
                float(relevance[best]),
                float(source[best]),
                float(redundancy[best]),
            )
        )
        redundancy = np.maximum(redundancy, unit @ unit[best])
    return chosen


def _unit(vectors: FloatMatrix) -> npt.NDArray[np.float64]:
    """The vectors with unit length; one of zeros stays as it is, and its cosines are 0."""
    wide = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    unit: npt.NDArray[np.float64] = wide / np.where(lengths > 0, lengths, 1)
    return unit
