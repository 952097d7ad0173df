"""A batch of stored files and documents becomes rows of the corpus tables; what is no paper becomes a
rejected file.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any

from aimsciqa_assets.corpus.intake.shards import unpacked
from aimsciqa_assets.corpus.rows import Row, file_rows, paper_rows
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.reading.documents import paper_of, read_document
from aimsciqa_assets.reading.isolation import Load, read_isolated
from aimsciqa_assets.reading.paper import RejectedFileError

TABLES = (
    "corpus.papers",
    "corpus.sections",
    "corpus.paragraphs",
    "corpus.tables",
    "corpus.table_cells",
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
    "replaced": "another file of this version of the manuscript took its place",
}


def parse_batch(
    files: Iterable[Mapping[str, Any]],
    load: Load,
    advance: Callable[[int], None] = lambda _files: None,
    kept: Callable[[str], str] = lambda _file_id: "",
    corrections: Iterable[Mapping[str, Any]] = (),
) -> Frames:
    """Parse the files of a batch (rows of `corpus.input_files`), and make `corrections` of its papers.

    `load` gives the first bytes of a file by its id and a limit, `kept` its paper if it was read before.
    """
    corrected = {row["paper_id"]: dict(row) for row in corrections}
    # Documents last, shard by shard.
    listed = sorted(files, key=lambda file: (file["shard"] or "", file["place"] or 0))
    sound = [file for file in listed if not _refused(file)]
    to_read = (
        {
            **_names(file),
            **_as_described(file),
            "kept": kept(file["file_id"]),
            "correction": corrected.get(file["paper_id"]),
        }
        for file in sound
        if not file["shard"]
    )
    documents = _document_readings((file for file in sound if file["shard"]), load, corrected)
    rows: dict[str, list[Row]] = defaultdict(list)
    with closing(read_isolated(file_rows, to_read, load)) as readings:
        for file in listed:
            for table, new in _file_rows(file, documents if file["shard"] else readings).items():
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


def _document_readings(
    documents: Iterable[Mapping[str, Any]], load: Load, corrected: Mapping[str, Row]
) -> Iterator[dict[str, list[Row]] | RejectedFileError]:
    """The rows of each document, or why it is none; the documents of a shard follow each other.

    JSON is read here and not in another process: a line is not too long, and its reader does not crash.
    """
    shard, lines = "", list[bytes]()
    for file in documents:
        if file["shard"] != shard:
            shard, lines = file["shard"], unpacked(load(file["shard"], -1))
        try:
            paper = paper_of(read_document(lines[file["place"]], file["bytes"]), file["licence"] or "")
            yield paper_rows(paper, **_names(file), correction=corrected.get(file["paper_id"]))
        except RejectedFileError as error:
            yield error


def _refused(file: Mapping[str, Any]) -> RejectedFileError | None:
    """Why a file need not be read."""
    if file["retired"]:
        return RejectedFileError(file["retired"], _RETIRED.get(file["retired"], ""))
    if file["duplicate_of"]:
        return RejectedFileError(
            "duplicate_paper", f"it holds the paper {file['paper_id']}; file {file['duplicate_of']} is used"
        )
    return None


def _as_described(file: Mapping[str, Any]) -> Row:
    return {name: file[name] for name in ("pmcid", "licence", "retracted", "given_id")}


def _names(file: Mapping[str, Any]) -> dict[str, str]:
    return {name: file[name] for name in ("file_id", "file_name", "batch")}
