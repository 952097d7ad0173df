"""Which files of a folder are taken in, and which paper each of them holds."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from aimsciqa_assets.corpus.paper import RejectedFileError
from aimsciqa_assets.corpus.reader import read_paper
from aimsciqa_assets.corpus.rows import paper_id

READ_LIMIT = 100 * 2**20 + 1
"""So many bytes of a file are read: more than any reader takes, so that a longer file is rejected."""

SUFFIXES = frozenset({".xml", ".nxml", ".pdf"})


class NothingToIngestError(ValueError):
    """The folder cannot be ingested; the message says what to do."""


def files_of(folder: Path) -> list[Path]:
    """The XML and PDF files below a folder (or the one file), in the order of their paths.

    Raises `NothingToIngestError` when there is no such folder, or no such file in it.
    """
    if not folder.exists():
        raise NothingToIngestError(f"There is no folder {folder.absolute()}.")
    files = [folder] if folder.is_file() else sorted(path for path in folder.rglob("*") if path.is_file())
    wanted = [path for path in files if path.suffix.lower() in SUFFIXES]
    if not wanted:
        raise NothingToIngestError(
            f"No .xml, .nxml or .pdf file in {folder.absolute()}, only {len(files)} other files: "
            "nothing to ingest."
        )
    return wanted


def paper_in(data: bytes, file_name: str, file_id: str) -> str | None:
    """The id of the paper in a file; None when it holds none (the corpus assets record why)."""
    try:
        return paper_id(read_paper(data, file_name), file_id)
    except RejectedFileError:
        return None


def names_in(folder: Path, files: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Each file with its path relative to the folder."""
    for path in files:
        yield path, path.name if folder.is_file() else path.relative_to(folder).as_posix()
