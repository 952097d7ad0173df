"""Finds candidates for a second document: a coarse search, a diverse choice of its hits, and a reranker.

Many dialogues search at once. Queries that wait for each other are searched together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Literal

import numpy as np
from aimsciqa_resources.encoder import Encoder, Vectors

from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.retrieval.coarse import Coarse, FloatMatrix, Hit
from aimsciqa_assets.retrieval.diversity import Selected, Weights, select_diverse
from aimsciqa_assets.retrieval.reranking import Reranker, rerank

Search = Callable[[str, str | None, int], list[Selected]]
"""Query, id of a document to leave out, how many: the candidates, the best first."""


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate: why it was selected, what the reranker gave it, and the queries that found it."""

    selected: Selected
    reranker_score: float | None = None
    queries: tuple[str, ...] = ()

    @property
    def document_id(self) -> str:
        """The candidate."""
        return self.selected.document_id


@dataclass(frozen=True, slots=True)
class Searching:
    """The search of a run. `pool` times as many hits as candidates are searched for.

    `source_similarity` says what a candidate shall not be like: the source document, or the segment of it.
    """

    coarse: Coarse
    documents: Mapping[str, Document]
    weights: Weights
    pool: int
    source_similarity: Literal["document", "segment"] = "document"
    reranker: Reranker | None = None
    _turn: Lock = field(default_factory=Lock)
    _reading: Lock = field(default_factory=Lock)
    _waiting: "list[_Asked]" = field(default_factory=list)

    def candidates(self, query: str, source_id: str, segment: str, count: int) -> list[Found]:
        """Candidates of a bridge question, in the order in which they are tried."""
        selected = self._selected(query, source_id, count, segment)
        texts = [self.documents[one.document_id].text for one in selected]
        with self._reading:
            order = rerank(self.reranker, query, texts)
        return [Found(selected[one.place], one.score, (query,)) for one in order]

    def __call__(self, query: str, exclude: str | None, count: int) -> list[Selected]:
        """See `Search`."""
        return self._selected(query, exclude, count, "")

    def _selected(self, query: str, source_id: str | None, count: int, segment: str) -> list[Selected]:
        asked = _Asked(query, self.pool * count, source_id, segment)
        self._waiting.append(asked)
        with self._turn:
            if asked.hits is None:
                # Whoever has the turn answers all who wait; after an error of another, everyone for itself.
                self._answer([self._waiting.pop(0) for _ in range(len(self._waiting))] or [asked])
        if not asked.hits:
            return []
        vectors = asked.vectors
        like = np.zeros(vectors.shape[1]) if asked.source is None else asked.source
        return select_diverse(asked.hits, vectors, like, self.weights, top_k=count, exclude=source_id)

    def _answer(self, together: "Sequence[_Asked]") -> None:
        """Search for all who wait."""
        most = max(one.count for one in together)
        found = self.coarse.search([one.query for one in together], most)
        by_segment = [one for one in together if one.segment and self.source_similarity == "segment"]
        if by_segment:
            encoded = self.coarse.encode([one.segment for one in by_segment])
            for one, vector in zip(by_segment, encoded, strict=True):
                one.source = vector
        for one in together:
            if one.source is None and one.source_id is not None:
                one.source = self.coarse.vectors([one.source_id])[0]
        for one, hits in zip(together, found, strict=True):
            one.vectors = self.coarse.vectors([hit.document_id for hit in hits[: one.count]])
            # Last of all: whoever has hits waits no more.
            one.hits = hits[: one.count]


@dataclass(slots=True)
class _Asked:
    """A query that waits for its turn, then its hits with their vectors, and the vector of its source."""

    query: str
    count: int
    source_id: str | None
    segment: str
    hits: list[Hit] | None = None
    vectors: FloatMatrix = field(default_factory=lambda: np.empty((0, 0)))
    source: FloatMatrix | None = None


class StoredVectors:
    """The pipeline's encoder, which knows the vectors of the documents already."""

    def __init__(self, encoder: Encoder, vectors: Mapping[str, Vectors]) -> None:
        """`vectors` are those of the documents, by their text."""
        self._encoder = encoder
        self._vectors = vectors

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    @property
    def revision(self) -> str:
        """The encoder's version."""
        return self._encoder.revision

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """See `Encoder`."""
        return self._encoder.encode(texts, progress)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`."""
        return self._encoder.encode_queries(texts)

    def encode_documents(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """The stored vectors; a text that is no document is encoded."""
        if all(text in self._vectors for text in texts) and texts:
            return np.stack([self._vectors[text] for text in texts])
        return self._encoder.encode_documents(texts, progress)
