"""Corrections of papers by hand: title, licence, DOI and year, from CSV into `corpus.corrections`."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from aimsciqa_resources.spreadsheets import as_it_was
from aimsciqa_resources.storable import storable
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.corpus.intake.allocation import Row
from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.reading.identifiers import normalise_doi
from aimsciqa_assets.reading.licences import licence_name
from aimsciqa_assets.tables import TABLES

CORRECTIONS: Final = "corpus.corrections"

_FIELDS: Final = ("title", "licence", "doi", "year")
_COLUMNS: Final = ("paper", *_FIELDS)
_NO_LICENCE = "none"
_FIRST_YEAR = 1500
_PROBLEMS_SHOWN = 20
_NAMED = """
select * from corpus.input_files
where retired is null and (list_contains($names, paper_id) or list_contains($names, file_name))
"""
_WITH_DOI = """
select unnest(keys) as key, paper_id
from corpus.input_files
where retired is null and duplicate_of is null and given_id is null and list_has_any(keys, $keys)
"""


class CorrectionsError(ValueError):
    """A file of corrections that cannot be taken in; the message names its lines."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """How many papers were corrected, how many corrections were known, and the batches that change."""

    papers: int
    known: int
    batches: list[str]


def take_corrections(file: Path, warehouse: Warehouse) -> Corrected:
    """Take in a file of corrections, all lines or none; an empty cell leaves what an earlier file corrected.

    Raises `CorrectionsError`.
    """
    lines = _lines_of(file)
    with warehouse.one_at_a_time("ingest"):
        create_tables(warehouse)
        before = as_declared(CORRECTIONS, warehouse.read(f"select * from {CORRECTIONS}"))
        kept = {row["paper_id"]: row for row in before.iter_rows(named=True)}
        used = _Used(warehouse, lines)
        now: dict[str, Row] = {}
        claims: list[tuple[int, Row, str]] = []
        problems: list[tuple[int, str]] = []
        for number, cells in lines:
            try:
                row = used.row_of(cells["paper"])
                if row["paper_id"] in now:
                    raise CorrectionsError(f"{row['paper_id']} is corrected in an earlier line, too")
                values = _values(cells)
                if "doi" in values and not row["given_id"]:
                    claims.append((number, row, values["doi"]))
                unset = dict.fromkeys(_FIELDS) | {"paper_id": row["paper_id"]}
                earlier = kept.get(row["paper_id"], unset)
                now[row["paper_id"]] = {**earlier, "batch": row["batch"], **values}
            except CorrectionsError as error:
                problems.append((number, str(error)))
        problems += used.claimed(claims)
        if problems:
            more = len(problems) - _PROBLEMS_SHOWN
            told = [f"line {number}: {problem}" for number, problem in sorted(problems)]
            shown = "\n".join([*told[:_PROBLEMS_SHOWN], *([f"and {more:,} more"] if more > 0 else [])])
            raise CorrectionsError(f"Nothing was corrected. {file}:\n{shown}")
        changed = {paper: row for paper, row in now.items() if row != kept.get(paper)}
        batches = sorted({row["batch"] for row in changed.values()})
        _write(warehouse, kept | changed, batches, used)
    return Corrected(len(changed), len(now) - len(changed), batches)


class _Used:
    """The files that lines name, and whose paper has which DOI."""

    def __init__(self, warehouse: Warehouse, lines: list[tuple[int, dict[str, str]]]) -> None:
        names = sorted({cells["paper"] for _, cells in lines})
        rows = as_declared(INPUT_FILES, warehouse.read(_NAMED, {"names": names}))
        self._named: dict[str, list[Row]] = {}
        for row in rows.iter_rows(named=True):
            for name in {row["file_name"], "" if row["duplicate_of"] else row["paper_id"]} - {None, ""}:
                self._named.setdefault(name, []).append(row)
        dois = {normalise_doi(cells["doi"]) for _, cells in lines}
        keys = sorted(f"doi:{doi}" for doi in dois if doi)
        self._papers = dict(warehouse.read(_WITH_DOI, {"keys": keys}).iter_rows())
        self.with_new_doi: list[Row] = []

    def row_of(self, name: str) -> Row:
        """Return the row of the file that is named by paper id or file name. Raises `CorrectionsError`."""
        rows = self._named.get(name, [])
        used = [row for row in rows if row["paper_id"] and not row["duplicate_of"]]
        if len(used) == 1:
            return used[0]
        if used:
            raise CorrectionsError(f"{len(used)} files are called {name}: give the paper id")
        if rows and rows[0]["paper_id"]:
            raise CorrectionsError(f"{name} is not used: another file holds its paper {rows[0]['paper_id']}")
        raise CorrectionsError(f"{name} could not be read" if rows else f"there is no paper {name!r}")

    def claimed(self, claims: list[tuple[int, Row, str]]) -> Iterator[tuple[int, str]]:
        """Give DOIs to papers, and yield the lines that name the DOI of another paper.

        A paper that gets a new DOI leaves its old one to others, whatever the order of the lines.
        """
        moved = {row["paper_id"] for _, row, _ in claims}
        owners = {key: paper for key, paper in self._papers.items() if paper not in moved}
        for number, row, doi in claims:
            key = f"doi:{doi}"
            owner = owners.setdefault(key, row["paper_id"])
            if owner != row["paper_id"]:
                yield number, f"{owner} has the DOI {doi}"
            others = [known for known in row["keys"] or () if not known.startswith("doi:")]
            self.with_new_doi.append(row | {"keys": sorted({*others, key})})


def _lines_of(file: Path) -> list[tuple[int, dict[str, str]]]:
    """The lines that say something, with their numbers. Raises `CorrectionsError`."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise CorrectionsError(f"{file} is not UTF-8: save it as CSV in UTF-8.") from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    lines = []
    try:
        columns = [column.strip().lower() for column in next(reader, [])]
        if "paper" not in columns or set(columns) - set(_COLUMNS) or len(set(columns)) < len(columns):
            raise CorrectionsError(
                f"The first line of {file} names the columns {', '.join(columns) or '(none)'}. "
                f"They are paper (a paper id or a file name), and any of {', '.join(_FIELDS)}."
            )
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if len(cells) > len(columns):
                    raise CorrectionsError(f"{file}, line {reader.line_num}: more cells than columns")
                named = dict(zip(columns, (as_it_was(cell.strip()) for cell in cells), strict=False))
                lines.append((reader.line_num, dict.fromkeys(_COLUMNS, "") | named))
    except csv.Error as error:
        raise CorrectionsError(f"{file}, line {reader.line_num}: {error}") from None
    return lines


