"""Reads a published paper store: the cells nearest to a vector, exactly, and their texts.

DuckDB reads the files as it needs them, within bounded memory. The vectors of a paper stand one after the
other, so that a search in a few papers reads little.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

import duckdb
import numpy as np
import numpy.typing as npt

from aimsciqa_resources.warehouse.errors import WarehouseBrokenError
from aimsciqa_resources.warehouse.opening import Config, quoted

Vectors = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
Span = tuple[int, int]
"""First and last row of the file of vectors."""

_MEMORY: Final = "1GB"
_FEW: Final = 4
"""So many queries of the whole store are asked one by one; more are multiplied with all vectors at once."""
_AT_ONCE: Final = 256
_ROWS_AT_ONCE: Final = 32_768
_SLACK: Final = 1e-5
"""How much the scores of the two ways may differ, by far."""
_MOST_SPANS: Final = 500
_DECIMALS: Final = 6


class Cell(NamedTuple):
    """A cell of the paper store; `page_number` is -1 where it has none. `score` is the cosine."""

    pdf_id: str
    page_number: int
    table: str
    column: str
    primary_key: str
    score: float


class PaperSearch:
    """A paper store and its vectors, open for reading. It may be used from several threads at once."""

    def __init__(self, papers: Path, vectors: Path) -> None:
        """Raises `WarehouseBrokenError` when a file is no such database."""
        config: Config = {
            "memory_limit": _MEMORY,
            "temp_directory": "",
            "preserve_insertion_order": False,
            "python_enable_replacements": False,
        }
        self._connection = duckdb.connect(config=config)
        try:
            # DuckDB 2.0 fails at conditions on rowid with it.
            self._connection.execute("set disabled_optimizers = 'late_materialization'")
            self._connection.execute(f"attach '{quoted(str(papers))}' as papers (read_only)")
            self._connection.execute(f"attach '{quoted(str(vectors))}' as vectors (read_only)")
            self.encoders: list[tuple[str, str]] = self._connection.execute(
                "select encoder, encoder_revision from vectors.encoders order by all"
            ).fetchall()
            self._spans: dict[str, Span] = {
                pdf_id: (first, last)
                for pdf_id, first, last in self._connection.execute(
                    "select pdf_id::varchar, min(rowid), max(rowid) from vectors.vectors group by pdf_id"
                ).fetchall()
            }
            (kind,) = self._connection.execute(
                "select column_type from (describe vectors.vectors) where column_name = 'vector'"
            ).fetchall()[0]
        except duckdb.Error as error:
            self._connection.close()
            raise WarehouseBrokenError(
                f"{papers} and {vectors.name} are not a paper store that can be searched ({error}). Delete "
                "both, and start `aimsciqa run`: it publishes them again."
            ) from None
        self._type = kind

    def close(self) -> None:
        """Close the files."""
        self._connection.close()

    def nearest(self, queries: Vectors, limit: int, papers: Sequence[Sequence[str]]) -> list[list[Cell]]:
        """For each query, `(n, dim)` of unit length, the `limit` cells with the highest cosine.

        `papers` are the ids of the papers to search for each query; without any, all are searched. Cosines
        count to six decimals; ties are in the order of table, column and key.
        """
        found: dict[int, list[Cell]] = {}
        everywhere = [at for at, ids in enumerate(papers) if not ids]
        with self._connection.cursor() as cursor:
            for at, ids in enumerate(papers):
                if ids:
                    spans = [self._spans[one] for one in dict.fromkeys(ids) if one in self._spans]
                    found[at] = self._ranked(cursor, queries[at], limit, spans, ids) if spans else []
            if len(everywhere) <= _FEW:
                for at in everywhere:
                    found[at] = self._ranked(cursor, queries[at], limit)
            else:
                for start in range(0, len(everywhere), _AT_ONCE):
                    some = everywhere[start : start + _AT_ONCE]
                    for at, rows in zip(some, self._together(cursor, queries[some], limit), strict=True):
                        spans = [(int(row), int(row)) for row in rows]
                        within = spans if len(spans) <= _MOST_SPANS else None
                        found[at] = self._ranked(cursor, queries[at], limit, within)
        return [found[at] for at in range(len(papers))]

    def _ranked(
        self,
        cursor: duckdb.DuckDBPyConnection,
        query: Vectors,
        limit: int,
        spans: Sequence[Span] | None = None,
        papers: Sequence[str] | None = None,
    ) -> list[Cell]:
        within = " or ".join(f"rowid between {first} and {last}" for first, last in spans or ()) or "true"
        rows = cursor.execute(
            "select pdf_id::varchar, page_number, table_name, column_name, primary_key::varchar, "
            f"round(array_inner_product(vector, $query::{self._type})::double, {_DECIMALS}) as score "
            f"from vectors.vectors where ({within}) and ($papers is null or pdf_id::varchar in $papers) "
            "order by score desc, table_name, column_name, primary_key limit $limit",
            {"query": query.tolist(), "papers": list(papers) if papers else None, "limit": limit},
        ).fetchall()
        return [Cell(*row) for row in rows]

    def _together(self, cursor: duckdb.DuckDBPyConnection, queries: Vectors, limit: int) -> list[Rows]:
        """The rows that may be among the first `limit` of each query: a few more than that."""
        best = [_Best(limit) for _ in queries]
        stored = cursor.sql("select rowid, vector from vectors.vectors").to_arrow_reader(_ROWS_AT_ONCE)
        for batch in stored:
            rows = batch.column(0).to_numpy()
            vectors = batch.column(1).values.to_numpy().reshape(len(rows), -1)
            for one, scores in zip(best, queries @ vectors.T, strict=True):
                one.add(rows, scores)
        return [one.rows for one in best]

    def texts(self, cells: Iterable[Cell], keys: Mapping[str, str]) -> dict[tuple[str, str, str], str]:
        """The texts of cells by table, column and key; `keys` are the columns that identify the rows."""
        found: dict[tuple[str, str, str], str] = {}
        wanted = sorted({(cell.table, cell.column, cell.primary_key) for cell in cells})
        with self._connection.cursor() as cursor:
            for (table, column), some in groupby(wanted, key=lambda one: one[:2]):
                key = keys[table]
                rows = cursor.execute(
                    f'select "{key}"::varchar, "{column}" from papers."{table}" '
                    f'where "{key}" in (select unnest($keys)::uuid)',
                    {"keys": [one[2] for one in some]},
                ).fetchall()
                found |= {(table, column, primary_key): text for primary_key, text in rows}
        return found


class _Best:
    """The rows with the highest scores so far, and those so close to them that they may be among them."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._floor = -np.inf
        self.rows: Rows = np.empty(0, dtype=np.int64)
        self._scores: Vectors = np.empty(0, dtype=np.float32)

    def add(self, rows: Rows, scores: Vectors) -> None:
        """Rows with their scores."""
        new = np.flatnonzero(scores >= self._floor)
        self.rows = np.concatenate([self.rows, rows[new]])
        self._scores = np.concatenate([self._scores, scores[new]])
        if len(self._scores) > self._limit:
            place = len(self._scores) - self._limit
            self._floor = float(np.partition(self._scores, place)[place]) - _SLACK
            kept = self._scores >= self._floor
            self.rows, self._scores = self.rows[kept], self._scores[kept]
