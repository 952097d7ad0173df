"""Imports ratings: reads them from a file of any tool, checks every row, and writes them to the warehouse."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa.files import json_of, read_lines, read_text
from aimsciqa_assets.judging.audit.argilla import argilla_ratings
from aimsciqa_assets.judging.audit.criteria import Kind, criteria_of, sheet_kinds
from aimsciqa_assets.judging.audit.label_studio import label_studio_ratings
from aimsciqa_assets.judging.audit.returned import Returned
from aimsciqa_assets.judging.audit.sampling import name_of, subjects_of
from aimsciqa_assets.judging.audit.sheet import COMMENT, KIND, SHEET, SUBJECT, AuditError, read_csv
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.tables import TABLES

RATINGS = "benchmark.audit_ratings"

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: counts of ratings and of unrated subjects, and the problems with their places."""

    new: int
    changed: int
    known: int
    unrated: int
    all_ratings: int
    raters: list[str]
    problems: list[str]


def import_ratings(file: Path, rater: str | None, warehouse: Warehouse) -> Imported:
    """Import the ratings of a file; each replaces the earlier rating of the same subject by the same rater.

    `rater` names the rater; it is required if the file names none. Rows that cannot be used become problems,
    and the others are imported. Raises `AuditError` when the file cannot be read or its rater is unknown.
    """
    returned = _with_names(read_returned(file), rater, file)
    with warehouse.reading():
        pass  # without a warehouse, this says what to do, and creates none
    with warehouse.one_at_a_time("audit"):
        create_tables(warehouse)
        subjects = {kind: set(subjects_of(kind, warehouse)) for kind in sheet_kinds()}
        checked = check(returned, subjects)
        known = warehouse.read(f"select * from {RATINGS}")
        fresh = frame_of(RATINGS, checked.rows)
        key = list(TABLES[RATINGS].key)
        rows = pl.concat([known.join(fresh, on=key, how="anti"), fresh], how="diagonal").sort(key)
        before = known.join(fresh, on=key, how="semi").height
        same = fresh.join(known, on=fresh.columns, how="semi").height
        if same < fresh.height:
            fingerprint = digest({"ratings": rows.rows()})
            record = Record(RATINGS, "", fingerprint, fingerprint, "", frozenset(), rows.height)
            warehouse.replace([Write(RATINGS, TABLES[RATINGS].ddl(), rows, {}), record_write(record)])
    return Imported(
        new=fresh.height - before,
        changed=before - same,
        known=same,
        unrated=checked.unrated,
        all_ratings=rows.height,
        raters=sorted(fresh["rater"].unique()),
        problems=checked.problems,
    )


def read_returned(file: Path) -> list[Returned]:
    """The rows of a CSV sheet, of Label Studio's JSON, or of Argilla's records as JSON or JSON lines.

    Raises `AuditError`.
    """
    start = file.read_bytes()[:100].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start.startswith((b"[", b"{")):
        return [Returned(f"row {number}", None, cells) for number, cells in read_csv(file)]
    returned: list[Returned] = []
    for number, value in enumerate(_values(file, start), 1):
        try:
            if "annotations" in value:
                returned += label_studio_ratings(number, value)
            else:
                returned += argilla_ratings(number, value)
        except (LookupError, TypeError, AttributeError):
            raise AuditError(
                f"{file}: entry {number} is neither a task of Label Studio (export format JSON) nor a record "
                "of Argilla (`dataset.to_disk` or `dataset.records.to_json`)."
            ) from None
    return returned


def _values(file: Path, start: bytes) -> list[Any]:
    """The values of a JSON list, or of JSON lines."""
    try:
        if start.startswith(b"["):
            listed: list[Any] = json_of(read_text(file))
            return listed
        return [json_of(line) for _, line in read_lines(file)]
    except ValueError as error:
        raise AuditError(f"{file} cannot be read as JSON: {error}") from error


def _with_names(returned: Iterable[Returned], rater: str | None, file: Path) -> list[Returned]:
    rows = list(returned)
    people = sorted({row.person for row in rows if row.person is not None})
    if rater and len(people) > 1:
        raise AuditError(
            f"{file} holds ratings of {len(people)} people ({', '.join(people)}): leave out --rater to "
            "keep these names."
        )
    if not rater and any(row.person is None for row in rows):
        raise AuditError(f"{file} does not say who rated: add --rater NAME.")
    return [replace(row, person=rater or row.person) for row in rows]


@dataclass(frozen=True, slots=True)
class Checked:
    """Rows of `benchmark.audit_ratings`, subjects without any rating, and the problems with their places."""

    rows: list[Row]
    unrated: int
    problems: list[str]


def check(returned: Iterable[Returned], subjects: Mapping[Kind, set[str]]) -> Checked:
    """The ratings that can be used; `subjects` are the ids that may be rated, by kind."""
    rows: list[Row] = []
    places: dict[tuple[str, ...], str] = {}
    problems: list[str] = []
    unrated = 0
    for row in returned:
        if fault := _fault_of_identity(row.cells, subjects):
            problems.append(f"{row.place}: {fault}")
            continue
        whose = (row.cells[SHEET], row.cells[SUBJECT], row.person or "")
        if whose in places:
            problems.append(f"{row.place}: {whose[1]} was rated already in {places[whose]}")
            continue
        places[whose] = row.place
        cells = {one.name: row.cells.get(one.name, "").strip() for one in criteria_of(row.cells[KIND])}
        comment = row.cells.get(COMMENT, "").strip()
        rows += _ratings(row, cells, comment, problems)
        if not any(cells.values()):
            unrated += 1
            if comment:
                problems.append(f"{row.place}: a comment, but no rating: {comment!r}")
    return Checked(rows, unrated, problems)


def _fault_of_identity(cells: Mapping[str, str], subjects: Mapping[Kind, set[str]]) -> str:
    missing = [name for name in (SHEET, KIND, SUBJECT) if not cells.get(name)]
    if missing:
        return f"no value in {', '.join(missing)}: these cells must stay as they were"
    kind = cells[KIND]
    if kind not in sheet_kinds():
        return f"{kind!r} is not a kind of sheet"
    if cells[SUBJECT] not in subjects[kind]:
        return f"{cells[SUBJECT]!r} is not among the {name_of(kind)} of this corpus"
    return ""


def _ratings(row: Returned, cells: Mapping[str, str], comment: str, problems: list[str]) -> Iterator[Row]:
    """The ratings in the cells of a row; cells that cannot be read are added to the problems."""
    for criterion in criteria_of(row.cells[KIND]):
        cell = cells[criterion.name]
        score = criterion.read(cell)
        if score is not None:
            yield {
                "sheet": row.cells[SHEET],
                "kind": row.cells[KIND],
                "subject_id": row.cells[SUBJECT],
                "rater": row.person,
                "criterion": criterion.name,
                "score": score,
                "comment": comment,
            }
        elif cell:
            problems.append(f"{row.place}: {criterion.name} is {cell!r}; allowed are {criterion.allowed}")
