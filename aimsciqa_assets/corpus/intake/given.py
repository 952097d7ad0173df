"""Files whose papers have ids that are given, whatever ids stand in them: versions of manuscripts.

Files of a group share a batch. What a group holds is told as a whole; a file of it that is not among that any
more was replaced.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.corpus.intake.allocation import Numbers, Row

REPLACED: Final = "replaced"


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file in the store, the id that its paper is given, and the group that it belongs to.

    `rejected`: no paper can be read in it.
    """

    file_id: str
    file_name: str
    size: int
    paper_id: str
    group: str
    rejected: bool = False


def given_rows(
    known: Iterable[Mapping[str, Any]],
    files: Sequence[GivenFile],
    batches: Mapping[str, str],
    papers_per_batch: int,
    numbers: Numbers,
) -> list[Row]:
    """The rows of `corpus.input_files` that are new or change, once groups hold exactly these `files`.

    `known` are the rows of these files and of all files with a given id; `batches` are those of the groups
    that have one. Of files with the same bytes the first gives the id. A file that is used as an ordinary
    paper stays one, and so does one that PubMed Central brought.
    """
    before = {row["file_id"]: dict(row) for row in known}
    rows = {file_id: dict(row) for file_id, row in before.items()}
    groups, placed = (
        {file.group for file in files},
        _placed(files, before, batches, papers_per_batch, numbers),
    )
    wanted = dict[str, GivenFile]()
    for file in files:
        wanted.setdefault(file.file_id, file)
    for row in rows.values():
        if row["given_id"] and _group(row) in groups and row["file_id"] not in wanted:
            row["retired"] = REPLACED
    for file_id, file in wanted.items():
        if file_id not in rows:
            rows[file_id] = _new_row(file, placed[file.group], numbers.ingest)
            continue
        row = rows[file_id]
        if not file.rejected and (row["given_id"] or not _is_used(row)):
            row |= dict.fromkeys(("paper_id", "given_id"), file.paper_id)
            row |= dict.fromkeys(("duplicate_of", "retired", "keys"))
    return [row for file_id, row in rows.items() if row != before.get(file_id)]


def _placed(
    files: Iterable[GivenFile],
    known: Mapping[str, Row],
    batches: Mapping[str, str],
    papers_per_batch: int,
    numbers: Numbers,
) -> dict[str, str]:
    """The batch of each group: the one it has, or a new one with room for all its files."""
    placed, sizes = dict(batches), dict[str, int]()
    for file in files:
        if file.file_id not in known and file.group not in batches:
            sizes[file.group] = sizes.get(file.group, 0) + 1
    number, held = numbers.batch, 0
    for group, size in sorted(sizes.items()):
        if held and held + size > papers_per_batch:
            number, held = number + 1, 0
        held += size
        placed[group] = f"batch-{number:04d}"
    return placed


def _new_row(file: GivenFile, batch: str, ingest: int) -> Row:
    return {
        "file_id": file.file_id,
        "file_name": file.file_name,
        "bytes": file.size,
        "batch": batch,
        "ingest": ingest,
        "paper_id": None if file.rejected else file.paper_id,
        "duplicate_of": None,
        **dict.fromkeys(("pmcid", "version", "licence", "retracted", "retired", "shard", "place")),
        **dict.fromkeys(("source", "keys")),
        "given_id": None if file.rejected else file.paper_id,
    }


def _group(row: Row) -> str:
    """A given id is that of its group, a dot, and what it is within the group."""
    group: str = row["given_id"].rpartition(".")[0]
    return group


def _is_used(row: Row) -> bool:
    """Whether an ordinary paper rests on the file."""
    return row["paper_id"] is not None and row["duplicate_of"] is None and row["retired"] is None
