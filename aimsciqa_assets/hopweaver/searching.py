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
    `lexical` is a second search, which `finds` asks, too.
    """

    coarse: Coarse
    documents: Mapping[str, Document]
    weights: Weights
    pool: int
    source_similarity: Literal["document", "segment"] = "document"
    reranker: Reranker | None = None
    lexical: Coarse | None = None
    _turn: Lock = field(default_factory=Lock)
    _reading: Lock = field(default_factory=Lock)
    _waiting: "list[_Asked]" = field(default_factory=list)

    def candidates(
        self, query: str, source_id: str, segment: str, count: int, holders: Sequence[str] = ()
    ) -> list[Found]:
        """Candidates of a bridge question, in the order in which they are tried: `holders` come first.

        A holder that the search did not find has no query, and a relevance of 0.
        """
        asked = self._answered(query, self.pool * count, source_id, segment, tuple(holders))
        selected = self._chosen(asked, count)
        texts = [self.documents[one.document_id].text for one in selected]
        with self._reading:
            order = rerank(self.reranker, query, texts)
        return [
            Found(one, read.score, (query,) if one.document_id in asked.found else ())
            for read in order
            for one in (selected[read.place],)
        ]

    def __call__(self, query: str, exclude: str | None, count: int) -> list[Selected]:
        """See `Search`."""
        return self._chosen(self._answered(query, self.pool * count, exclude), count)

    def finds(self, question: str, document_id: str, source_id: str, within: int) -> bool:
        """Whether a document is among the first `within` hits of a question, the source left out.

        The retriever and `lexical`, if there is one, search.
        """
        if not question.strip():
            return False
        asked = self._answered(question, within + 1, source_id)
        with self._turn:
            lists = self.lexical.search([question], within + 1) if self.lexical else []
        for hits in (list(asked.found.values()), *lists):
            first = [hit.document_id for hit in hits if hit.document_id != source_id][:within]
            if document_id in first:
                return True
        return False

    def _answered(
        self,
        query: str,
        count: int,
        source_id: str | None,
        segment: str = "",
        holders: tuple[str, ...] = (),
    ) -> "_Asked":
        asked = _Asked(query, count, source_id, segment, holders)
        self._waiting.append(asked)
        with self._turn:
            if asked.hits is None:
                # Whoever has the turn answers all who wait; after an error of another, everyone for itself.
                self._answer([self._waiting.pop(0) for _ in range(len(self._waiting))] or [asked])
        return asked

    def _chosen(self, asked: "_Asked", count: int) -> list[Selected]:
        if not asked.hits:
            return []
        like = np.zeros(asked.vectors.shape[1]) if asked.source is None else asked.source
        return select_diverse(
            asked.hits,
            asked.vectors,
            like,
            self.weights,
            top_k=count,
            exclude=asked.source_id,
            leading=len(asked.holders),
        )

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
            one.found = {hit.document_id: hit for hit in hits[: one.count]}
            led = [one.found.get(holder, Hit(holder, 0.0)) for holder in one.holders]
            led += [hit for hit in one.found.values() if hit.document_id not in one.holders]
            one.vectors = self.coarse.vectors([hit.document_id for hit in led])
            # Last of all: whoever has hits waits no more.
            one.hits = led


@dataclass(slots=True)
class _Asked:
    """A query that waits for its turn, then its hits with their vectors, and the vector of its source.

    `found` is what the search found; `hits` begin with the holders.
    """

    query: str
    count: int
    source_id: str | None
    segment: str
    holders: tuple[str, ...] = ()
    found: dict[str, Hit] = field(default_factory=dict)
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
