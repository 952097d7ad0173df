"""Keeps a lake small and quick: merges the files of many small writes, and deletes what no state needs."""

from collections.abc import Iterator
from typing import Final

import duckdb
import psycopg

_MIB: Final = 2**20
_FILES: Final = """
select coalesce(sum(file_count), 0), coalesce(sum(file_size_bytes), 0) from ducklake_table_info('{lake}')
"""
_COMPACTION: Final = (
    ("files with deleted rows were rewritten as", "ducklake_rewrite_data_files('{lake}')"),
    ("small files were merged into", "ducklake_merge_adjacent_files('{lake}')"),
)
_DELETION: Final = (
    ("earlier states were forgotten", "ducklake_expire_snapshots('{lake}', older_than => {before})"),
    ("files of such states were deleted", "ducklake_cleanup_old_files('{lake}', older_than => {before})"),
    (
        "files of killed writers were deleted",
        "ducklake_delete_orphaned_files('{lake}', older_than => {before})",
    ),
)
# A table that is not partitioned gets a file with each publication, and every reader reads all of them.
_MANY: Final = 32
_SMALL: Final = _MIB
_SMALL_ONES: Final = f"""
select s.schema_name, t.table_name
from ducklake_data_file f
join ducklake_table t on t.table_id = f.table_id and t.end_snapshot is null
join ducklake_schema s on s.schema_id = t.schema_id and s.end_snapshot is null
where f.end_snapshot is null and f.file_size_bytes < {_SMALL}
    and not exists (
        select 1 from ducklake_partition_info p where p.table_id = t.table_id and p.end_snapshot is null
    )
    and not exists (
        select 1 from ducklake_delete_file d where d.data_file_id = f.data_file_id and d.end_snapshot is null
    )
group by s.schema_name, t.table_name
having count(*) > {_MANY}
"""
_BEFORE: Final = "now() - interval '{seconds} seconds'"


def maintain(connection: duckdb.DuckDBPyConnection, lake: str, keep_days: float) -> Iterator[str]:
    """Compact the lake of a connection while nobody else writes; tells what was done.

    Whatever is younger than `keep_days` stays: somebody may be reading it.
    """
    yield f"{_size(connection, lake)} before"
    for told, call in _COMPACTION:
        files = f"select sum(files_processed), sum(files_created) from {call.format(lake=lake)}"
        ((old, new),) = connection.execute(files).fetchall()
        yield f"{old or 0:,} {told} {new or 0:,}"
    before = _BEFORE.format(seconds=round(keep_days * 86400))
    for told, call in _DELETION:
        ((count,),) = connection.execute(
            f"select count(*) from {call.format(lake=lake, before=before)}"
        ).fetchall()
        yield f"{count:,} {told}"
    yield f"{_size(connection, lake)} now"


def merge_small(connection: duckdb.DuckDBPyConnection, catalogue: psycopg.Connection, lake: str) -> None:
    """Merge the files of tables that many small publications made, while nobody else writes.

    The old files stay until `maintain` deletes them: somebody may be reading them.
    """
    for schema, table in catalogue.execute(_SMALL_ONES).fetchall():
        connection.execute(f"call ducklake_merge_adjacent_files('{lake}', '{table}', schema => '{schema}')")


def _size(connection: duckdb.DuckDBPyConnection, lake: str) -> str:
    ((files, size),) = connection.execute(_FILES.format(lake=lake)).fetchall()
    return f"{files:,} files of {size / _MIB:,.1f} MiB"
