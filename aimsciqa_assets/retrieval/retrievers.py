"""Retrievers: encoders, fusion by ranks, and reordering by a cross-encoder. BM25 is in the light package.

`search` takes a block of queries; `ranked` then ranks any candidates for one of them. Scores of BM25,
encoders and cross-encoders depend on query and paper only, those of a fusion also on the candidates. Ties are
broken by paper id.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
from aimsciqa_resources.encoder import PairScorer, SearchEncoder, Vectors

from aimsciqa.bm25 import Papers, Ranked, ScoredSearch, Scores, best_first
from aimsciqa.documents import Documents
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.retrieval.cosines import DECIMALS, cosines

RRF_K = 60


class Search(Protocol):
    """What a retriever found for a block of queries."""

    def ranked(self, query: int, candidates: Papers) -> Ranked:
        """All candidates, given in ascending order, ranked for the query at this place of the block."""


class Retriever(Protocol):
    """Finds papers."""

    def search(self, queries: Sequence[str]) -> Search:
        """Search for a block of queries."""


class EmbeddingRetriever:
    """Cosines of query and document vectors."""

    def __init__(self, documents: Documents, encoder: SearchEncoder, name: str) -> None:
        self._documents = documents
        self._encoder = encoder
        self._name = name

    def search(self, queries: Sequence[str]) -> ScoredSearch:
        """Score the papers."""
        scores = cosines(self._encoder.encode_queries(queries), self._vectors)
        return ScoredSearch(self._documents.best(scores))

    @cached_property
    def _vectors(self) -> Vectors:
        return encoded_documents(self._encoder, self._documents.passages, self._name)


def encoded_documents(encoder: SearchEncoder, texts: Sequence[str], name: str) -> Vectors:
    """The vectors of texts, with the progress of the encoder called `name`."""
    with progress(f"{name}  encoding documents", len(texts)) as advance:
        return encoder.encode_documents(texts, advance)


class FusedRetriever:
    """Reciprocal-rank fusion (Cormack et al. 2009): the sum over the parts of 1 / (60 + rank)."""

    def __init__(self, parts: Sequence[Retriever]) -> None:
        self._parts = parts

    def search(self, queries: Sequence[str]) -> "FusedSearch":
        """Search with every part."""
        return FusedSearch([part.search(queries) for part in self._parts])


class FusedSearch:
    """The searches of the parts."""

    def __init__(self, parts: Sequence[Search]) -> None:
        self._parts = parts

    def ranked(self, query: int, candidates: Papers) -> Ranked:
        """The candidates by the ranks that the parts give them among these candidates."""
        scores = np.zeros(len(candidates))
        for part in self._parts:
            papers = part.ranked(query, candidates).papers
            scores[np.searchsorted(candidates, papers)] += 1 / (RRF_K + np.arange(1, len(papers) + 1))
        return best_first(candidates, np.round(scores, 12))


class RerankedRetriever:
    """The first papers of a retriever in the order of a cross-encoder; the others follow as they were."""

    def __init__(self, first: Retriever, cross_encoder: PairScorer, documents: Documents, depth: int) -> None:
        self._first = first
        self._cross_encoder = cross_encoder
        self._documents = documents
        self._depth = depth

    def search(self, queries: Sequence[str]) -> "RerankedSearch":
        """Search with the first retriever."""
        return RerankedSearch(
            queries, self._first.search(queries), self._cross_encoder, self._documents, self._depth
        )


class RerankedSearch:
    """The search of the first retriever; the cross-encoder reads each pair of query and paper once."""

    def __init__(
        self,
        queries: Sequence[str],
        first: Search,
        cross_encoder: PairScorer,
        documents: Documents,
        depth: int,
    ) -> None:
        self._queries = queries
        self._first = first
        self._cross_encoder = cross_encoder
        self._documents = documents
        self._depth = depth
        self._read: dict[tuple[int, int], float] = {}

    def ranked(self, query: int, candidates: Papers) -> Ranked:
        """The first papers by the cross-encoder's score of their best passage; the others have no score."""
        papers = self._first.ranked(query, candidates).papers
        head = np.sort(papers[: self._depth])
        reordered = best_first(head, self._scores(query, head))
        rest = papers[self._depth :]
        return Ranked(
            np.concatenate([reordered.papers, rest]),
            np.concatenate([reordered.scores, np.full(len(rest), np.nan)]),
        )

    def _scores(self, query: int, papers: Papers) -> Scores:
        unread = [paper for paper in papers.tolist() if (query, paper) not in self._read]
        passages = [self._documents.passages_of(paper) for paper in unread]
        if passages:
            flat = [passage for of_paper in passages for passage in of_paper]
            scores = self._cross_encoder.scores(self._queries[query], flat)
            starts = np.cumsum([0, *map(len, passages)])[:-1]
            best = np.round(np.maximum.reduceat(scores, starts), DECIMALS)
            self._read |= {(query, paper): score for paper, score in zip(unread, best.tolist(), strict=True)}
        return np.array([self._read[query, paper] for paper in papers.tolist()], dtype=np.float64)
