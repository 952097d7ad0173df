"""Retrieve by words: BM25 over the cells of the paper store, alone or fused with the search by vectors.

The index is made of the store when the search is opened, and kept in memory with the texts.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from aimsciqa_resources.warehouse.store_cells import StoreCells

from aimsciqa.bm25 import Bm25Retriever, Ranked, ScoredSearch
from aimsciqa.documents import Documents
from aimsciqa_assets.airqa.store.schema import TABLES, Table
from aimsciqa_assets.airqa.store.searching import Found, StoreSearch, refuse_missing
from aimsciqa_assets.retrieval.fusion import fused, hits_to_ask_for
from aimsciqa_assets.retrieval.retrievers import RRF_K

_TITLE: Final = ("metadata", "title")
_PAGE: Final = "ref_page_id"
_PAPER: Final = "ref_paper_id"
_DECIMALS: Final = 6
_SCORES_AT_ONCE: Final = 2**23
"""How many scores are in memory."""


class StoreWords:
    """Searches a published store by words. It may be used from several threads at once."""

    def __init__(self, papers: Path) -> None:
        """Read the store. Raises `StoreSearchError`, `WarehouseBrokenError`."""
        refuse_missing(papers)
        store = StoreCells(papers)
        try:
            cells = [cell for table in TABLES for cell in _cells(table, store)]
        finally:
            store.close()
        titles = {cell.pdf_id: cell.text for cell in cells if (cell.table, cell.column) == _TITLE}
        # By these names ties are in the order of table, column and key.
        named = {_name(cell): replace(cell, title=titles.get(cell.pdf_id, "")) for cell in cells}
        documents = Documents.of({name: [cell.text] for name, cell in named.items()})
        self._cells = [named[name] for name in documents.papers]
        self._bm25 = Bm25Retriever(documents)
        self._one_at_a_time = threading.Lock()
        places: dict[str, list[int]] = {}
        for place, cell in enumerate(self._cells):
            places.setdefault(cell.pdf_id, []).append(place)
        self._of_paper = {paper: np.array(some) for paper, some in places.items()}

    def unknown(self, papers: Sequence[str]) -> list[str]:
        """Those of some ids that no paper with texts has, each once."""
        return [paper for paper in dict.fromkeys(papers) if paper not in self._of_paper]

    def search(
        self, queries: Sequence[str], limit: int, papers: Sequence[Sequence[str]] | None = None
    ) -> list[list[Found]]:
        """For each query, the `limit` cells that BM25 scores highest; what shares no word is not found.

        `papers` has the ids of the papers to search for each query; where it is empty, the whole store is
        searched.
        """
        filters = [()] * len(queries) if papers is None else papers
        if limit < 1 or not self._cells:
            return [[] for _ in queries]
        at_once = max(1, _SCORES_AT_ONCE // len(self._cells))
        found: list[list[Found]] = []
        for start in range(0, len(queries), at_once):
            with self._one_at_a_time:
                scored = self._bm25.search(queries[start : start + at_once])
            for row, chosen in enumerate(filters[start : start + at_once]):
                found.append(self._found(self._ranked(scored, row, limit, chosen), limit))
        return found

    def _ranked(self, scored: ScoredSearch, row: int, limit: int, papers: Sequence[str]) -> Ranked:
        if not papers:
            return scored.first(row, limit)
        none: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)
        places = [self._of_paper.get(paper, none) for paper in dict.fromkeys(papers)]
        return scored.ranked(row, np.sort(np.concatenate(places)))

    def _found(self, ranked: Ranked, limit: int) -> list[Found]:
        best = zip(ranked.papers[:limit].tolist(), ranked.scores[:limit].tolist(), strict=True)
        return [replace(self._cells[at], score=round(score, _DECIMALS)) for at, score in best if score > 0]


class FusedSearch:
    """Searches by vectors and by words: reciprocal-rank fusion, with 1 for what is first in both."""

    def __init__(self, vectors: StoreSearch, words: StoreWords) -> None:
        self._parts = (vectors, words)

    def unknown(self, papers: Sequence[str]) -> list[str]:
        """Those of some ids that neither search knows, each once."""
        vectors, words = self._parts
        return words.unknown(vectors.unknown(papers))

    def search(
        self, queries: Sequence[str], limit: int, papers: Sequence[Sequence[str]] | None = None
    ) -> list[list[Found]]:
        """For each query, the `limit` cells that come first; `papers` as for either search."""
        each = hits_to_ask_for("rrf", limit, len(self._parts))
        found = [part.search(queries, each, papers) for part in self._parts]
        return [_fused(rankings, limit) for rankings in zip(*found, strict=True)]


def _fused(rankings: Sequence[Sequence[Found]], limit: int) -> list[Found]:
    by_name = {_name(one): one for ranking in rankings for one in ranking}
    named = [[(_name(one), one.score) for one in ranking] for ranking in rankings]
    scale = RRF_K / len(rankings)
    return [
        replace(by_name[name], score=round(score * scale, _DECIMALS))
        for name, score in fused("rrf", named, limit)
    ]


def _name(cell: Found) -> str:
    return f"{cell.table} {cell.column} {cell.primary_key}"


def _cells(table: Table, store: StoreCells) -> Iterator[Found]:
    """Every text of a table that Retrieve may find, without score and title."""
    names = table.column_names
    paper = _PAPER if _PAPER in names else table.key
    page = next((name for name in ("page_number", _PAGE) if name in names), "")
    for column in table.columns:
        if column.encodable == "text":
            for key, pdf_id, number, text in store.every(table.name, column.name, table.key, paper, page):
                yield Found(pdf_id, number, table.name, column.name, key, text, 0.0)
