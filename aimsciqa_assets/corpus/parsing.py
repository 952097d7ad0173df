"""A batch of stored files becomes rows of the corpus tables; what is no paper becomes a rejected file."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any

from aimsciqa_assets.corpus.rows import Row, file_rows
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.reading.isolation import Load, read_isolated
from aimsciqa_assets.reading.paper import RejectedFileError

TABLES = (
    "corpus.papers",
    "corpus.sections",
    "corpus.paragraphs",
    "corpus.captions",
    "corpus.keywords",
    "corpus.references",
    "corpus.citation_mentions",
    "corpus.rejected_files",
)

_RETIRED = {
    "superseded": "PubMed Central has a newer version, which took its place",
    "withdrawn": "PubMed Central has the article no more",
    "licence": "it is under another licence now, which is not among those that were asked for",
    "no_xml": "PubMed Central has no XML of its newest version",
}


def parse_batch(
    files: Iterable[Mapping[str, Any]],
    load: Load,
    advance: Callable[[int], None] = lambda _files: None,
    kept: Callable[[str], str] = lambda _file_id: "",
) -> Frames:
    """Parse the files of a batch (rows of `corpus.input_files`); `load` gives the first
    bytes of a file by its id and a limit, `kept` its paper if it was read before.
    """
    listed = list(files)
    to_read = (
        {**_names(file), **_as_pmc_describes(file), "kept": kept(file["file_id"])}
        for file in listed
        if not _refused(file)
    )
    rows: dict[str, list[Row]] = defaultdict(list)
    with closing(read_isolated(file_rows, to_read, load)) as readings:
        for file in listed:
            for table, new in _file_rows(file, readings).items():
                rows[table] += new
            advance(1)
    return {table: frame_of(table, rows[table]) for table in TABLES}


def _file_rows(file: Mapping[str, Any], readings: Iterator[Any]) -> dict[str, list[Row]]:
    """The rows of a file; `readings` goes on with what was read from it, unless it was not to be read."""
    reading = _refused(file) or next(readings)
    if isinstance(reading, RejectedFileError):
        row = {**_names(file), "rejection_reason": reading.reason, "detail": reading.detail}
        return {"corpus.rejected_files": [row]}
    rows: dict[str, list[Row]] = reading
    return rows


def _refused(file: Mapping[str, Any]) -> RejectedFileError | None:
    """Why a file need not be read."""
    if file["retired"]:
        return RejectedFileError(file["retired"], _RETIRED.get(file["retired"], ""))
    if file["duplicate_of"]:
        return RejectedFileError("duplicate_paper", f"{file['paper_id']} came with {file['duplicate_of']}")
    return None


def _as_pmc_describes(file: Mapping[str, Any]) -> Row:
    return {name: file[name] for name in ("pmcid", "licence", "retracted")}


def _names(file: Mapping[str, Any]) -> dict[str, str]:
    return {name: file[name] for name in ("file_id", "file_name", "batch")}
