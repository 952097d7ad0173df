"""Retrieve: the cells of the paper store whose texts are nearest to a query.

The search is exact. The papers to search travel with the call, so that one search serves any number of
examples at once.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from aimsciqa_resources.encoder import Vectors
from aimsciqa_resources.warehouse.store_cells import StoreCells

from aimsciqa_assets.airqa.store.publishing import papers_file, vectors_file
from aimsciqa_assets.airqa.store.schema import TABLES
from aimsciqa_assets.airqa.store.vectors import StoredVectors

_KEYS: Final = {one.name: one.key for one in TABLES}
_TITLE: Final = ("metadata", "title")


class QueryEncoder(Protocol):
    """What a search needs of an encoder."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def revision(self) -> str:
        """Its version."""

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """`(n_texts, dim)` float32, rows of unit length."""


class StoreSearchError(RuntimeError):
    """The paper store cannot be searched as it is; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Found:
    """A cell that was found, with its text and its paper's title. `score` is that of the search, to six
    decimals: for vectors the cosine.

    `page_number` is -1 for what stands on no page of its own (title, abstract, sections).
    """

    pdf_id: str
    page_number: int
    table: str
    column: str
    primary_key: str
    text: str
    score: float
    title: str = ""


def refuse_missing(papers: Path) -> None:
    """Raise `StoreSearchError` where there is no paper store."""
    if not papers.is_file():
        raise StoreSearchError(
            f"There is no paper store at {papers}. `aimsciqa airqa store FOLDER` makes it of the PDF and "
            "JATS files in a folder."
        )


class StoreSearch:
    """Searches a published store by its vectors. It may be used from several threads at once."""

    def __init__(self, papers: Path, vectors: Path, encoder: QueryEncoder) -> None:
        """Open the store. Raises `StoreSearchError`, `VectorsError`, `WarehouseBrokenError`."""
        refuse_missing(papers)
        if not vectors.is_file():
            raise StoreSearchError(
                f"The paper store has no vectors: {vectors} is not there. Set AIMSCIQA_AIRQA_VECTORS=true, "
                "and start `aimsciqa airqa store`."
            )
        self._vectors = StoredVectors(vectors)
        here = (encoder.name, encoder.revision)
        if self._vectors.encoder != here:
            raise StoreSearchError(
                f"The vectors of the paper store are those of {_named(self._vectors.encoder)}, and queries "
                f"would be encoded by {_named(here)}. Set AIMSCIQA_ENCODER_MODEL and "
                "AIMSCIQA_ENCODER_REVISION to those of the store, or start `aimsciqa airqa store`, which "
                "encodes it anew."
            )
        self._texts = StoreCells(papers)
        self._encoder = encoder
        self._encoding = threading.Lock()

    @classmethod
    def of_home(cls, home: Path, encoder: QueryEncoder) -> "StoreSearch":
        """The search of the store that a home has published. Raises `StoreSearchError`."""
        return cls(papers_file(home), vectors_file(home), encoder)

    def close(self) -> None:
        """Close the store."""
        self._texts.close()

    def unknown(self, papers: Sequence[str]) -> list[str]:
        """Those of some ids that no paper with vectors has, each once."""
        return [paper for paper in dict.fromkeys(papers) if not self._vectors.has(paper)]

    def search(
        self, queries: Sequence[str], limit: int, papers: Sequence[Sequence[str]] | None = None
    ) -> list[list[Found]]:
        """For each query, the `limit` cells whose texts are nearest to it, the nearest first.

        `papers` has the ids of the papers to search for each query; where it is empty, the whole store is
        searched. A paper that the store lacks has no cells. Ties are in the order of table, column and key.
        """
        filters = [()] * len(queries) if papers is None else papers
        if len(filters) != len(queries):
            raise ValueError(f"{len(queries)} queries, but papers for {len(filters)} of them")
        if limit < 1 or not queries:
            return [[] for _ in queries]
        with self._encoding:  # a tokenizer serves one at a time
            vectors = self._encoder.encode_queries(queries)
        nearest = self._vectors.nearest(vectors, limit, filters)
        every = [cell for cells in nearest for cell in cells]
        wanted = [(cell.table, cell.column, cell.primary_key) for cell in every]
        texts = self._texts.texts(wanted + [(*_TITLE, cell.pdf_id) for cell in every], _KEYS)
        try:
            return [
                [
                    Found(
                        cell.pdf_id,
                        cell.page_number,
                        cell.table,
                        cell.column,
                        cell.primary_key,
                        texts[cell.table, cell.column, cell.primary_key],
                        cell.score,
                        texts.get((*_TITLE, cell.pdf_id)) or "",
                    )
                    for cell in cells
                ]
                for cells in nearest
            ]
        except KeyError as missing:
            raise StoreSearchError(
                f"The vectors and the paper store were published at different times: {missing} is not in the "
                "store. Start `aimsciqa airqa store`, which publishes both."
            ) from None


def _named(encoder: tuple[str, str]) -> str:
    return " ".join(filter(None, encoder))
