"""Examples of a file taken into the warehouse: each line becomes an example, or a row that says why not.

The file itself stays in the file store. A file may be taken in again: what is known stays as it is.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import polars as pl
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.airqa.examples.example import Example
from aimsciqa_assets.airqa.examples.files import BadLine, numbered_examples
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.tables import TABLES

Row = dict[str, Any]

EXAMPLES: Final = "airqa.examples"
REJECTED: Final = "airqa.rejected_examples"
UNREADABLE: Final = "unreadable"
SAME_ID: Final = "same_id"
OTHER_CONTENT: Final = "other_content"

_STORED: Final = "select lower(uuid) as uuid from airqa.store"


@dataclass(slots=True)
class Taken:
    """What became of the lines of a file: how many examples are new, changed and known, and the rest.

    `problems` name the rejected lines and `missing` the papers of each example that are not in the paper
    store; `examples` counts those of the home.
    """

    new: int = 0
    changed: int = 0
    known: int = 0
    examples: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)


def take_examples(file: Path, files: FileStore, warehouse: Warehouse, *, replace: bool = False) -> Taken:
    """Take in the examples of a file; with `replace`, also those whose uuid an earlier one has.

    Raises `OSError` for a file that cannot be read.
    """
    file_id = files.put(file)
    with warehouse.one_at_a_time("airqa_examples"):
        create_tables(warehouse)
        before = as_declared(EXAMPLES, warehouse.read(f"select * from {EXAMPLES}"))
        rejected = as_declared(REJECTED, warehouse.read(f"select * from {REJECTED}"))
        taken, rows, bad = _sorted(
            file, file_id, dict(before.select("example_id", "shape").iter_rows()), replace
        )
        fresh = frame_of(EXAMPLES, rows)
        others = before.join(fresh, on="example_id", how="anti")
        now = {
            EXAMPLES: pl.concat([others, fresh]).sort("example_id"),
            REJECTED: pl.concat(
                [rejected.filter(pl.col("file_id") != file_id), frame_of(REJECTED, bad)]
            ).sort("file_id", "line"),
        }
        changed = {
            table: frame
            for table, frame in now.items()
            if not frame.equals({EXAMPLES: before, REJECTED: rejected}[table].sort(TABLES[table].key))
            or not _is_recorded(warehouse, table)
        }
        writes = [Write(table, TABLES[table].ddl(), frame, {}) for table, frame in changed.items()]
        records = [record_write(_record(table, frame)) for table, frame in changed.items()]
        warehouse.replace([*writes, *records])
    taken.examples = now[EXAMPLES].height
    taken.missing = missing_papers(map(example_of, rows), warehouse.read(_STORED)["uuid"])
    return taken


def missing_papers(examples: Iterable[Example], stored: Iterable[str]) -> dict[str, list[str]]:
    """The papers of each example that the paper store does not have; examples that have all are left out."""
    there = set(stored)
    lacking = {
        example.uuid: [
            paper
            for paper in dict.fromkeys([*example.anchor_pdf, *example.reference_pdf])
            if paper.lower() not in there
        ]
        for example in examples
    }
    return {uuid: papers for uuid, papers in lacking.items() if papers}


def example_of(row: Mapping[str, Any]) -> Example:
    """The example of a row of `airqa.examples`."""
    return Example.model_validate(json.loads(row["shape"]))


def _sorted(
    file: Path, file_id: str, known: Mapping[str, str], replace: bool
) -> tuple[Taken, list[Row], list[Row]]:
    """What became of the lines, the rows of examples that were taken in, and those of the others."""
    taken = Taken()
    rows: dict[str, Row] = {}
    bad: list[Row] = []

    def reject(line: int, uuid: str | None, reason: str, detail: str) -> None:
        place = {"file_id": file_id, "line": line, "file_name": file.name, "example_id": uuid}
        bad.append(place | {"rejection_reason": reason, "detail": detail})
        taken.reasons[reason] += 1
        taken.problems.append(f"line {line}: {detail}")

    for line, read in numbered_examples(file):
        if isinstance(read, BadLine):
            reject(line, None, UNREADABLE, read.reason)
        elif not read.uuid.strip():
            reject(line, None, UNREADABLE, "uuid is empty")
        elif (earlier := rows.get(read.uuid)) is not None:
            reject(line, read.uuid, SAME_ID, f"{earlier['file_name']} has its uuid {read.uuid}")
        else:
            row = _row(read, f"{file.name}:{line}", file_id)
            shape = known.get(read.uuid)
            if shape is not None and shape != row["shape"] and not replace:
                told = (
                    f"another example has its uuid {read.uuid} already: --replace puts this one in its place"
                )
                reject(line, read.uuid, OTHER_CONTENT, told)
                continue
            rows[read.uuid] = row
            taken.new += shape is None
            taken.changed += shape is not None and shape != row["shape"]
            taken.known += shape == row["shape"]
    return taken, list(rows.values()), bad


def _row(example: Example, place: str, file_id: str) -> Row:
    shape = example.shape()
    return {
        "example_id": example.uuid,
        "question": example.question,
        "answer_format": example.answer_format,
        "tags": example.tags,
        "anchor_pdf": example.anchor_pdf,
        "reference_pdf": example.reference_pdf,
        "conference": example.conference,
        "eval_func": example.evaluator.eval_func,
        "evaluator": _json(shape["evaluator"]),
        "annotator": example.annotator,
        "shape": _json(shape),
        "file_name": place,
        "file_id": file_id,
    }


def _json(value: Any) -> str:
    """As JSON that a table can hold: half a surrogate pair stays the escape that it was."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()


def _record(table: str, rows: pl.DataFrame) -> Record:
    fingerprint = digest({"rows": rows.rows()})
    return Record(table, "", fingerprint, fingerprint, "", frozenset(), rows.height)


def _is_recorded(warehouse: Warehouse, table: str) -> bool:
    query = "select 1 from ops.materializations where table_name = $table"
    return not warehouse.read(query, {"table": table}).is_empty()
