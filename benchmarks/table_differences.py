"""Whether two homes hold the same tables: `python -m benchmarks.table_differences BEFORE AFTER`.

Compares the published copies (`inspect.duckdb`) of two homes table by table, as sets of rows, and names the
columns that differ. Columns that hold times, and digests of code and settings, are left out. Exits with 1
where a table differs.
"""

import argparse
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

import duckdb

LEFT_OUT = {
    "ops.llm_calls": {"latency_seconds", "answered_at", "fingerprint", "server"},
    "ops.materializations": {"fingerprint", "own", "inputs", "determinants", "made_at"},
    "ops.pmc_looks": {"looked_at"},
    "ops.schema_versions": {"since"},
    "release.files": {"sha256", "folder"},
    "release.reports": {"made_of", "path", "sha256"},
}
"""Columns that differ between two runs of the same code: times, digests, paths of the home."""

TABLES = """
select schema_name || '.' || table_name as name, list(column_name order by column_index) as columns
from (select * from duckdb_columns() where database_name = $database and not internal) group by all order by 1
"""


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    arguments = parser.parse_args()
    connection = duckdb.connect()
    for name in ("before", "after"):
        file = getattr(arguments, name) / "inspect.duckdb"
        if not file.is_file():
            sys.exit(f"There is no {file}: run `aimsciqa run` or `aimsciqa inspect` in that home first.")
        connection.execute(f"attach '{file}' as {name} (read_only)")
    columns = {name: columns_of(connection, name) for name in ("before", "after")}
    differing = [
        line
        for table in sorted(columns["before"].keys() | columns["after"].keys())
        if (line := difference(connection, table, columns["before"].get(table), columns["after"].get(table)))
    ]
    print(*differing, sep="\n")
    print(f"{len(columns['before'])} tables before, {len(columns['after'])} after, {len(differing)} differ.")
    sys.exit(bool(differing))


def columns_of(connection: duckdb.DuckDBPyConnection, database: str) -> dict[str, list[str]]:
    """The columns of every table of an attached database."""
    return dict(connection.execute(TABLES, {"database": database}).fetchall())


def difference(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    before: list[str] | None,
    after: list[str] | None,
    left_out: Mapping[str, Collection[str]] = LEFT_OUT,
) -> str:
    """One line about a table that differs; "" where the rows are the same.

    `before` and `after` are its columns, `left_out` those that are not compared, by table.
    """
    if before is None or after is None:
        return f"{table}: only {'after' if before is None else 'before'}"
    changed = f" (columns before {before}, after {after})" if before != after else ""
    shared = [column for column in before if column in after and column not in left_out.get(table, ())]
    lost, new = (
        rows_only_in(connection, table, shared, *pair) for pair in (("before", "after"), ("after", "before"))
    )
    if not lost and not new and not changed:
        return ""
    (rows,) = connection.execute(f"select count(*) from before.{table}").fetchall()[0]
    guilty = [
        column
        for column in shared
        if (lost or new) and rows_only_in(connection, table, [column], "before", "after")
    ]
    return f"{table}: of {rows} rows {lost} only before, {new} only after; in {guilty}{changed}"


def rows_only_in(
    connection: duckdb.DuckDBPyConnection, table: str, columns: list[str], one: str, other: str
) -> int:
    """How many rows of a table stand in one database and not in the other, counted with repetition."""
    chosen = ", ".join(f'"{column}"' for column in columns)
    here, there = (f"select {chosen} from {database}.{table}" for database in (one, other))
    return connection.execute(f"select count(*) from ({here} except all {there})").fetchall()[0][0]


if __name__ == "__main__":
    main()
