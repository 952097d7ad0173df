"""The vectors of a published store: one Arrow file, written batch by batch, searched exactly where it lies.

The file is mapped into memory, so that processes share it and only what is searched is read. The vectors of a
paper stand one after the other.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from aimsciqa_resources.disk import taking_the_place_of

Vectors = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

_NAMES: Final = ("pdf_id", "page_number", "table_name", "column_name", "primary_key")
_ENCODER: Final = b"encoder"
_ROWS_AT_ONCE: Final = 32_768
_QUERIES_AT_ONCE: Final = 256
_FEW: Final = 8
_SLACK: Final = 1e-5
"""By how much a cosine of single precision is wrong, at the very most."""
_DECIMALS: Final = 6
_READ_ONLY: Final = 0o444


class VectorsError(ValueError):
    """A file of vectors cannot be written or read; the message says what to do."""


class Cell(NamedTuple):
    """A cell of the paper store; `page_number` is -1 where it has none. `score` is the cosine."""

    pdf_id: str
    page_number: int
    table: str
    column: str
    primary_key: str
    score: float


class Part(NamedTuple):
    """Rows `start` to `end` of a batch of the file."""

    batch: int
    start: int
    end: int


@contextmanager
def new_vectors(target: Path, dimension: int, encoder: Sequence[str]) -> Iterator["VectorsWriter"]:
    """A writer of a new file, which takes the place of `target` at the end and is for reading only.

    `encoder` is its name and revision. After an error `target` is as it was.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    kinds = (pa.string(), pa.int32(), pa.string(), pa.string(), pa.string())
    fields = [*zip(_NAMES, kinds, strict=True), ("vector", pa.list_(pa.float32(), dimension))]
    schema = pa.schema(fields, metadata={_ENCODER: json.dumps(list(encoder))})
    with taking_the_place_of(target) as fresh:
        with pa.ipc.new_file(str(fresh), schema) as file:
            yield VectorsWriter(file, schema, dimension)
        fresh.chmod(_READ_ONLY)


class VectorsWriter:
    """Adds vectors to a new file."""

    def __init__(self, file: Any, schema: pa.Schema, dimension: int) -> None:
        self._file, self._schema, self._dimension = file, schema, dimension

    def add(self, cells: pl.DataFrame) -> None:
        """Rows with `uuid` (the paper), the names of the cell and `vector`; papers are put together."""
        ordered = cells.rename({"uuid": "pdf_id"}).sort("pdf_id", maintain_order=True)
        for some in ordered.iter_slices(_ROWS_AT_ONCE):
            vectors = some["vector"].explode().cast(pl.Float32).to_numpy()
            columns = [pa.array(some[name].to_list(), self._schema.field(name).type) for name in _NAMES]
            columns.append(pa.FixedSizeListArray.from_arrays(pa.array(vectors), self._dimension))
            self._file.write_batch(pa.RecordBatch.from_arrays(columns, schema=self._schema))


