"""Files of documents, one JSON object to a line: into the store as shards, and listed line by line.

The lists are Parquet files, so that memory does not grow with the files. `document_rows` makes rows of
`corpus.input_files` of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
from aimsciqa_resources.disk import writing_to
from aimsciqa_resources.file_store import FileStore

from aimsciqa_assets.corpus.intake.folder import DISK_ERRORS
from aimsciqa_assets.corpus.intake.shards import packed, sharded
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.reading.documents import document_paper_id, read_document
from aimsciqa_assets.reading.lines import Line, UnreadableLinesError, lines_of
from aimsciqa_assets.reading.paper import RejectedFileError

_LISTED_AT_ONCE = 20_000
_TRIED = 1000
_EXAMPLES = 3
_MEGABYTE = 10**6
_LISTED: Mapping[str, Any] = {
    "number": pl.Int64,
    "file_id": pl.String,
    "file_name": pl.String,
    "bytes": pl.Int64,
    "paper_id": pl.String,
    "shard": pl.String,
    "place": pl.Int32,
}


@dataclass(slots=True)
class ListedLines:
    """The lines of all files that could be read, in their order, as Parquet files with the columns `_LISTED`.

    `unreadable` names the other files, of which nothing goes in; `no_documents` the first lines that are no
    documents, each with the reason.
    """

    parquet: list[Path] = field(default_factory=list)
    lines: int = 0
    unreadable: list[str] = field(default_factory=list)
    no_documents: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _InMegabytes:
    """Tells a progress bar in whole megabytes how much of a file was read."""

    advance: Callable[[int, str], None]
    listed: ListedLines
    told: int = 0

    def __call__(self, consumed: int) -> None:
        """So many bytes of the file were read."""
        if consumed // _MEGABYTE > self.told:
            self.advance(consumed // _MEGABYTE - self.told, f"{self.listed.lines:,} lines")
            self.told = consumed // _MEGABYTE


def list_lines(
    files: Sequence[tuple[Path, str]], store: FileStore, folder: Path, most_bytes: int
) -> ListedLines:
    """Put the lines of files into the store, and list them in new files of `folder`.

    `files` are paths and names. A line of more than `most_bytes` is listed, and not stored. Raises `OSError`
    for a full disk.
    """
    with writing_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
    listed = ListedLines()
    megabytes = [-(-path.stat().st_size // _MEGABYTE) for path, _ in files]
    with progress("taking in documents, MB", sum(megabytes)) as advance:
        for number, (path, name) in enumerate(files):
            consumed = _InMegabytes(advance, listed)
            parquet = folder / f"{number:05d}.parquet"
            before, examples = listed.lines, len(listed.no_documents)
            try:
                lines = lines_of(path, most_bytes, consumed)
                _list_file(lines, name, store, parquet, listed)
                listed.parquet.append(parquet)
            except (UnreadableLinesError, OSError) as error:
                if isinstance(error, OSError) and error.errno in DISK_ERRORS:
                    raise
                listed.lines = before
                del listed.no_documents[examples:]
                reason = error.strerror if isinstance(error, OSError) else str(error)
                listed.unreadable.append(f"{name}: {reason}")
            consumed(megabytes[number] * _MEGABYTE)
    return listed


def _list_file(
    lines: Iterator[Line], name: str, store: FileStore, parquet: Path, listed: ListedLines
) -> None:
    import pyarrow.parquet as pq

    documents, before = 0, listed.lines
    schema = pl.DataFrame(schema=_LISTED).to_arrow().schema
    with pq.ParquetWriter(parquet, schema) as writer:
        waiting = list[dict[str, Any]]()
        for shard in sharded(lines):
            shard_id = store.put_bytes(packed(shard))
            for row in _rows(shard, name, listed):
                documents += row["paper_id"] is not None
                waiting.append(row | {"shard": shard_id})
            if not documents and listed.lines - before >= _TRIED:
                raise UnreadableLinesError(
                    f"none of its first {listed.lines - before:,} lines is a document "
                    f"{{id, title, contents}}. {listed.no_documents[-1] if listed.no_documents else ''}"
                )
            if len(waiting) >= _LISTED_AT_ONCE:
                writer.write_table(_table(waiting, schema))
                waiting.clear()
        if listed.lines == before:
            raise UnreadableLinesError("there is no line in it")
        writer.write_table(_table(waiting, schema))


def _rows(shard: Sequence[Line], name: str, listed: ListedLines) -> Iterator[dict[str, Any]]:
    for place, line in enumerate(shard):
        at = f"{name}:{line.number}"
        paper_id = None
        try:
            paper_id = document_paper_id(read_document(line.data, line.size).document_id)
        except RejectedFileError as error:
            if len(listed.no_documents) < _EXAMPLES:
                listed.no_documents.append(f"{at}: {error}")
        yield {
            "number": listed.lines,
            "file_id": line.line_id,
            "file_name": at,
            "bytes": line.size,
            "paper_id": paper_id,
            "place": place,
        }
        listed.lines += 1


def _table(rows: list[dict[str, Any]], schema: Any) -> Any:
    return pl.DataFrame(rows, schema=_LISTED).to_arrow().cast(schema)
