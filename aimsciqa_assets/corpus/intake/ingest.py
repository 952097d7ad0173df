"""Taking in what has come: files of a folder, documents in files, and articles of PubMed Central, into the
store and into paper batches. Safe to repeat and to interrupt.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl
from aimsciqa_resources.disk import new_file
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.spreadsheets import as_text
from aimsciqa_resources.warehouse import Warehouse, Write, WriteFile

from aimsciqa_assets.corpus.intake.allocation import Article, InputFile, Numbers, take_in
from aimsciqa_assets.corpus.intake.document_rows import DocumentRows, document_rows
from aimsciqa_assets.corpus.intake.documents import ListedLines, list_lines
from aimsciqa_assets.corpus.intake.folder import (
    DISK_ERRORS,
    Listing,
    listing_of,
    papers_in,
)
from aimsciqa_assets.corpus.kept_papers import KeptPapers
from aimsciqa_assets.corpus.rows import paper_keys
from aimsciqa_assets.platform.batches import BATCHES, INPUT_FILES
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.reading.paper import Paper, RejectedFileError
from aimsciqa_assets.settings.sections import DOCUMENT_BYTES
from aimsciqa_assets.tables import TABLES

_ARTICLES = (
    "select pmcid, status, version, licence, retracted, file_id, doi, pmid from corpus.pmc_articles "
    "order by pmcid"
)
_WITHOUT_KEYS = """
select papers.*
from corpus.papers
semi join corpus.input_files as files on papers.content_hash = files.file_id
    and files.keys is null and files.given_id is null and files.shard is null
