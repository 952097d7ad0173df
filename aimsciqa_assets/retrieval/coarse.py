"""Coarse search: the best documents among very many, for many queries at once.

A document is one text with one vector. `search` gives hits with the retriever's raw scores, the best first;
of equal scores, the smaller id first. `vectors` and `encode` give what `diversity` compares.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt
from aimsciqa_resources.encoder import SearchEncoder, Vectors

from aimsciqa.bm25 import Bm25Retriever, Ranked
from aimsciqa.documents import Documents
from aimsciqa_assets.retrieval.cosines import most_similar
from aimsciqa_assets.retrieval.fusion import Fusion, fused, hits_to_ask_for
from aimsciqa_assets.retrieval.retrievers import RRF_K, encoded_documents

FloatMatrix = npt.NDArray[np.floating]
_SCORES_AT_ONCE: Final = 2**23
"""How many scores of BM25 are in memory."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that a search found, and the raw score that the retriever gave it."""

    document_id: str
    score: float


class Coarse(Protocol):
    """Finds the first documents of queries."""

    def search(self, queries: Sequence[str], count: int) -> list[list[Hit]]:
        """At most `count` hits for each query, the best first."""

    def vectors(self, document_ids: Sequence[str]) -> FloatMatrix:
        """Vectors of documents, `(n_documents, dim)`, of unit length."""

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Vectors of texts that are no documents, but read like them: parts of one."""


class DenseCoarse:
    """The largest cosines of query and document vectors: exact, not by approximate neighbours."""

    def __init__(self, document_ids: Sequence[str], vectors: Vectors, encoder: SearchEncoder) -> None:
        """`vectors` of unit length are in the order of the ids, which ascend."""
        if any(one >= other for one, other in pairwise(document_ids)):
            raise ValueError("the ids of the documents must ascend")
        self._ids = document_ids
        self._vectors = vectors
        self._encoder = encoder
        self._places = {document: place for place, document in enumerate(document_ids)}

    @classmethod
    def of(cls, texts: Mapping[str, str], encoder: SearchEncoder, name: str) -> "DenseCoarse":
        """Encode documents by id; `name` is the encoder's in the progress."""
        ids = sorted(texts)
        return cls(ids, encoded_documents(encoder, [texts[one] for one in ids], name), encoder)

    def search(self, queries: Sequence[str], count: int) -> list[list[Hit]]:
        """The hits of each query by cosine."""
        vectors = self._encoder.encode_queries(queries)
        return [_hits(self._ids, ranked) for ranked in most_similar(vectors, self._vectors, count)]

    def vectors(self, document_ids: Sequence[str]) -> Vectors:
        """See `Coarse`."""
        return self._vectors[[self._places[one] for one in document_ids]]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Coarse`."""
        return self._encoder.encode_documents(texts)


class LexicalCoarse:
    """BM25. A document that shares no word with a query is no hit.

    Documents are encoded only when their vectors are asked for.
    """

    def __init__(self, texts: Mapping[str, str], encoder: SearchEncoder) -> None:
        self._documents = Documents.of({document: [text] for document, text in texts.items()})
        self._bm25 = Bm25Retriever(self._documents)
        self._texts = texts
        self._encoder = encoder
        self._encoded: dict[str, Vectors] = {}

    def search(self, queries: Sequence[str], count: int) -> list[list[Hit]]:
        """The hits of each query by the score of BM25."""
        at_once = max(1, _SCORES_AT_ONCE // max(1, len(self._texts)))
        blocks = (queries[start : start + at_once] for start in range(0, len(queries), at_once))
        return [hits for block in blocks for hits in self._of_block(block, count)]

    def vectors(self, document_ids: Sequence[str]) -> Vectors:
        """See `Coarse`."""
        new = [one for one in dict.fromkeys(document_ids) if one not in self._encoded]
        if new:
            vectors = self._encoder.encode_documents([self._texts[one] for one in new])
            self._encoded |= dict(zip(new, vectors, strict=True))
        return np.array([self._encoded[one] for one in document_ids], dtype=np.float32)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Coarse`."""
        return self._encoder.encode_documents(texts)

    def _of_block(self, queries: Sequence[str], count: int) -> Iterator[list[Hit]]:
        search = self._bm25.search(queries)
        for query in range(len(queries)):
            hits = _hits(self._documents.papers, search.first(query, count))
            yield [hit for hit in hits if hit.score > 0]


class FusedCoarse:
    """Several searches, fused. The first one with vectors of its own gives those of the documents."""

    def __init__(self, parts: Sequence[DenseCoarse | LexicalCoarse], fusion: Fusion = "default") -> None:
        """Where dense or lexical hits come first, those parts do; otherwise the order is the given one."""
        dense = [part for part in parts if isinstance(part, DenseCoarse)]
        lexical = [part for part in parts if isinstance(part, LexicalCoarse)]
        orders: dict[str, Sequence[DenseCoarse | LexicalCoarse]] = {
            "dense_first": [*dense, *lexical],
            "bm25_first": [*lexical, *dense],
        }
        self._parts = orders.get(fusion, parts)
        self._fusion = fusion
        self._encoding: Coarse = (dense or parts)[0]

    def search(self, queries: Sequence[str], count: int) -> list[list[Hit]]:
        """The fused hits; see `Fusion` for their scores.

        Those of rrf are so small that diversity would decide alone: here, what comes first everywhere has 1.
        """
        scale = RRF_K / len(self._parts) if self._fusion == "rrf" else 1
        each = hits_to_ask_for(self._fusion, count, len(self._parts))
        found = [part.search(queries, each) for part in self._parts]
        return [
            [
                Hit(document, score * scale)
                for document, score in fused(
                    self._fusion,
                    [[(hit.document_id, hit.score) for hit in hits] for hits in of_query],
                    count,
                )
            ]
            for of_query in zip(*found, strict=True)
        ]

    def vectors(self, document_ids: Sequence[str]) -> FloatMatrix:
        """See `Coarse`."""
        return self._encoding.vectors(document_ids)

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """See `Coarse`."""
        return self._encoding.encode(texts)


def _hits(document_ids: Sequence[str], ranked: Ranked) -> list[Hit]:
    return [
        Hit(document_ids[place], score)
        for place, score in zip(ranked.papers.tolist(), ranked.scores.tolist(), strict=True)
    ]
