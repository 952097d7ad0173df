"""Rows and their records as writes of the warehouse: a table's rows and what determined them, together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from itertools import chain
from traceback import format_exception_only, format_tb

import polars as pl
from aimsciqa_resources.language_model.interface import ModelError
from aimsciqa_resources.warehouse import Declared, Form, Schema, Warehouse, Write, WriteMany

from aimsciqa_assets.platform.accounts import Account
from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.platform.kept_rows import KeptRows, Made, Rows
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.stages import FROM_OUTSIDE
from aimsciqa_assets.tables import BOOKKEEPING, EMBEDDING_TYPE, FAILURES, LLM_CALLS, MATERIALIZATIONS, TABLES

_EARLIER_NAMES = {"ops.materializations": {"batch": "part"}, "ops.llm_calls": {"batch": "part"}}
"""What columns were called in earlier versions."""

_EARLIER_CALLS = f"select * from {LLM_CALLS.name} where part = $part and table_name = $table_name"
_CALLS_IN_MEMORY = 10_000
"""More of them are written some at a time, within the limits of a database that holds long texts."""


def create_tables(warehouse: Warehouse) -> None:
    """Create every table that does not need to know the encoder, so that SQL works from the first moment.

    Tables of an earlier version are altered until they take the rows of this one. What steps made in them is
    due if it lacks a column. Raises `EarlierTableError` and `NewerTablesError`.
    """
    warehouse.create(schema())


def adopt_tables(warehouse: Warehouse) -> None:
    """Create and alter the tables of a home of an earlier version, once for each process.

    Raises `WarehouseMissingError`, `EarlierTableError` and `NewerTablesError`.
    """
    warehouse.adopt(schema())


def is_as_declared(warehouse: Warehouse) -> bool:
    """Whether all tables that need not know the encoder are there, and take the rows of this version.

    Raises `WarehouseMissingError` and `NewerTablesError`.
    """
    return warehouse.is_as_declared(schema())


def declared_as(table: str, dimension: int | None) -> str | None:
    """How a table with vectors of this length is declared; None for one that is not ours."""
    return TABLES[table].ddl(dimension) if table in TABLES else None


@cache
def schema() -> Schema:
    """All tables as this version declares them."""
    tables = {
        table.name: Declared(
            "" if any(column.type == EMBEDDING_TYPE for column in table.columns) else table.ddl(),
            {
                column.name: Form(column.type, column.null, frozenset(column.values))
                for column in table.columns
            },
            kept=table.name in FROM_OUTSIDE | BOOKKEEPING,
        )
        for table in TABLES.values()
    }
    return Schema(tables, _EARLIER_NAMES, version("aimsciqa"))


def write_rows(
    warehouse: Warehouse,
    made: Made,
    part: str,
    records: Sequence[Record],
    accounts: Sequence[Account] = (),
) -> None:
    """Write the rows of one part (or of whole tables), their records and model calls in one transaction."""
    warehouse.replace(
        [
            *(_rows_write(table, rows, part) for table, rows in made.items()),
            *_records_writes(records, part),
            *_calls_writes(warehouse, part, accounts, replaced=True),
        ]
    )


def _records_writes(records: Sequence[Record], part: str) -> list[Write]:
    """The writes that say what made the rows, and that the last run did not fail; none without a record."""
    if not records:
        return []
    return [record_write(*records), _failures_write([record.table_name for record in records], part)]


def _rows_write(table: str, rows: Rows, part: str) -> Write | WriteMany:
    """The write of a table's rows of a part."""
    declared = TABLES[table]
    where = {declared.by: part} if declared.by else {}
    if isinstance(rows, KeptRows):
        return WriteMany(table, declared.ddl(), rows.frames(), where)
    return Write(table, declared.ddl(_dimension(rows)), rows, where)


def write_failure(
    warehouse: Warehouse, tables: Sequence[str], part: str, error: Exception, accounts: Sequence[Account]
) -> None:
    """Write why a run of a step failed, and the model calls that it made; an error that cannot be written
    down gets a note that says so.
    """
    failed = {
        "message": message_of(error),
        # Only where: the errors below this one may quote what a server was sent.
        "traceback": "".join(format_tb(error.__traceback__)),
        "failed_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    try:
        # The rows that the table still has were made from earlier calls.
        calls = _calls_writes(warehouse, part, accounts, replaced=False)
        warehouse.replace([_failures_write(tables, part, failed), *calls])
    except Exception as second:
        error.add_note(f"This could not be written down: {second}")


def message_of(error: Exception) -> str:
    """Return what an error says. A message about a model stands alone, any other after the error's name."""
    if isinstance(error, ModelError):
        return str(error)
    return "".join(format_exception_only(error)).strip()


def record_write(*records: Record) -> Write:
    """The write that records materializations of one part."""
    rows = [
        {
            **asdict(record),
            "seen": sorted(record.seen),
            "determinants": record.determinants or None,
            "lacking": list(record.lacking) or None,
        }
        for record in records
    ]
    (part,) = {record.part for record in records}
    names = tuple(record.table_name for record in records)
    where: dict[str, str | tuple[str, ...]] = {"table_name": names, "part": part}
    return Write(MATERIALIZATIONS.name, MATERIALIZATIONS.ddl(), frame_of(MATERIALIZATIONS.name, rows), where)


def _failures_write(tables: Sequence[str], part: str, failed: Mapping[str, str] | None = None) -> Write:
    """The write that says why the last run of a step failed, or that it did not."""
    rows = [{"table_name": table, "part": part, **failed} for table in tables] if failed else []
    where: dict[str, str | tuple[str, ...]] = {"table_name": tuple(tables), "part": part}
    return Write(FAILURES.name, FAILURES.ddl(), frame_of(FAILURES.name, rows), where)


def _calls_writes(
    warehouse: Warehouse, part: str, accounts: Sequence[Account], *, replaced: bool
) -> Iterator[Write | WriteMany]:
    """Yield one write per table: a step may ask several models, or one model twice, for the same rows.

    Earlier calls that were not made again stay with their cost, marked if they are `replaced`.
    """
    calls: dict[str, list[KeptRows]] = {}
    for account in accounts:
        calls.setdefault(account.table, []).append(account.calls)
    for table, all_kept in calls.items():
        where = {"part": part, "table_name": table}
        earlier = _calls_not_among(all_kept, warehouse.read(_EARLIER_CALLS, where))
        if replaced:
            earlier = earlier.with_columns(replaced=pl.lit(value=True))
        if sum(kept.height for kept in all_kept) > _CALLS_IN_MEMORY:
            frames = chain([earlier], *(kept.frames() for kept in all_kept))
            yield WriteMany(LLM_CALLS.name, LLM_CALLS.ddl(), frames, where)
        else:
            rows = pl.concat([earlier, *(kept.frame() for kept in all_kept)])
            yield Write(LLM_CALLS.name, LLM_CALLS.ddl(), rows, where)


def _calls_not_among(made: Sequence[KeptRows], earlier: pl.DataFrame) -> pl.DataFrame:
    """Return the earlier calls that were not made again."""
    declared = as_declared(LLM_CALLS.name, earlier)
    again = [frame.select("call_id") for kept in made for frame in kept.frames()]
    return declared.join(pl.concat([declared.clear().select("call_id"), *again]), on="call_id", how="anti")


def _dimension(frame: pl.DataFrame) -> int | None:
    shapes = [dtype.shape[0] for dtype in frame.dtypes if isinstance(dtype, pl.Array)]
    return shapes[0] if shapes else None
