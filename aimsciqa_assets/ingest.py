"""Taking in a folder: files into the store, new ones into paper batches. Safe to repeat and to interrupt."""

import errno
import fcntl
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.corpus.ingestion import READ_LIMIT, files_of, names_in, paper_in
from aimsciqa_assets.fingerprints import Record, digest
from aimsciqa_assets.frames import frame_of
from aimsciqa_assets.partitions import InputFile, allocate
from aimsciqa_assets.progress import progress
from aimsciqa_assets.tables import EMBEDDING_TYPE, TABLES
from aimsciqa_assets.writing import record_write

INPUT_FILES = "corpus.input_files"
_DISK_ERRORS = frozenset({errno.ENOSPC, errno.EROFS, errno.EDQUOT})


@dataclass(frozen=True, slots=True)
class Ingested:
    """What an ingest found: all files and batches so far, and how many are new."""

    files: int
    new_files: int
    known_files: int
    batches: list[str]
    new_batches: list[str]
    unreadable: list[str]


def ingest_folder(
    folder: Path | None, warehouse: Warehouse, store: FileStore, papers_per_batch: int
) -> Ingested:
    """Take in the new files below `folder`; with None only tell what is there.

    A file is known by its bytes, wherever it lies. Two ingests at once wait for each other, so that a paper
    is never taken in twice. A file that cannot be read is named in the result, and the others go in. Raises
    `NothingToIngestError`.
    """
    lock_path = Path(f"{warehouse.database}.ingest.lock")
    lock_path.parent.mkdir(parents=True, exist_ok=True)
    with lock_path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        create_tables(warehouse)
        known = warehouse.read("select * from corpus.input_files")
        found, unreadable = _store(folder, store) if folder else ({}, [])
        known_ids = set(known["file_id"])
        new = _identified({i: name for i, name in found.items() if i not in known_ids}, store)
        rows = frame_of(INPUT_FILES, list(allocate(new, known, papers_per_batch)))
        if rows.height:
            _write(warehouse, pl.concat([known, rows]), sorted(rows["batch"].unique()))
    batches = sorted({*known["batch"], *rows["batch"]})
    return Ingested(
        files=known.height + rows.height,
        new_files=rows.height,
        known_files=len(found) - rows.height,
        batches=batches,
        new_batches=sorted(rows["batch"].unique()),
        unreadable=unreadable,
    )


def create_tables(warehouse: Warehouse) -> None:
    """Create every table that does not need to know the encoder, so that SQL works from the first moment."""
    plain = [
        table
        for table in TABLES.values()
        if not any(column.type == EMBEDDING_TYPE for column in table.columns)
    ]
    warehouse.create({table.name: table.ddl() for table in plain})


def _store(folder: Path, store: FileStore) -> tuple[dict[str, str], list[str]]:
    """Put the files of a folder into the store.

    Returns names by file id (of equal files the first), and which files could not be read, with the reason.
    """
    names: dict[str, str] = {}
    unreadable: list[str] = []
    files = files_of(folder)
    with progress("taking in files", len(files)) as advance:
        for path, name in names_in(folder, files):
            try:
                names.setdefault(store.put(path), name)
            except OSError as error:
                if error.errno in _DISK_ERRORS:
                    raise
                unreadable.append(f"{name}: {error.strerror}")
            advance(1)
    return names, unreadable


def _identified(names: dict[str, str], store: FileStore) -> list[InputFile]:
    """Look into each new file for the paper that it holds."""
    files = []
    with progress("looking for known papers", len(names)) as advance:
        for file_id, name in names.items():
            paper = paper_in(store.get(file_id, READ_LIMIT), name, file_id)
            files.append(InputFile(file_id, name, store.size(file_id), paper))
            advance(1)
    return files


def _write(warehouse: Warehouse, rows: pl.DataFrame, batches: list[str]) -> None:
    """Write all input files, and per new batch a record of which files it has."""
    writes = [Write(INPUT_FILES, TABLES[INPUT_FILES].ddl(), rows, {})]
    for batch in batches:
        own = rows.filter(pl.col("batch") == batch).sort("file_id")
        fingerprint = digest({"files": own["file_id"].to_list(), "duplicates": own["duplicate_of"].to_list()})
        writes.append(
            record_write(Record(INPUT_FILES, batch, fingerprint, fingerprint, frozenset(), own.height))
        )
    warehouse.replace(writes)
