"""Tables of any size in bounded memory: those of the warehouse, of Parquet files, and a gzipped CSV file."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from aimsciqa_resources.warehouse.errors import told
from aimsciqa_resources.warehouse.opening import BOUNDED, Config, quoted

# For a release of any size: the process that reads and writes it stays below 500 MB. Order is kept because
# the files are merged by key; one thread, because each has its own buffers.
EXPORTING: Config = {"memory_limit": "180MB", "threads": 1, "preserve_insertion_order": True}
_READING_FILES: Config = EXPORTING | {"memory_limit": "128MB"}
# Few rows in a group: those with paragraphs are large.
_EXPORTED_ROW_GROUP = 2048
_BAD_LINES_AT_MOST = 1000


class BoundedTables:
    """Tables of any size, queried in bounded memory. All methods raise `QueryError`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        connection.execute("set enable_progress_bar = false")
        self._connection = connection

    def read(self, query: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """All rows of a query, which should be few."""
        return self._run(query, parameters).fetchall()

    def first(
        self, query: str, parameters: Mapping[str, Any], rows: int
    ) -> tuple[int, list[tuple[Any, ...]]]:
        """How many rows a query gives, and the first `rows` of them."""
        found = self.read(f"select count(*) over (), * from (\n{query}\n) limit {rows}", parameters)
        return (found[0][0], [row[1:] for row in found]) if found else (0, [])

    def export(self, query: str, parameters: Mapping[str, Any], parquet: Path) -> None:
        """Write the rows of a query into a Parquet file, in their order."""
        options = f"format parquet, row_group_size {_EXPORTED_ROW_GROUP}"
        self._run(f"copy (\n{query}\n) to '{quoted(str(parquet))}' ({options})", parameters)

    def _run(self, query: str, parameters: Mapping[str, Any]) -> duckdb.DuckDBPyConnection:
        try:
            return self._connection.execute(query, dict(parameters))
        except duckdb.Error as error:
            raise told(error) from error


@contextmanager
def tables_of_files(
    files: Mapping[str, Sequence[Path]], views: Mapping[str, str], scratch: Path
) -> Iterator[BoundedTables]:
    """Parquet files as tables, without a warehouse. `files` lists those of each table; `views` are SELECTs.

    A table has the rows of its files, and the columns `filename` and `file_row_number`. Raises `QueryError`.
    """
    with duckdb.connect(config=_READING_FILES | {"temp_directory": str(scratch)}) as connection:
        try:
            for schema in sorted({name.split(".")[0] for name in (*files, *views) if "." in name}):
                connection.execute(f"create schema {schema}")
            for name, paths in files.items():
                listed = ", ".join(f"'{quoted(str(path))}'" for path in paths)
                rows = f"read_parquet([{listed}], filename = true, file_row_number = true)"
                connection.execute(f"create view {name} as from {rows}")
            for name, query in views.items():
                connection.execute(f"create view {name} as {query}")
        except duckdb.Error as error:
            raise told(error) from error
        yield BoundedTables(connection)


def select_from_csv(csv: Path, columns: Sequence[str], select: str, parquet: Path) -> list[int]:
    """Write the result of a SELECT over `lines`, a gzipped CSV file without its header, into a Parquet file.

    `columns` are the columns of the file, all read as text. Memory is bounded, whatever the size of the file.
    Returns the numbers of the lines that could not be read and were left out, a thousand at most.
    Raises `QueryError`.
    """
    given = ", ".join(f"'{quoted(column)}': 'VARCHAR'" for column in columns)
    lines = f"""read_csv(
        '{quoted(str(csv))}', columns = {{{given}}}, compression = 'gzip', auto_detect = false,
        header = true, delim = ',', quote = '"', escape = '"', strict_mode = false,
        store_rejects = true, rejects_limit = {_BAD_LINES_AT_MOST}
    )"""
    with duckdb.connect(config=BOUNDED | {"temp_directory": str(parquet.parent)}) as connection:
        try:
            connection.execute(f"create view lines as from {lines}")
            connection.execute(f"copy ({select}) to '{quoted(str(parquet))}' (format parquet)")
        except duckdb.Error as error:
            raise told(error) from error
        bad = connection.execute("select distinct line from reject_errors order by line").fetchall()
    return [line for (line,) in bad]
