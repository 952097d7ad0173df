"""Frames and their records as writes of the warehouse: a table's rows and what determined them, together."""

from collections.abc import Sequence
from dataclasses import asdict, replace

import polars as pl
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.platform.accounts import Account
from aimsciqa_assets.platform.fingerprints import Record
from aimsciqa_assets.platform.frames import Frames, as_declared, frame_of
from aimsciqa_assets.tables import EMBEDDING_TYPE, LLM_CALLS, MATERIALIZATIONS, TABLES


def create_tables(warehouse: Warehouse) -> None:
    """Create every table that does not need to know the encoder, so that SQL works from the first moment.

    Tables of an earlier version get the columns that they lack.
    """
    plain = [
        table
        for table in TABLES.values()
        if not any(column.type == EMBEDDING_TYPE for column in table.columns)
    ]
    may_be_null = {
        table.name: {column.name: column.type for column in table.columns if column.null} for table in plain
    }
    warehouse.create({table.name: table.ddl() for table in plain}, may_be_null)


def write_frames(
    warehouse: Warehouse,
    frames: Frames,
    part: str,
    records: Sequence[Record],
    accounts: Sequence[Account] = (),
) -> None:
    """Write the rows of one part (or of whole tables), their records and model calls in one transaction."""
    writes = [
        Write(
            table,
            TABLES[table].ddl(_dimension(frame)),
            frame,
            {TABLES[table].by: part} if TABLES[table].by else {},
        )
        for table, frame in frames.items()
    ]
    called = _calls_writes(part, accounts)
    warehouse.replace([*writes, *(record_write(record) for record in records), *called])


def write_calls(warehouse: Warehouse, batch: str, accounts: Sequence[Account]) -> None:
    """Write only the model calls of a step that failed."""
    for write in _calls_writes(batch, accounts):
        # The rows that the table still has were made from earlier calls.
        query = f"select * from {LLM_CALLS.name} where batch = $batch and table_name = $table_name"
        earlier = as_declared(LLM_CALLS.name, warehouse.read(query, write.where))
        kept = earlier.join(write.rows, on="call_id", how="anti")
        warehouse.replace([replace(write, rows=pl.concat([kept, write.rows]))])


def record_write(record: Record) -> Write:
    """The write that records a materialization."""
    frame = frame_of(MATERIALIZATIONS.name, [{**asdict(record), "seen": sorted(record.seen)}])
    where = {"table_name": record.table_name, "batch": record.batch}
    return Write(MATERIALIZATIONS.name, MATERIALIZATIONS.ddl(), frame, where)


def _calls_writes(batch: str, accounts: Sequence[Account]) -> list[Write]:
    """One write per table: a step may ask several models, or one model twice, for the same rows."""
    calls: dict[str, list[pl.DataFrame]] = {}
    for account in accounts:
        calls.setdefault(account.table, []).append(account.calls())
    return [
        Write(LLM_CALLS.name, LLM_CALLS.ddl(), pl.concat(frames), {"batch": batch, "table_name": table})
        for table, frames in calls.items()
    ]


def _dimension(frame: pl.DataFrame) -> int | None:
    shapes = [dtype.shape[0] for dtype in frame.dtypes if isinstance(dtype, pl.Array)]
    return shapes[0] if shapes else None
