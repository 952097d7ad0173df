"""Keeps a lake small and quick: merges the files of many small writes, and deletes what no state needs."""

from collections.abc import Iterator
from typing import Final

import duckdb

_MIB: Final = 2**20
_FILES: Final = """
select coalesce(sum(file_count), 0), coalesce(sum(file_size_bytes), 0) from ducklake_table_info('{lake}')
"""
_STEPS: Final = (
    ("rewrote {} files that hold deleted rows", "ducklake_rewrite_data_files('{lake}')"),
    ("merged small files into {}", "ducklake_merge_adjacent_files('{lake}')"),
    ("forgot {} earlier states", "ducklake_expire_snapshots('{lake}', older_than => {before})"),
    ("deleted {} files of theirs", "ducklake_cleanup_old_files('{lake}', older_than => {before})"),
    (
        "deleted {} files that killed writers left",
        "ducklake_delete_orphaned_files('{lake}', older_than => {before})",
    ),
)
_BEFORE: Final = "now()::timestamp::timestamptz - interval '{seconds} seconds'"


def maintain(connection: duckdb.DuckDBPyConnection, lake: str, keep_days: float) -> Iterator[str]:
    """Compact the lake of a connection while nobody else writes; tells what was done.

    Whatever is younger than `keep_days` stays: somebody may be reading it.
    """
    before = _BEFORE.format(seconds=round(keep_days * 86400))
    yield f"{_size(connection, lake)} before"
    for told, call in _STEPS:
        done = connection.execute(f"from {call.format(lake=lake, before=before)}").fetchall()
        yield told.format(f"{len(done):,}")
    yield f"{_size(connection, lake)} now"


def _size(connection: duckdb.DuckDBPyConnection, lake: str) -> str:
    ((files, size),) = connection.execute(_FILES.format(lake=lake)).fetchall()
    return f"{files:,} files of {size / _MIB:,.1f} MiB"
