"""Which files of a folder are taken in, and which paper each of them holds."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

from aimsciqa_assets.corpus.rows import paper_id
from aimsciqa_assets.reading.isolation import Load, read_isolated
from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.reading.reader import read_paper

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


def papers_in(files: Mapping[str, str], load: Load) -> Iterator[str | None]:
    """The id of the paper in each file, in order; None when it holds none (the corpus assets record why).

    `files` are names by file id.
    """
    named = ({"file_id": file_id, "file_name": name} for file_id, name in files.items())
    with closing(read_isolated(paper_in, named, load)) as found:
        for paper in found:
            yield None if isinstance(paper, RejectedFileError) else paper


def paper_in(data: bytes, *, file_id: str, file_name: str) -> str:
    """The id of the paper in a file. Raises `RejectedFileError`."""
    return paper_id(read_paper(data, file_name), file_id)


def names_in(folder: Path, files: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Each file with its path relative to the folder."""
    for path in files:
        yield path, path.name if folder.is_file() else path.relative_to(folder).as_posix()
