"""How a lake is: what its catalogue tells, who holds its lock, and whether its files are there."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

import duckdb

from aimsciqa_resources.warehouse.advisory_locks import catalogue, key_of
from aimsciqa_resources.warehouse.errors import WarehouseBrokenError
from aimsciqa_resources.warehouse.opening import quoted

_SEEN: Final = """
select
    current_setting('server_version_num')::int / 10000,
    extract(epoch from clock_timestamp())::float8,
    has_schema_privilege('public', 'create')
        and coalesce(bool_and(has_table_privilege(oid, 'select, insert, update, delete')), true),
    coalesce(sum(pg_total_relation_size(oid)), 0)::bigint
from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like 'ducklake%'
"""
_THERE: Final = "select to_regclass('ducklake_metadata') is not null"
_VERSION: Final = "select value from ducklake_metadata where key = 'version'"
_HOLDER: Final = """
select pid, coalesce(client_addr::text, 'the machine of Postgres'),
    extract(epoch from clock_timestamp() - state_change)::float8
from pg_locks join pg_stat_activity using (pid)
where locktype = 'advisory' and granted and objsubid = 1
    and classid::bigint = %(key)s::bigint >> 32 & 4294967295 and objid::bigint = %(key)s::bigint & 4294967295
"""
_NAMED: Final = """
select s.schema_name || '.' || t.table_name,
    case when f.path_is_relative then
        case when t.path_is_relative then
            case when s.path_is_relative then $data else '' end || s.path
        else '' end || t.path
    else '' end || f.path,
    f.file_size_bytes
from (
    select table_id, path, path_is_relative, file_size_bytes from {files}.ducklake_data_file
    where end_snapshot is null
    union all
    select table_id, path, path_is_relative, file_size_bytes from {files}.ducklake_delete_file
    where end_snapshot is null
) f
join {files}.ducklake_table t on t.table_id = f.table_id and t.end_snapshot is null
join {files}.ducklake_schema s on s.schema_id = t.schema_id and s.end_snapshot is null
"""
_NONE: Final = "No files found"
_SHOWN: Final = 3
_MIB: Final = 2**20


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What a catalogue tells: Postgres' version and clock (seconds since 1970), whether this user may write,
    its bytes, and DuckLake's version, "" where there is no lake yet.
    """

    postgres: int
    clock: float
    writable: bool
    size: int
    version: str


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lock: its process in Postgres, where it is, and for how many seconds nothing came of it."""

    process: int
    address: str
    seconds: float


def catalogue_at(conninfo: str) -> Catalogue:
    """What a catalogue tells; raises `CatalogueError`."""
    with catalogue(conninfo) as connection:
        ((postgres, clock, writable, size),) = connection.execute(_SEEN).fetchall()
        ((there,),) = connection.execute(_THERE).fetchall()
        readable = there and writable
        version = connection.execute(_VERSION).fetchall()[0][0] if readable else ""
    return Catalogue(postgres, clock, writable, size, version)


def holder_of(conninfo: str, name: str) -> Holder | None:
    """Who holds the lock of this name; raises `CatalogueError`."""
    with catalogue(conninfo) as connection:
        found = connection.execute(_HOLDER, {"key": key_of(name)}).fetchall()
    return Holder(*found[0]) if found else None


def check_files(connection: duckdb.DuckDBPyConnection, catalogue_tables: str, data_path: str) -> str:
    """Compare the files that the catalogue names with those that are there; tells how many there are.

    `catalogue_tables` is the schema of the catalogue as this connection sees it. Nothing of the files is
    read but their names and sizes. Raises `WarehouseBrokenError`.
    """
    named = connection.execute(_NAMED.format(files=catalogue_tables), {"data": data_path}).fetchall()
    there = _files_under(connection, data_path) if named else {}
    wrong = [(table, path) for table, path, size in named if there.get(path) != size]
    if wrong:
        tables = ", ".join(f"{table} ({count:,})" for table, count in Counter(t for t, _ in wrong).items())
        first = "; ".join(f"{path} {'is cut' if path in there else 'is gone'}" for _, path in wrong[:_SHOWN])
        raise WarehouseBrokenError(
            f"{len(wrong):,} of {len(named):,} files of rows are not as the catalogue says, of {tables}: "
            f"{first}\nBring them back if your storage keeps deleted files, or restore a backup into a new "
            "database and another place (docs/backups.md). Without either, `aimsciqa reset --from` the stage "
            "of the first table, then `aimsciqa run`: replies come from the journal."
        )
    size = sum(size for *_, size in named)
    return f"{len(named):,} files of {size / _MIB:,.1f} MiB are where the catalogue says, and as large"


def _files_under(connection: duckdb.DuckDBPyConnection, data_path: str) -> dict[str, int]:
    """The size of every file, by path: on S3 one request for a thousand of them."""
    pattern = f"{quoted(data_path)}**/*.parquet"
    try:
        return dict(connection.execute(f"select filename, size from read_blob('{pattern}')").fetchall())
    except duckdb.IOException as error:
        if _NONE in str(error):
            return {}
        raise
