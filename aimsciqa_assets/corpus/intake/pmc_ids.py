"""Loading `PMC-ids.csv.gz`, NLM's map of DOI, PMID and PMCID: ten million rows in bounded memory."""

import csv
import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from aimsciqa_resources.warehouse import Warehouse, WriteFile, select_from_csv

from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.tables import TABLES

PMC_IDS = "corpus.pmc_ids"

_NEEDED = {"DOI", "PMID", "PMCID"}
_BLOCK = 2**20
# The normal forms of corpus/identifiers.py, for columns that hold an id and nothing else.
_SELECT = """
select
    PMCID as pmcid,
    nullif(
        rtrim(regexp_replace(lower(trim(DOI)), '^(https?://(dx[.])?doi[.]org/|doi: *)', ''), '.,;:/?!'), ''
    ) as doi,
    nullif(ltrim(PMID, '0 '), '') as pmid
from lines
where regexp_full_match(PMCID, 'PMC[1-9][0-9]*')
"""


class IdMapError(ValueError):
    """A file that is not NLM's map of ids, or not whole."""


@dataclass(frozen=True, slots=True)
class LoadedIds:
    """What a map holds, and the numbers of lines that could not be read."""

    articles: int
    with_doi: int
    with_pmid: int
    bad_lines: list[int]


def load_pmc_ids(file: Path, warehouse: Warehouse) -> LoadedIds:
    """Replace the table `corpus.pmc_ids` by what the file says, in one step.

    The file is read beside the warehouse, which is locked only while the rows are put in. Raises
    `IdMapError`, and leaves the table as it is then.
    """
    columns, content = _checked(file)
    create_tables(warehouse)
    with TemporaryDirectory(prefix="warehouse.duckdb.", dir=warehouse.home) as folder:
        parquet = Path(folder) / "pmc_ids.parquet"
        with progress("reading the id map", 1) as advance:
            bad_lines = select_from_csv(file, columns, _SELECT, parquet)
            advance(1)
        held = pl.scan_parquet(parquet).select(pl.all().count()).collect().row(0, named=True)
        loaded = LoadedIds(held["pmcid"], held["doi"], held["pmid"], bad_lines)
        if not loaded.articles:
            raise IdMapError(f"{file} has no line with a PMCID that can be read.")
        fingerprint = digest({"content": content, "select": _SELECT})
        record = Record(PMC_IDS, "", fingerprint, fingerprint, "", frozenset(), loaded.articles)
        with progress("replacing corpus.pmc_ids", 1) as advance:
            warehouse.replace([WriteFile(PMC_IDS, TABLES[PMC_IDS].ddl(), parquet), record_write(record)])
            advance(1)
    return loaded


def _checked(file: Path) -> tuple[list[str], str]:
    """The columns of the file and the hash of its content, after a look at all of it.

    Raises `IdMapError` for a file that is cut or damaged, which DuckDB 1.5 takes for a shorter one.
    """
    blocks = _blocks(file)
    first = next(blocks, b"")
    columns = next(csv.reader([first.partition(b"\n")[0].decode("utf-8-sig", "replace").strip()]), [])
    if missing := _NEEDED - set(columns):
        raise IdMapError(
            f"{file} is empty."
            if not first
            else f"{file} is not PMC-ids.csv.gz: its first line names no {', '.join(sorted(missing))}."
        )
    content = sha256(first)
    with progress("checking the lines of the id map") as advance:
        advance(first.count(b"\n"))
        for block in blocks:
            content.update(block)
            advance(block.count(b"\n"))
    return columns, content.hexdigest()


def _blocks(file: Path) -> Iterator[bytes]:
    try:
        with gzip.open(file) as unpacked:
            while block := unpacked.read(_BLOCK):
                yield block
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise IdMapError(f"{file} is no whole gzip file ({error}). Download it again.") from error