class StoredVectors:
    """A file of vectors, open for reading. It may be used from several threads at once."""

    def __init__(self, file: Path) -> None:
        """Raises `VectorsError` when the file is something else."""
        try:
            reader = pa.ipc.open_file(pa.memory_map(str(file)))
            self._batches = [reader.get_batch(at) for at in range(reader.num_record_batches)]
            name, revision = json.loads(reader.schema.metadata[_ENCODER])
            dimension = reader.schema.field("vector").type.list_size
        except (pa.ArrowInvalid, KeyError, TypeError, AttributeError) as error:
            raise VectorsError(
                f"{file} does not hold the vectors of a paper store ({error}). Delete it, and start "
                "`aimsciqa airqa store`, which publishes it again."
            ) from None
        self.encoder: tuple[str, str] = (name, revision)
        self._matrices: list[Vectors] = [
            batch.column("vector").flatten().to_numpy().reshape(-1, dimension) for batch in self._batches
        ]
        self._everything = [Part(at, 0, len(matrix)) for at, matrix in enumerate(self._matrices)]
        self._of_paper: dict[str, list[Part]] = {}
        for at, batch in enumerate(self._batches):
            runs = pc.run_end_encode(batch.column("pdf_id"))
            start = 0
            for pdf_id, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
                self._of_paper.setdefault(pdf_id, []).append(Part(at, start, end))
                start = end

    def has(self, paper: str) -> bool:
        """Whether a paper of this id has any vectors."""
        return paper in self._of_paper

    def nearest(self, queries: Vectors, limit: int, papers: Sequence[Sequence[str]]) -> list[list[Cell]]:
        """For each query, `(n, dim)` of unit length, the `limit` cells with the highest cosine.

        `papers` are the ids of the papers to search for each query; without any, all are searched. Cosines
        count to six decimals; ties are in the order of table, column and key.
        """
        alike: dict[tuple[str, ...], list[int]] = {}
        for at, ids in enumerate(papers):
            alike.setdefault(tuple(dict.fromkeys(ids)), []).append(at)
        found: dict[int, list[Cell]] = {}
        for chosen, members in alike.items():
            parts = self._parts(chosen)
            for start in range(0, len(members), _QUERIES_AT_ONCE):
                some = members[start : start + _QUERIES_AT_ONCE]
                for at, best in zip(some, self._best(queries[some], limit, parts), strict=True):
                    found[at] = self._ranked(queries[at], limit, best)
        return [found[at] for at in range(len(papers))]

    def _parts(self, papers: Sequence[str]) -> list[Part]:
        if not papers:
            return self._everything
        return [part for one in papers for part in self._of_paper.get(one, ())]

    def _best(self, queries: Vectors, limit: int, parts: Iterable[Part]) -> list["_Best"]:
        best = [_Best(limit) for _ in queries]
        for part in parts:
            for one, of_query in zip(best, _products(queries, self._rows(part)), strict=True):
                one.add(part, of_query)
        return best

    def _rows(self, part: Part) -> Vectors:
        return self._matrices[part.batch][part.start : part.end]

    def _ranked(self, query: Vectors, limit: int, best: "_Best") -> list[Cell]:
        """The cells by their cosines in double precision, which do not depend on what was asked beside."""
        cells: list[Cell] = []
        for at in np.unique(best.batches):
            rows = np.sort(best.rows[best.batches == at])
            cosines = (self._matrices[at][rows].astype(np.float64) * query).sum(axis=1)
            names = self._batches[at].select(_NAMES).take(pa.array(rows)).to_pylist()
            cells += [
                Cell(
                    name["pdf_id"],
                    name["page_number"],
                    name["table_name"],
                    name["column_name"],
                    name["primary_key"],
                    round(float(cosine), _DECIMALS),
                )
                for name, cosine in zip(names, cosines, strict=True)
            ]
        return sorted(cells, key=lambda one: (-one.score, one.table, one.column, one.primary_key))[:limit]


def _products(queries: Vectors, vectors: Vectors) -> Iterable[Vectors]:
    """The scores of all vectors, for each query."""
    if len(queries) > _FEW:
        return queries @ vectors.T
    # BLAS would share a single product out to threads, which wait for each other on a busy machine.
    return (np.vecdot(vectors, query) for query in queries)


class _Best:
    """The rows with the highest scores so far, and those so close to them that they may be among them."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._floor = -np.inf
        self.batches: Rows = np.empty(0, dtype=np.int64)
        self.rows: Rows = np.empty(0, dtype=np.int64)
        self._scores: Vectors = np.empty(0, dtype=np.float32)

    def add(self, part: Part, scores: Vectors) -> None:
        """The scores of the rows of a part."""
        new = np.flatnonzero(scores >= self._floor)
        self.batches = np.concatenate([self.batches, np.full(len(new), part.batch)])
        self.rows = np.concatenate([self.rows, new + part.start])
        self._scores = np.concatenate([self._scores, scores[new]])
        if len(self._scores) > self._limit:
            place = len(self._scores) - self._limit
            self._floor = float(np.partition(self._scores, place)[place]) - _SLACK
            kept = self._scores >= self._floor
            self.batches, self.rows, self._scores = self.batches[kept], self.rows[kept], self._scores[kept]
