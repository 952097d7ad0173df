"""Notes that came are written: the newest version of each, and the forums that they change, in one step."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import polars as pl
from aimsciqa_resources.warehouse import Warehouse, Write, WriteFile

from aimsciqa_assets.platform.batches import BATCHES
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import as_declared
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.scidqa.intake.choosing import choose
from aimsciqa_assets.scidqa.intake.listing import Listed
from aimsciqa_assets.tables import TABLES

NOTES: Final = "scidqa.notes"
FORUMS: Final = "scidqa.forums"
REJECTED: Final = "scidqa.rejected_lines"

Source = Literal["file", "server"]


@dataclass(frozen=True, slots=True)
class Written:
    """What became of the notes that came.

    `new` and `replaced` notes were written, `known` ones were there already, or older. `reasons` counts those
    of the written ones that are not used, `forums` all of the home, `problems` the written ones with any.
    """

    came: int
    new: int
    replaced: int
    known: int
    reasons: dict[str, int]
    forums: int
    new_forums: int
    problems: int
    batches: list[str]


@contextmanager
def room_for_notes(warehouse: Warehouse, source: Source) -> Iterator[Path]:
    """An empty folder for the notes that come, while nobody else takes any from this source."""
    folder = Home(warehouse.home).unfinished_part(NOTES, source)
    with warehouse.one_at_a_time(f"notes_of_{source}"):
        create_tables(warehouse)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def write_notes(
    listed: Listed, warehouse: Warehouse, source: Source, forums_per_batch: int, also: Sequence[Write] = ()
) -> Written:
    """Write what came, in a folder of `room_for_notes`, and what is written `also`: all of it or nothing."""
    with warehouse.one_at_a_time("ingest"):
        return _write(listed, warehouse, source, forums_per_batch, also)


def _write(
    listed: Listed, warehouse: Warehouse, source: Source, forums_per_batch: int, also: Sequence[Write]
) -> Written:
    known = warehouse.read(f"select batch from ({BATCHES}) as batches order by batch")["batch"].to_list()
    chosen = choose(listed, warehouse, source, len(known) + 1, forums_per_batch)
    writes = [*also, *_rejected(listed, warehouse)]
    if chosen.new or chosen.replaced:
        writes += [
            WriteFile(NOTES, TABLES[NOTES].ddl(), chosen.notes, ("note_id",)),
            WriteFile(FORUMS, TABLES[FORUMS].ddl(), chosen.forums, ("forum_id",)),
            *(record_write(_record(*mark)) for mark in chosen.marks),
        ]
    if writes:
        warehouse.replace(writes, long_texts=True)
    return Written(
        listed.notes,
        chosen.new,
        chosen.replaced,
        listed.notes - chosen.new - chosen.replaced,
        chosen.reasons,
        warehouse.read(f"select count(*) from {FORUMS}").item(),
        chosen.new_forums,
        chosen.problems,
        sorted({*known, *(mark.batch for mark in chosen.marks)}),
    )


def _rejected(listed: Listed, warehouse: Warehouse) -> list[Write | WriteFile]:
    """The writes for the lines that hold no note; none where the table has them."""
    came = as_declared(REJECTED, pl.read_parquet(listed.rejected))
    known = as_declared(REJECTED, warehouse.read(f"select * from {REJECTED}"))
    new = came.join(known, on=came.columns, how="anti", nulls_equal=True)
    if new.is_empty():
        return []
    key = TABLES[REJECTED].key
    now = pl.concat([known.join(new, on=key, how="anti"), new]).sort(key)
    fingerprint = digest({"rows": now.rows()})
    return [
        Write(REJECTED, TABLES[REJECTED].ddl(), now, {}),
        record_write(_record(REJECTED, "", now.height, fingerprint)),
    ]


def _record(table: str, part: str, rows: int, fingerprint: str) -> Record:
    return Record(table, part, fingerprint, fingerprint, "", frozenset(), rows)