"""
_ABOUT_FILES = ("ingest", "source", "keys")
"""Columns that say nothing about what is read in a file."""

_Reading = dict[str, Any] | RejectedFileError

_READING: Mapping[str, Any] = {
    **dict.fromkeys(("file", "paper_id", "source", "title", "abstract"), pl.String),
    **dict.fromkeys(("sections", "paragraphs", "references"), pl.Int32),
    **{"licence": pl.String, "year": pl.Int32, "doi": pl.String, "warnings": pl.String},
    "not_used": pl.String,
}
"""The columns of the reading report."""


@dataclass(frozen=True, slots=True)
class Ingested:
    """What an ingest found: all files and batches so far, how many are new, and which batches changed.

    `files` counts every document as one. `documents` is None where no file of documents was given;
    `no_documents` are the first lines that hold none, with the reasons. `readings` say what was read in the
    files that are new; they are in `reading_report` too.
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
    readings: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=_READING))
    reading_report: Path | None = None


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
    result, and the others go in. `licence` is that of files and documents of the folder that name none; files
    that are known get it, too. No document may have more than `most_bytes`. Raises `NothingToIngestError`.
    """
    home = Home(warehouse.home)
    papers = KeptPapers.of_ingest(home)
    lists = home.unfinished_part(INPUT_FILES, "documents")
    with warehouse.one_at_a_time("ingest"):
        create_tables(warehouse)
        shutil.rmtree(lists, ignore_errors=True)
        batches = batches_in(warehouse)
        known = _known(warehouse)
        listing = listing_of(folder) if folder else Listing()
        found = _store(listing, store)
        known_ids = set(known["file_id"])
        articles = list(_articles(warehouse, store))
        unread = [file for file in _described(found, articles, licence) if file["file_id"] not in known_ids]
        readings = _readings(unread, store, papers)
        new = [
            _input_file(file_id, name, readings[file_id], store, licence)
            for file_id, name in found.items()
            if file_id in readings
        ]
        articles = [_with_keys(article, readings.get(article.file_id)) for article in articles]
        numbers = next_numbers(warehouse, len(batches))
        rows = take_in(_stated(known, found, licence), new, articles, papers_per_batch, numbers)
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
        report = _report(known, rows, readings)
        report_file = _write_report(report, home.reading_report)
    return Ingested(
        files=files,
        new_files=rows.height - known.height,
        known_files=len(found.keys() & known_ids),
        batches=now,
        new_batches=sorted(set(now) - set(batches)),
        changed_batches=sorted(set(changed) & set(batches)),
        unreadable=listing.unreadable + lines.unreadable,
        documents=documents if listing.documents else None,
        no_documents=lines.no_documents,
        readings=report,
        reading_report=report_file,
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


def _known(warehouse: Warehouse) -> pl.DataFrame:
    """The known files but for documents; those of an earlier version get their keys from their papers."""
    query = "select * from corpus.input_files where shard is null order by batch, file_name, file_id"
    known = as_declared(INPUT_FILES, warehouse.read(query))
    papers = {row["content_hash"]: row for row in warehouse.read(_WITHOUT_KEYS).iter_rows(named=True)}
    if not papers:
        return known
    names = ("source", "title", "first_author", "year", "pmcid", "doi", "pmid")
    rows = []
    for row in known.iter_rows(named=True):
        if paper := papers.get(row["file_id"]):
            keys = paper_keys(Paper(**{name: paper[name] for name in names}))
            row |= {"source": paper["source"], "keys": sorted(keys) or None}
        rows.append(row)
    return frame_of(INPUT_FILES, rows)


def _stated(known: pl.DataFrame, found: Mapping[str, str], licence: str) -> pl.DataFrame:
    """The known files, those that were found with the licence that is stated for them now."""
    if not licence:
        return known
    own = pl.col("file_id").is_in(list(found)) & pl.col("pmcid").is_null()
    return known.with_columns(licence=pl.when(own).then(pl.lit(licence)).otherwise("licence"))


def _described(
    found: Mapping[str, str], articles: Sequence[Article], licence: str
) -> Iterator[dict[str, Any]]:
    """The files of the articles that are in, and the others that were found, with what is known of them."""
    served = {article.file_id: article for article in articles if article.status == "in"}
    for file_id, article in served.items():
        yield {
            "file_id": file_id,
            "file_name": article.file_name,
            "pmcid": article.pmcid,
            "licence": article.licence,
            "retracted": article.retracted,
        }
    for file_id, name in found.items():
        if file_id not in served:
            yield {"file_id": file_id, "file_name": name, "licence": licence}


def _readings(
    files: Sequence[Mapping[str, Any]], store: FileStore, papers: KeptPapers
) -> dict[str, _Reading]:
    """The readings of new files, by file id."""
    readings: dict[str, _Reading] = {}
    if not files:
        return readings
    with progress("looking for known papers", len(files)) as advance:
        for file, reading in zip(files, papers_in(files, store.get, papers), strict=True):
            readings[file["file_id"]] = reading
            advance(1)
    return readings


def _input_file(file_id: str, name: str, reading: _Reading, store: FileStore, licence: str) -> InputFile:
    file = InputFile(file_id, name, store.size(file_id), None, licence=licence or None)
    if isinstance(reading, RejectedFileError):
        return file
    source, keys = reading["reading"]["source"], tuple(reading["keys"])
    return replace(file, paper_id=reading["paper_id"], source=source, keys=keys)


def _with_keys(article: Article, reading: _Reading | None) -> Article:
    return replace(article, read_keys=tuple(reading["keys"])) if isinstance(reading, dict) else article


def _report(known: pl.DataFrame, rows: pl.DataFrame, readings: Mapping[str, _Reading]) -> pl.DataFrame:
    """A row of the reading report for each file that was read, or gave its place to another one."""
    used = known.filter(pl.col("duplicate_of").is_null())["file_id"]
    replaced = pl.col("duplicate_of").is_not_null() & pl.col("file_id").is_in(used.implode())
    names = dict(rows.select("file_id", "file_name").iter_rows())
    report = []
    for row in rows.filter(replaced | pl.col("file_id").is_in(list(readings))).iter_rows(named=True):
        reading = readings.get(row["file_id"], {})
        line: dict[str, Any] = {"file": row["file_name"], "paper_id": row["paper_id"]}
        if isinstance(reading, RejectedFileError):
            line["not_used"] = str(reading)
        else:
            line |= reading.get("reading", {})
        if owner := row["duplicate_of"]:
            line["not_used"] = f"duplicate_paper: {names[owner]} is used"
        report.append(line)
    return pl.DataFrame(report, schema=_READING).sort("file")


def _write_report(report: pl.DataFrame, file: Path) -> Path | None:
    """Write the reading report, unless nothing was read."""
    if report.is_empty():
        return None
    safe = report.with_columns(pl.col(pl.String).map_elements(as_text, return_dtype=pl.String))
    with new_file(file) as write:
        write(safe.write_csv().encode())
    return file


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
    fingerprint = digest({"files": rows.sort("file_id").drop(_ABOUT_FILES).rows()})
    return record_write(Record(INPUT_FILES, batch, fingerprint, fingerprint, "", frozenset(), rows.height))
