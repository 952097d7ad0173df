"""Retrievers: BM25, encoders, fusion by ranks, and reordering by a cross-encoder.

`search` takes a block of queries; `ranked` then ranks any candidates for one of them. Scores of BM25,
encoders and cross-encoders depend on query and paper only, those of a fusion also on the candidates. Ties are
broken by paper id.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import Stemmer
from aimsciqa_resources.encoder import PairScorer, SearchEncoder, Vectors

from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.retrieval.cosines import DECIMALS, cosines
from aimsciqa_assets.retrieval.documents import Documents

if TYPE_CHECKING:
    import bm25s

Scores = npt.NDArray[np.float64]
Papers = npt.NDArray[np.int64]
"""Places of papers in `Documents`, which is their order by id."""

RRF_K = 60


class Ranked(NamedTuple):
    """Papers, the best first, and their scores; NaN for a paper without a score."""

    papers: Papers
    scores: Scores


class Search(Protocol):
    """What a retriever found for a block of queries."""

    def ranked(self, query: int, candidates: Papers) -> Ranked:
        """All candidates, given in ascending order, ranked for the query at this place of the block."""


class Retriever(Protocol):
    """Finds papers."""

    def search(self, queries: Sequence[str]) -> Search:
        """Search for a block of queries."""


class ScoredSearch:
    """Ranks by scores, `(n_queries, n_papers)`."""

    def __init__(self, scores: Scores) -> None:
        self._scores = scores

    def ranked(self, query: int, candidates: Papers) -> Ranked:
        """The candidates by score."""
        return _best_first(candidates, self._scores[query, candidates])


class Bm25Retriever:
    """BM25 (Lucene's, k1 = 1.5, b = 0.75) over English word stems without stop words."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def search(self, queries: Sequence[str]) -> ScoredSearch:
        """Score the papers; a query without a known word scores 0 everywhere."""
        scores = np.zeros((len(queries), len(self._documents.passages)), dtype=np.float32)
        for row, words in enumerate(self._words(queries)):
            if words and self._index is not None:
                scores[row] = self._index.get_scores(words)
        return ScoredSearch(self._documents.best(scores))

    @cached_property
    def _index(self) -> "bm25s.BM25 | None":
        import bm25s  # compiles parts of itself as it is imported

        words = self._words(self._documents.passages)
        if not any(words):
            return None
        index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
        index.index(words, show_progress=False)
        return index

    def _words(self, texts: Sequence[str]) -> list[list[str]]:
        import bm25s

        found: list[list[str]] = bm25s.tokenize(
            list(texts), stopwords="en", stemmer=self._stemmer, return_ids=False, show_progress=False
        )
        return found

    @cached_property
    def _stemmer(self) -> Stemmer.Stemmer:
        return Stemmer.Stemmer("english")


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
        passages = self._documents.passages
        with progress(f"{self._name}  encoding documents", len(passages)) as advance:
            return self._encoder.encode_documents(passages, advance)


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
        return _best_first(candidates, np.round(scores, 12))


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
        reordered = _best_first(head, self._scores(query, head))
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


def _best_first(candidates: Papers, scores: Scores) -> Ranked:
    """Candidates, given in ascending order, by score; ties keep their order."""
    order = np.argsort(-scores, kind="stable")
    return Ranked(candidates[order], scores[order])
