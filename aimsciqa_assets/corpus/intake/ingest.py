"""Taking in what has come: files of a folder and articles of PubMed Central, into the store and into paper
batches. Safe to repeat and to interrupt.
"""

import errno
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.corpus.intake.allocation import Article, InputFile, take_in
from aimsciqa_assets.corpus.intake.folder import listing_of, papers_in
from aimsciqa_assets.corpus.kept_papers import KeptPapers
from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import as_declared
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.locks import one_at_a_time
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.tables import TABLES

_DISK_ERRORS = frozenset({errno.ENOSPC, errno.EROFS, errno.EDQUOT})
_ARTICLES = (
    "select pmcid, status, version, licence, retracted, file_id, doi, pmid from corpus.pmc_articles "
    "order by pmcid"
)


@dataclass(frozen=True, slots=True)
class Ingested:
    """What an ingest found: all files and batches so far, how many are new, and which batches changed."""

    files: int
    new_files: int
    known_files: int
    batches: list[str]
    new_batches: list[str]
    changed_batches: list[str]
    unreadable: list[str]


def ingest(folder: Path | None, warehouse: Warehouse, store: FileStore, papers_per_batch: int) -> Ingested:
    """Take in the new files below `folder` (None: no folder), and what became of the articles looked at.

    A file is known by its bytes, wherever it lies. Two ingests at once wait for each other, so that a paper
    is never taken in twice. A file or folder that cannot be read is named in the result, and the others go
    in. Raises `NothingToIngestError`.
    """
    home = Home(Path(warehouse.database).parent)
    papers = KeptPapers.of_ingest(home)
    with one_at_a_time(Path(f"{warehouse.database}.ingest.lock")):
        create_tables(warehouse)
        known = as_declared(
            INPUT_FILES,
            warehouse.read("select * from corpus.input_files order by batch, file_name, file_id"),
        )
        found, unreadable = _store(folder, store) if folder else ({}, [])
        known_ids = set(known["file_id"])
        new = _identified({i: name for i, name in found.items() if i not in known_ids}, store, papers)
        rows = take_in(known, new, _articles(warehouse, store), papers_per_batch)
        changed = _changed_batches(known, rows)
        if changed:
            # First: once the batches are known, their step may begin.
            papers.hand_over(home, dict(rows.select("file_id", "batch").iter_rows()))
            _write(warehouse, rows, changed)
        shutil.rmtree(papers.folder, ignore_errors=True)
    new_batches = sorted(set(rows["batch"]) - set(known["batch"]))
    return Ingested(
        files=rows.height,
        new_files=rows.height - known.height,
        known_files=len(found) - len(new),
        batches=sorted(rows["batch"].unique()),
        new_batches=new_batches,
        changed_batches=[batch for batch in changed if batch not in new_batches],
        unreadable=unreadable,
    )


def _store(folder: Path, store: FileStore) -> tuple[dict[str, str], list[str]]:
    """Put the files of a folder into the store.

    Returns names by file id (of equal files the first), and which files and folders could not be read, with
    the reason.
    """
    names: dict[str, str] = {}
    listing = listing_of(folder)
    unreadable = listing.unreadable
    with progress("taking in files", len(listing.files)) as advance:
        for path, name in listing.files:
            try:
                names.setdefault(store.put(path), name)
            except OSError as error:
                if error.errno in _DISK_ERRORS:
                    raise
                unreadable.append(f"{name}: {error.strerror}")
            advance(1)
    return names, unreadable


def _identified(names: dict[str, str], store: FileStore, papers: KeptPapers) -> list[InputFile]:
    """Look into each new file for the paper that it holds."""
    files = []
    with progress("looking for known papers", len(names)) as advance:
        found = papers_in(names, store.get, papers)
        for (file_id, name), paper in zip(names.items(), found, strict=True):
            files.append(InputFile(file_id, name, store.size(file_id), paper))
            advance(1)
    return files


def _articles(warehouse: Warehouse, store: FileStore) -> Iterator[Article]:
    for row in warehouse.read(_ARTICLES).iter_rows(named=True):
        file_id = row["file_id"] or ""
        size = store.size(file_id) if row["status"] == "in" else 0
        yield Article(**row | {"file_id": file_id, "size": size})


def _changed_batches(known: pl.DataFrame, rows: pl.DataFrame) -> list[str]:
    """The batches of which a file is new, or something is now said of a file that was not before."""
    changed = rows.join(known, on=rows.columns, how="anti", nulls_equal=True)
    return sorted(changed["batch"].unique())


def _write(warehouse: Warehouse, rows: pl.DataFrame, batches: list[str]) -> None:
    """Write all input files, and per changed batch a record of its files and what is said of them."""
    writes = [Write(INPUT_FILES, TABLES[INPUT_FILES].ddl(), rows, {})]
    for batch in batches:
        own = rows.filter(pl.col("batch") == batch).sort("file_id")
        fingerprint = digest({"files": own.drop("ingest").rows()})
        writes.append(
            record_write(Record(INPUT_FILES, batch, fingerprint, fingerprint, "", frozenset(), own.height))
        )
    warehouse.replace(writes)
