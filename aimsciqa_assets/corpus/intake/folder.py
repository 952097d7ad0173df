"""Which files of a folder are taken in, and which paper each of them holds.

Links to folders are followed. Each folder is looked through once, so that links in a circle do no harm.
"""

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aimsciqa_assets.corpus.kept_papers import KeptPapers
from aimsciqa_assets.corpus.readings import reading_of
from aimsciqa_assets.corpus.rows import describe, paper_id, paper_keys
from aimsciqa_assets.reading.isolation import Load, read_isolated
from aimsciqa_assets.reading.kept import read_once, to_keep
from aimsciqa_assets.reading.licences import licence_name
from aimsciqa_assets.reading.paper import RejectedFileError

SUFFIXES = frozenset({".xml", ".nxml", ".pdf", ".mineru"})
"""`.mineru`: what MinerU read of a paper, for AirQA's paper store; `aimsciqa airqa mineru` makes it."""
OF_DOCUMENTS = (".jsonl", ".jsonl.gz", ".jsonl.zst")
"""How the names of files end that hold a document in each line."""

DISK_ERRORS = frozenset({errno.ENOSPC, errno.EROFS, errno.EDQUOT})
"""Errors that are about the place where we write, and not about a file that is read."""

_SHOWN = 3


class NothingToIngestError(ValueError):
    """The folder cannot be ingested; the message says what to do."""


@dataclass(slots=True)
class Listing:
    """The files below a folder that are wanted, as path and name, and how many others there are.

    `files` hold a paper each, `documents` a document in each line. `unreadable` names what could not be
    looked at, with the reason.
    """

    files: list[tuple[Path, str]] = field(default_factory=list)
    documents: list[tuple[Path, str]] = field(default_factory=list)
    others: int = 0
    unreadable: list[str] = field(default_factory=list)


def listing_of(folder: Path) -> Listing:
    """The XML and PDF files and files of documents below a folder (or the one file), by their paths.

    Raises `NothingToIngestError` when there is no such folder, or no such file in it.
    """
    if not folder.exists():
        raise NothingToIngestError(f"There is no folder {folder.absolute()}.")
    listing = Listing()
    if folder.is_file():
        _add(folder, folder.parent, listing)
    else:
        _look_through(folder, listing)
    if not listing.files and not listing.documents:
        raise NothingToIngestError(
            f"No .xml, .nxml, .pdf or .jsonl file in {folder.absolute()}, only {listing.others} other files: "
            f"nothing to ingest.{_told(listing.unreadable)}"
        )
    listing.files.sort()
    listing.documents.sort()
    return listing


def stated_licence(text: str) -> str:
    """Return the licence that is stated for files that name none, as it is written; "" where none is stated.

    Raises `NothingToIngestError` for words that name none.
    """
    if text.strip() and not licence_name(text):
        raise NothingToIngestError(
            f"{text!r} names no licence that is known here: CC0, public domain, or CC BY with its limits, "
            "such as CC BY-SA 4.0. Leave it out for files under another licence: what is made of them is "
            "released with AIMSCIQA_RELEASE_ANY_LICENCE=true only."
        )
    return text.strip()


def name_in(folder: Path, path: Path) -> str:
    r"""The path inside the folder as text that can be stored: a byte that is not UTF-8 is written `\xe9`."""
    return os.fsencode(path.relative_to(folder).as_posix()).decode("utf-8", "backslashreplace")


def papers_in(
    files: Sequence[Mapping[str, Any]], load: Load, papers: KeptPapers
) -> Iterator[dict[str, Any] | RejectedFileError]:
    """Yield what `paper_in` says of each file but the paper to keep, in order, or why the file holds none.

    `files` are its arguments. A paper that was read goes into `papers`; no file is read whose paper is there.
    """
    with_kept = ({**file, "kept": papers.get(file["file_id"])} for file in files)
    with closing(read_isolated(paper_in, with_kept, load)) as found:
        for file, paper in zip(files, found, strict=True):
            if not isinstance(paper, RejectedFileError):
                # Its text is long, and an ingest holds what is yielded for all files.
                papers.put(file["file_id"], paper.pop("kept"))
            yield paper


def paper_in(
    data: bytes,
    *,
    file_id: str,
    file_name: str,
    kept: str,
    pmcid: str | None = None,
    licence: str | None = None,
    retracted: bool | None = False,
) -> dict[str, Any]:
    """Return id and keys of the paper in a file, the paper to keep, and its row of the reading report.

    `describe` tells what `pmcid`, `licence` and `retracted` are. Raises `RejectedFileError`.
    """
    paper = read_once(data, file_name, kept)
    to_be_kept = to_keep(paper)
    describe(paper, pmcid, licence, retracted)
    return {
        "paper_id": paper_id(paper, file_id),
        "keys": paper_keys(paper),
        "kept": to_be_kept,
        "reading": reading_of(paper),
    }


def _look_through(top: Path, listing: Listing) -> None:
    """Add what is below a folder. Links come after the folders: a file is named by where it really lies."""
    seen: set[tuple[int, int]] = set()
    folders, links = [top], list[Path]()
    while folders or links:
        folder = folders.pop() if folders else links.pop()
        try:
            status = folder.stat()
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            if folder != top and top.resolve().is_relative_to(folder.resolve()):
                listing.unreadable.append(f"{name_in(top, folder)}: a link to a folder around this one")
                continue
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name, reverse=True)
        except OSError as error:
            listing.unreadable.append(f"{name_in(top, folder)}: folder cannot be read: {error.strerror}")
            continue
        for entry in entries:
            path = folder / entry.name
            try:
                if entry.is_dir():
                    (links if entry.is_symlink() else folders).append(path)
                elif entry.is_file():
                    _add(path, top, listing)
                elif _is_wanted(path) or entry.is_symlink():
                    reason = "a link that leads nowhere" if entry.is_symlink() else "no regular file"
                    listing.unreadable.append(f"{name_in(top, path)}: {reason}")
            except OSError as error:
                listing.unreadable.append(f"{name_in(top, path)}: {error.strerror}")


def _is_wanted(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES or path.name.lower().endswith(OF_DOCUMENTS)


def _add(path: Path, folder: Path, listing: Listing) -> None:
    if path.suffix.lower() in SUFFIXES:
        listing.files.append((path, name_in(folder, path)))
    elif _is_wanted(path):
        listing.documents.append((path, name_in(folder, path)))
    else:
        listing.others += 1


def _told(unreadable: list[str]) -> str:
    if not unreadable:
        return ""
    shown = "; ".join(unreadable[:_SHOWN])
    return f" {len(unreadable):,} files or folders could not be read: {shown}"
