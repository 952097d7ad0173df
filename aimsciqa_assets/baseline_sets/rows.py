"""The rows of what was drawn, written in place of those of an earlier draw of the same set."""

from typing import Final

import polars as pl
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.baseline_sets.taking import Drawn
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.tables import TABLES

RECORDS: Final = "baseline_sets.records"
SUPPORTS: Final = "baseline_sets.supports"
CONTEXTS: Final = "baseline_sets.contexts"
HOPS: Final = "baseline_sets.hops"

_BATCHES = """
select paper_id, min(batch) as batch
from corpus.input_files
where paper_id in (select unnest($papers)) and duplicate_of is null and retired is null
group by paper_id
"""


def write_drawn(drawn: Drawn, warehouse: Warehouse) -> int:
    """Write what was drawn of a set; returns how many items of an earlier draw are replaced by others.

    The documents were taken in before: a support knows the batch of its document.
    """
    with warehouse.one_at_a_time("ingest"):
        create_tables(warehouse)
        before = {table: _rows(warehouse, table) for table in (RECORDS, SUPPORTS, CONTEXTS, HOPS)}
        papers = sorted({row["paper_id"] for row in drawn.supports})
        batches = dict(warehouse.read(_BATCHES, {"papers": papers}).iter_rows())
        new = {
            RECORDS: frame_of(RECORDS, drawn.records),
            SUPPORTS: frame_of(
                SUPPORTS, [row | {"document_batch": batches.get(row["paper_id"])} for row in drawn.supports]
            ),
            CONTEXTS: frame_of(CONTEXTS, drawn.contexts),
            HOPS: frame_of(HOPS, drawn.hops),
        }
        others = pl.col("set_name") != drawn.set_name
        now = {
            table: pl.concat([before[table].filter(others), rows]).sort(TABLES[table].key)
            for table, rows in new.items()
        }
        records = [_record(table, "", now[table]) for table in (RECORDS, CONTEXTS, HOPS)]
        records += [
            _record(SUPPORTS, batch, now[SUPPORTS].filter(pl.col("document_batch") == batch))
            for batch in sorted({*_batches(before[SUPPORTS]), *_batches(now[SUPPORTS])})
        ]
        writes = [Write(table, TABLES[table].ddl(), rows, {}) for table, rows in now.items()]
        warehouse.replace([*writes, *map(record_write, records)])
    earlier = before[RECORDS].filter(~others & (pl.col("status") == "drawn"))
    return earlier.filter(~pl.col("item_id").is_in(now[RECORDS]["item_id"].to_list())).height


def _rows(warehouse: Warehouse, table: str) -> pl.DataFrame:
    return as_declared(table, warehouse.read(f"select * from {table}"))


def _batches(supports: pl.DataFrame) -> list[str]:
    found: list[str] = supports["document_batch"].drop_nulls().unique().to_list()
    return found


def _record(table: str, part: str, rows: pl.DataFrame) -> Record:
    fingerprint = digest({"rows": rows.rows()})
    return Record(table, part, fingerprint, fingerprint, "", frozenset(), rows.height)
