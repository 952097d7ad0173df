"""Which files of a folder are versions of manuscripts: `FORUM.initial.pdf`, `FORUM.final.xml`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from aimsciqa_assets.corpus.intake.folder import Listing, NothingToIngestError, listing_of

Version = Literal["initial", "final"]

_NAME: Final = re.compile(r"(?P<forum>[A-Za-z0-9_-]+)\.(?P<version>initial|final)\.(?:pdf|xml|nxml)", re.I)
_BY_PREFERENCE: Final = (".xml", ".nxml", ".pdf")
"""JATS says what a PDF only shows."""


@dataclass(frozen=True, slots=True)
class ManuscriptFile:
    """A file that is a version of the manuscript of a forum."""

    forum_id: str
    version: Version
    path: Path
    name: str


@dataclass(slots=True)
class Manuscripts:
    """The versions that a folder holds, each once, and what else is to be told of its files by name."""

    files: list[ManuscriptFile] = field(default_factory=list)
    wrong_names: list[str] = field(default_factory=list)
    passed_over: dict[str, str] = field(default_factory=dict)
    others: int = 0
    unreadable: list[str] = field(default_factory=list)


def manuscript_id(forum_id: str, version: Version) -> str:
    """The id of a version's paper."""
    return f"{forum_id}.{version}"


def manuscripts_in(folder: Path) -> Manuscripts:
    """The versions below a folder. Of two files of a version JATS counts, then the first by its path.

    Raises `NothingToIngestError` where no file is named as one.
    """
    listing = listing_of(folder)
    found = _told_apart(listing)
    if not found.files:
        raise NothingToIngestError(
            f"No file in {folder.absolute()} is named like a version of a manuscript. The names are "
            "FORUM.initial.pdf, FORUM.final.pdf, or .xml for JATS, where FORUM is the id that OpenReview "
            f"shows behind forum?id=. {_shown(found.wrong_names)}"
        )
    return found


def _told_apart(listing: Listing) -> Manuscripts:
    found = Manuscripts(others=listing.others + len(listing.documents), unreadable=list(listing.unreadable))
    taken = dict[tuple[str, Version], ManuscriptFile]()
    for path, name in sorted(listing.files, key=lambda file: _preference(file[0])):
        match = _NAME.fullmatch(path.name)
        if match is None:
            found.wrong_names.append(name)
            continue
        version: Version = "initial" if match["version"].lower() == "initial" else "final"
        file = ManuscriptFile(match["forum"], version, path, name)
        first = taken.setdefault((file.forum_id, version), file)
        if first is not file:
            found.passed_over[name] = first.name
    found.files = sorted(taken.values(), key=lambda file: (file.forum_id, file.version != "initial"))
    return found


def _preference(path: Path) -> int:
    suffix = path.suffix.lower()
    return _BY_PREFERENCE.index(suffix) if suffix in _BY_PREFERENCE else len(_BY_PREFERENCE)


def _shown(names: Iterable[str]) -> str:
    first = sorted(names)[:3]
    return f"There is {', '.join(first)}." if first else ""