def _values(cells: Mapping[str, str]) -> dict[str, Any]:
    """The values of the cells that are not empty. Raises `CorrectionsError`."""
    return {name: value for name in _FIELDS if cells[name] for value in [_value(name, cells[name])]}


def _value(name: str, cell: str) -> str | int:
    if name == "year":
        if not (cell.isascii() and cell.isdigit() and _FIRST_YEAR <= int(cell) <= _this_year() + 1):
            raise CorrectionsError(f"{cell!r} is not a year from {_FIRST_YEAR} to {_this_year() + 1}")
        return int(cell)
    if name == "doi":
        doi = normalise_doi(cell)
        if not doi or len(cell.split()) > 1:
            raise CorrectionsError(f"{cell!r} is not a DOI")
        return doi
    if name == "licence" and cell.lower() == _NO_LICENCE:
        return _NO_LICENCE
    if name == "licence" and not licence_name(cell):
        raise CorrectionsError(
            f"{cell!r} is not a known licence: CC0, public domain, CC BY with its limits, or {_NO_LICENCE}"
        )
    return " ".join(storable(cell).split())


def _this_year() -> int:
    return datetime.now(UTC).year


def _write(warehouse: Warehouse, rows: Mapping[str, Row], batches: list[str], used: _Used) -> None:
    """Write the corrections of the batches that change, with their records, and the keys of their files."""
    writes = [*_of_batches(rows, batches)]
    if writes and used.with_new_doi:
        files = frame_of(INPUT_FILES, used.with_new_doi)
        writes.append(Write(INPUT_FILES, TABLES[INPUT_FILES].ddl(), files, {}, ("file_id",)))
    if writes:
        warehouse.replace(writes)


def _of_batches(rows: Mapping[str, Row], batches: list[str]) -> Iterator[Write]:
    for batch in batches:
        own = frame_of(CORRECTIONS, [row for row in rows.values() if row["batch"] == batch])
        own = own.sort("paper_id")
        fingerprint = digest({"rows": own.rows()})
        yield Write(CORRECTIONS, TABLES[CORRECTIONS].ddl(), own, {"batch": batch})
        yield record_write(Record(CORRECTIONS, batch, fingerprint, fingerprint, "", frozenset(), own.height))
