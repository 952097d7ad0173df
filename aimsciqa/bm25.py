"""BM25, and rankings by scores: the baseline of every release, and a part of the platform's retrievers.

Scores depend on query and paper only. Ties are broken by paper id.
"""

import importlib
import logging
import sys
from collections.abc import Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from aimsciqa.documents import Documents

if TYPE_CHECKING:
    import bm25s
    import Stemmer

Scores = npt.NDArray[np.float64]
Papers = npt.NDArray[np.int64]
"""Places of papers in `Documents`, which is their order by id."""


class Ranked(NamedTuple):
    """Papers, the best first, and their scores; NaN for a paper without a score."""

    papers: Papers
    scores: Scores


class ScoredSearch:
    """Ranks by scores, `(n_queries, n_papers)`."""

    def __init__(self, scores: Scores) -> None:
        self._scores = scores

    def ranked(self, query: int, candidates: Papers) -> Ranked:
        """The candidates by score."""
        return best_first(candidates, self._scores[query, candidates])

    def first(self, query: int, count: int) -> Ranked:
        """The first `count` of all papers by score."""
        return first_of(self._scores[query], count)


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
        module = _bm25s()
        # It asks for its own debug messages, which would stand among those of a run.
        logging.getLogger("bm25s").setLevel(logging.WARNING)
        words = self._words(self._documents.passages)
        if not any(words):
            return None
        index: bm25s.BM25 = module.BM25(k1=1.5, b=0.75, method="lucene")
        index.index(words, show_progress=False)
        return index

    def _words(self, texts: Sequence[str]) -> list[list[str]]:
        found: list[list[str]] = _bm25s().tokenize(
            list(texts), stopwords="en", stemmer=self._stemmer, return_ids=False, show_progress=False
        )
        return found

    @cached_property
    def _stemmer(self) -> "Stemmer.Stemmer":
        import Stemmer

        return Stemmer.Stemmer("english")


def _bm25s() -> ModuleType:
    """bm25s without numba: the scores of this module are numpy's, and numba costs 50 MB and a second."""
    if "bm25s" in sys.modules or "numba" in sys.modules:
        return importlib.import_module("bm25s")
    modules = cast("dict[str, Any]", sys.modules)
    modules["numba"] = None
    try:
        return importlib.import_module("bm25s")
    finally:
        del modules["numba"]


def best_first(candidates: Papers, scores: Scores) -> Ranked:
    """Candidates, given in ascending order, by score; ties keep their order."""
    order = np.argsort(-scores, kind="stable")
    return Ranked(candidates[order], scores[order])


def first_of(scores: Scores, count: int) -> Ranked:
    """The places of the `count` largest scores, the largest first; ties keep their order."""
    places = np.arange(len(scores))
    if 0 < count < len(scores):
        least = np.partition(scores, len(scores) - count)[len(scores) - count]
        places = np.flatnonzero(scores >= least)
    best = best_first(places, scores[places])
    return Ranked(best.papers[:count], best.scores[:count])
