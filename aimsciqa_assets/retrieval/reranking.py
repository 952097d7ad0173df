"""Reordering of a few candidates by a cross-encoder; without one, they keep their order."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from aimsciqa_resources.encoder import CrossEncoderModel, EncoderUnavailableError, PairScorer
from scipy.special import expit

QUERY_TOKENS: Final = 512
PASSAGE_TOKENS: Final = 8196
BATCH: Final = 16
_log = logging.getLogger(__name__)


class Reranker(Protocol):
    """Says how well texts fit a query."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """A score from 0 to 1 for each text."""


class CrossEncoderReranker:
    """The sigmoid of a cross-encoder's scores."""

    def __init__(self, cross_encoder: PairScorer) -> None:
        self._cross_encoder = cross_encoder

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """See `Reranker`."""
        if not texts:
            return []
        found: list[float] = expit(self._cross_encoder.scores(query, texts)).tolist()
        return found


def open_reranker(
    model: str,
    query_tokens: int = QUERY_TOKENS,
    passage_tokens: int = PASSAGE_TOKENS,
    batch: int = BATCH,
) -> Reranker | None:
    """The cross-encoder, loaded; None, and a warning, if it cannot be loaded. By default as HopWeaver has it.

    `model` is a folder or a name on the hub.
    """
    cross_encoder = CrossEncoderModel(model, query_tokens, passage_tokens, batch)
    try:
        cross_encoder.load()
    except EncoderUnavailableError as error:
        _log.warning("%s Candidates keep the order in which they were chosen.", error)
        return None
    return CrossEncoderReranker(cross_encoder)


@dataclass(frozen=True, slots=True)
class Reordered:
    """The place that a text had before, and its score; None where there is no reranker."""

    place: int
    score: float | None


def rerank(reranker: Reranker | None, query: str, texts: Sequence[str]) -> list[Reordered]:
    """The texts by score, the best first; ties keep their order. Without a reranker all keep it."""
    if reranker is None:
        return [Reordered(place, None) for place in range(len(texts))]
    scores = reranker.scores(query, texts)
    order = sorted(range(len(texts)), key=lambda place: (-scores[place], place))
    return [Reordered(place, scores[place]) for place in order]
