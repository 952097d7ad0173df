"""Paper batches: the partitions of every asset that works paper by paper.

A batch is a set of input files, named `batch-0001` and so on in the order of ingestion. A file stays in its
batch for ever. The batches of one ingest see each other; batches of later ingests do not disturb them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import dagster as dg
import polars as pl

PAPER_BATCHES = dg.DynamicPartitionsDefinition(name="paper_batch")


class NoPapersError(ValueError):
    """There is nothing to run; the message says what to do."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file in the store that was not ingested before. `paper_id` is None when it holds no paper."""

    file_id: str
    file_name: str
    size: int
    paper_id: str | None


def allocate(
    new_files: Sequence[InputFile], known: pl.DataFrame, papers_per_batch: int
) -> Iterator[dict[str, Any]]:
    """Rows of `corpus.input_files` for new files: by name, `papers_per_batch` to a batch.

    A file whose paper came before (`known`, or earlier among the new ones) is marked as its duplicate.
    """
    owner = {
        row["paper_id"]: row["file_id"]
        for row in known.iter_rows(named=True)
        if row["paper_id"] is not None and row["duplicate_of"] is None
    }
    first_batch = known["batch"].n_unique() + 1
    ingest = (known["ingest"].max() or 0) + 1  # type: ignore[operator]
    for number, file in enumerate(sorted(new_files, key=lambda file: (file.file_name, file.file_id))):
        duplicate_of = owner.get(file.paper_id) if file.paper_id else None
        if file.paper_id and duplicate_of is None:
            owner[file.paper_id] = file.file_id
        yield {
            "file_id": file.file_id,
            "file_name": file.file_name,
            "bytes": file.size,
            "batch": f"batch-{first_batch + number // papers_per_batch:04d}",
            "ingest": ingest,
            "paper_id": file.paper_id,
            "duplicate_of": duplicate_of,
        }


def batches_needed_by(batch: str, input_files: pl.DataFrame) -> frozenset[str]:
    """The batches that `batch` must have looked at to be finished: those ingested with it or before."""
    own = input_files.filter(pl.col("batch") == batch)["ingest"]
    if own.is_empty():
        return frozenset()
    return frozenset(input_files.filter(pl.col("ingest") <= own[0])["batch"].unique().to_list())
