"""Whether a database file is whole: every block of it is compared with its checksum.

DuckDB compares only what a query reads: a copy of damaged bytes opens, and answers most questions.
"""

import re
from itertools import chain, repeat
from pathlib import Path

import duckdb
import numpy as np

_HEADERS, _HEADER = 3, 4096
_BLOCK = 2**18
_FACTOR, _SEED = np.uint64(0xBF58476D1CE4E5B9), np.uint64(5381)
_FIXED_ARRAY = re.compile(r"\[\d+\]$")
_COLUMNS = """
select schema_name, table_name, column_name, data_type from duckdb_columns()
where not internal and table_oid in (select table_oid from duckdb_tables())
order by all
"""


def check_every_block(database: Path, config: dict[str, str | bool | int | float | list[str]]) -> None:
    """Raises `duckdb.Error` where a block that is in use is not what was written."""
    with duckdb.connect(database, read_only=True, config=config) as connection:
        if not checksums_fit(database, connection):
            # It may be a block that is in no use, or a DuckDB that counts in another way: its own reading
            # decides. That takes several times as long.
            _read_everything(connection)


def checksums_fit(database: Path, connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the file has all its blocks, each with its checksum before it.

    The sum is that of DuckDB's `checksum.cpp`: the XOR of 5381 and each word of 8 bytes times a constant.
    """
    sizes = connection.execute("select block_size, total_blocks from pragma_database_size()").fetchall()
    if sizes[0][0] != _BLOCK or database.stat().st_size < _HEADERS * _HEADER + _BLOCK * sizes[0][1]:
        return False
    buffer = bytearray(_BLOCK)
    words = np.frombuffer(buffer, dtype="<u8")
    products = np.empty_like(words)
    lengths = chain([_HEADER] * _HEADERS, repeat(_BLOCK))
    with database.open("rb", buffering=0) as file:
        while length := file.readinto(memoryview(buffer)[: next(lengths)]):
            count = length // 8
            np.multiply(words[:count], _FACTOR, out=products[:count])
            if length % _HEADER or np.bitwise_xor.reduce(products[1:count]) ^ _SEED != words[0]:
                return False
    return True


def _read_everything(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("set enable_progress_bar = false")
    tables: dict[str, list[str]] = {}
    for schema, table, column, kind in connection.execute(_COLUMNS).fetchall():
        # One element of a vector takes reading them all, and half the time of hashing them.
        element = "[1]" if _FIXED_ARRAY.search(kind) else ""
        tables.setdefault(f'"{schema}"."{table}"', []).append(f'bit_xor(hash("{column}"{element}))')
    for name, columns in tables.items():
        connection.execute(f"select {', '.join(columns)} from {name}").fetchall()
