"""Taking in what has come: files of a folder, documents in files, and articles of PubMed Central, into the
store and into paper batches. Safe to repeat and to interrupt.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.warehouse import Warehouse, Write, WriteFile

from aimsciqa_assets.corpus.intake.allocation import Article, InputFile, Numbers, take_in
from aimsciqa_assets.corpus.intake.document_rows import DocumentRows, document_rows
from aimsciqa_assets.corpus.intake.documents import ListedLines, list_lines
from aimsciqa_assets.corpus.intake.folder import (
    DISK_ERRORS,
    Listing,
    NothingToIngestError,
    listing_of,
    papers_in,
)
from aimsciqa_assets.corpus.kept_papers import KeptPapers
from aimsciqa_assets.platform.batches import BATCHES, INPUT_FILES
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import as_declared
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.settings.sections import DOCUMENT_BYTES
from aimsciqa_assets.tables import TABLES

_ARTICLES = (
    "select pmcid, status, version, licence, retracted, file_id, doi, pmid from corpus.pmc_articles "
    "order by pmcid"
)


@dataclass(frozen=True, slots=True)
class Ingested:
    """What an ingest found: all files and batches so far, how many are new, and which batches changed.

    `files` counts every document as one. `documents` is None where no file of documents was given;
    `no_documents` are the first lines that hold none, with the reasons.
    """

    files: int
    new_files: int
    known_files: int
    batches: list[str]
    new_batches: list[str]
    changed_batches: list[str]
    unreadable: list[str]
    documents: DocumentRows | None = None
    no_documents: list[str] = field(default_factory=list)


def ingest(
    folder: Path | None,
    warehouse: Warehouse,
    store: FileStore,
    papers_per_batch: int,
    *,
    licence: str = "",
    most_bytes: int = DOCUMENT_BYTES,
) -> Ingested:
    """Take in the new files below a folder (None: no folder), and what became of the articles looked at.

    A file is known by its bytes, wherever it lies, and so is a document. Two ingests at once wait for each
    other, so that a paper is never taken in twice. A file or folder that cannot be read is named in the
    result, and the others go in. `licence` is that of documents that name none themselves; no document may
    have more than `most_bytes`. Raises `NothingToIngestError`.
    """
    home = Home(warehouse.home)
    papers = KeptPapers.of_ingest(home)
    lists = home.unfinished_part(INPUT_FILES, "documents")
    with warehouse.one_at_a_time("ingest"):
        create_tables(warehouse)
        shutil.rmtree(lists, ignore_errors=True)
        batches = batches_in(warehouse)
        known = as_declared(
            INPUT_FILES,
            warehouse.read(
                "select * from corpus.input_files where shard is null order by batch, file_name, file_id"
            ),
        )
        listing = listing_of(folder) if folder else Listing()
        if licence and not listing.documents:
            raise NothingToIngestError(
                f"--licence names the licence of documents, and there is no .jsonl file in {folder}."
            )
        found = _store(listing, store)
        known_ids = set(known["file_id"])
        new = _identified({i: name for i, name in found.items() if i not in known_ids}, store, papers)
        numbers = next_numbers(warehouse, len(batches))
        rows = take_in(known, new, _articles(warehouse, store), papers_per_batch, numbers)
        changed = _changed_batches(known, rows)
        lines = (
            list_lines(listing.documents, store, lists, most_bytes) if listing.documents else ListedLines()
        )
        after = Numbers(len({*batches, *changed}) + 1, numbers.ingest)
        documents = document_rows(
            lines.parquet, warehouse, store, after, papers_per_batch=papers_per_batch, licence=licence
        )
        if changed:
            # First: once the batches are known, their step may begin.
            papers.hand_over(home, dict(rows.select("file_id", "batch").iter_rows()))
        changed += _write(warehouse, rows, changed, documents)
        for folder_of_ingest in (papers.folder, lists):
            shutil.rmtree(folder_of_ingest, ignore_errors=True)
        files = warehouse.read("select count(*) as files from corpus.input_files").item()
        now = batches_in(warehouse)
    return Ingested(
        files=files,
        new_files=rows.height - known.height,
        known_files=len(found) - len(new),
        batches=now,
        new_batches=sorted(set(now) - set(batches)),
        changed_batches=sorted(set(changed) & set(batches)),
        unreadable=listing.unreadable + lines.unreadable,
        documents=documents if listing.documents else None,
        no_documents=lines.no_documents,
    )


def batches_in(warehouse: Warehouse) -> list[str]:
    """All paper batches so far, those of review threads included."""
    return warehouse.read(f"{BATCHES} order by batch")["batch"].to_list()


def next_numbers(warehouse: Warehouse, batches: int) -> Numbers:
    last = warehouse.read("select coalesce(max(ingest), 0) as ingest from corpus.input_files").item()
    return Numbers(batches + 1, last + 1)


def _store(listing: Listing, store: FileStore) -> dict[str, str]:
    """Put the papers of a folder into the store. Returns names by file id, of equal files the first.

    What cannot be read is added to `listing.unreadable`, with the reason.
    """
    names: dict[str, str] = {}
    if not listing.files:
        return names
    with progress("taking in files", len(listing.files)) as advance:
        for path, name in listing.files:
            try:
                names.setdefault(store.put(path), name)
            except OSError as error:
                if error.errno in DISK_ERRORS:
                    raise
                listing.unreadable.append(f"{name}: {error.strerror}")
            advance(1)
    return names


def _identified(names: dict[str, str], store: FileStore, papers: KeptPapers) -> list[InputFile]:
    """Look into each new file for the paper that it holds."""
    files = list[InputFile]()
    if not names:
        return files
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


def _write(
    warehouse: Warehouse, rows: pl.DataFrame, batches: list[str], documents: DocumentRows
) -> list[str]:
    """Write the rows of all changed batches, with a record of the files of each and what is said of them.

    Returns the changed batches of documents.
    """
    by, ddl = ("file_id",), TABLES[INPUT_FILES].ddl()
    changed = rows.filter(pl.col("batch").is_in(batches))
    writes: list[Write | WriteFile] = [Write(INPUT_FILES, ddl, changed, {}, by)] if batches else []
    writes += [files_record(batch, changed.filter(pl.col("batch") == batch)) for batch in batches]
    of_documents = []
    for batch, own in documents.batches():
        of_documents.append(batch)
        writes.append(files_record(batch, own))
    if of_documents:
        writes += [WriteFile(INPUT_FILES, ddl, parquet, by) for parquet in documents.parquet]
    if writes:
        warehouse.replace(writes)
    return of_documents


def files_record(batch: str, rows: pl.DataFrame) -> Write:
    fingerprint = digest({"files": rows.sort("file_id").drop("ingest").rows()})
    return record_write(Record(INPUT_FILES, batch, fingerprint, fingerprint, "", frozenset(), rows.height))
