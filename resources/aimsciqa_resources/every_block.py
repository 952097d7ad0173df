"""Every block of a database file, read once: only then is it known whether a copy of it is good.

DuckDB checks a block against its checksum when it reads it: a copy of damaged bytes opens, and answers most
questions.
"""

import re
from pathlib import Path

import duckdb

_FIXED_ARRAY = re.compile(r"\[\d+\]$")
_COLUMNS = """
select schema_name, table_name, column_name, data_type from duckdb_columns()
where not internal and table_oid in (select table_oid from duckdb_tables())
order by all
"""


def read_every_block(database: Path, config: dict[str, str | bool | int | float | list[str]]) -> None:
    """Read all columns of all tables. Raises `duckdb.Error` where a block is not what was written."""
    with duckdb.connect(database, read_only=True, config=config) as connection:
        connection.execute("set enable_progress_bar = false")
        tables: dict[str, list[str]] = {}
        for schema, table, column, kind in connection.execute(_COLUMNS).fetchall():
            # One element of a vector takes reading them all, and half the time of hashing them.
            element = "[1]" if _FIXED_ARRAY.search(kind) else ""
            tables.setdefault(f'"{schema}"."{table}"', []).append(f'bit_xor(hash("{column}"{element}))')
        for name, columns in tables.items():
            connection.execute(f"select {', '.join(columns)} from {name}").fetchall()
