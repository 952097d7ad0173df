"""Frames and their records as writes of the warehouse: a table's rows and what determined them, together."""

from collections.abc import Sequence
from dataclasses import asdict

import polars as pl
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.fingerprints import Record
from aimsciqa_assets.frames import Frames, frame_of
from aimsciqa_assets.tables import MATERIALIZATIONS, TABLES


def write_frames(warehouse: Warehouse, frames: Frames, batch: str, records: Sequence[Record]) -> None:
    """Write the rows of one batch (or of whole tables) and their records in one transaction."""
    writes = [
        Write(
            table,
            TABLES[table].ddl(_dimension(frame)),
            frame,
            {"batch": batch} if TABLES[table].batched else {},
        )
        for table, frame in frames.items()
    ]
    warehouse.replace([*writes, *(record_write(record) for record in records)])


def record_write(record: Record) -> Write:
    """The write that records a materialization."""
    frame = frame_of(MATERIALIZATIONS.name, [{**asdict(record), "seen": sorted(record.seen)}])
    where = {"table_name": record.table_name, "batch": record.batch}
    return Write(MATERIALIZATIONS.name, MATERIALIZATIONS.ddl(), frame, where)


def _dimension(frame: pl.DataFrame) -> int | None:
    shapes = [dtype.shape[0] for dtype in frame.dtypes if isinstance(dtype, pl.Array)]
    return shapes[0] if shapes else None
