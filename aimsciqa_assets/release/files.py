"""Files of a release that are written row by row, and count their rows."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

import pyarrow as pa
import pyarrow.parquet as pq
from aimsciqa_resources.spreadsheets import as_text

from aimsciqa_assets.release.forms import SQUAD_END, json_line, squad_head
from aimsciqa_assets.release.layout import Config, Row, squad

_ROWS_OF_A_TABLE = 1000
_ROWS_OF_A_GROUP = 5000
# The columns by which readers look up rows. Statistics of every column would make the footer of a large file
# larger than the data that is read from it.
_WITH_STATISTICS = {"item_id", "qa_id", "paper_id", "paragraph_id", "query-id"}


class RowFile(Protocol):
    """A file that rows are written into."""

    rows: int

    def close(self) -> None:
        """Finish the file."""


class LineFile:
    """Lines of text."""

    def __init__(self, path: Path, head: str = "") -> None:
        self.rows = 0
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._file.write(head)

    def write(self, line: str) -> None:
        """Write a line."""
        self._file.write(f"{line}\n")
        self.rows += 1

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


class CsvFile:
    """Comma-separated values with a header, written so that a spreadsheet takes no text for a formula."""

    def __init__(self, path: Path, header: Sequence[str]) -> None:
        self.rows = 0
        self._file = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(header)

    def write(self, values: Sequence[Any]) -> None:
        """Write a row."""
        self._writer.writerow([as_text(value) if isinstance(value, str) else value for value in values])
        self.rows += 1

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


class SquadFile:
    """A SQuAD document with one entry per line; `rows` counts its questions."""

    def __init__(self, path: Path, name: str) -> None:
        self.rows = 0
        self._entries = 0
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._file.write(squad_head(name))

    def write(self, entry: Row) -> None:
        """Write an entry."""
        self._file.write(",\n" if self._entries else "\n")
        self._file.write(json_line(entry))
        self._entries += 1
        self.rows += sum(len(paragraph["qas"]) for paragraph in entry["paragraphs"])

    def close(self) -> None:
        """Finish the file."""
        self._file.write(f"\n{SQUAD_END}\n")
        self._file.close()


class TableFile:
    """A Parquet file, written with fixed settings so that the same rows give the same bytes."""

    def __init__(self, path: Path, schema: pa.Schema, rows_of_a_group: int) -> None:
        self.rows = 0
        self._schema = schema
        self._rows_of_a_group = rows_of_a_group
        self._rows: list[Row] = []
        self._tables: list[pa.Table] = []
        known = [name for name in schema.names if name in _WITH_STATISTICS]
        self._writer = pq.ParquetWriter(
            path, schema, compression="zstd", version="2.6", write_statistics=known
        )

    def write(self, row: Row) -> None:
        """Write a row; what the schema does not name is left out."""
        self._rows.append(row)
        self.rows += 1
        if len(self._rows) == min(_ROWS_OF_A_TABLE, self._rows_of_a_group):
            self._pack()
        if sum(table.num_rows for table in self._tables) >= self._rows_of_a_group:
            self._write_group()

    def _pack(self) -> None:
        self._tables.append(pa.Table.from_pylist(self._rows, schema=self._schema))
        self._rows.clear()

    def _write_group(self) -> None:
        group = pa.concat_tables(self._tables)
        self._writer.write_table(group, row_group_size=group.num_rows)
        self._tables.clear()

    def close(self) -> None:
        """Finish the file."""
        if self._rows:
            self._pack()
        if self._tables:
            self._write_group()
        self._writer.close()


class ReleaseFiles:
    """The files of a release folder, closed together."""

    def __init__(self, folder: Path, name: str, configs: Mapping[str, Config]) -> None:
        self._folder = folder
        self._name = name
        self._configs = configs
        self._open: dict[str, RowFile] = {}
        self.rows: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for path, file in self._open.items():
            file.close()
            self.rows[path] = file.rows
        self._open.clear()

    def lines(self, path: str, head: str = "") -> LineFile:
        """A file of lines."""
        file = self._open[path] = LineFile(self._made(path), head)
        return file

    def csv(self, path: str, header: Sequence[str]) -> CsvFile:
        """A file of comma-separated values."""
        file = self._open[path] = CsvFile(self._made(path), header)
        return file

    def table(self, config: str, split: str, rows_of_a_group: int = _ROWS_OF_A_GROUP) -> TableFile:
        """The Parquet file of a config's split; rows that are long make smaller groups."""
        schema, paths = self._configs[config]
        path = self._made(paths[split])
        file = self._open[paths[split]] = TableFile(path, schema, rows_of_a_group)
        return file

    def squad(self, config: str, split: str) -> SquadFile:
        """The SQuAD form of a config's split."""
        path = squad(config, split)
        file = self._open[path] = SquadFile(self._made(path), self._name)
        return file

    def _made(self, path: str) -> Path:
        made = self._folder / path
        made.parent.mkdir(parents=True, exist_ok=True)
        return made
