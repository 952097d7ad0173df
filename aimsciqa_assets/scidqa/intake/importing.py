"""Files of notes or threads are imported: each file whole or not at all, in bounded memory."""

from collections import Counter
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.reading.lines import UnreadableLinesError, lines_of
from aimsciqa_assets.scidqa.intake.listing import Listing
from aimsciqa_assets.scidqa.intake.writing import Written, room_for_notes, write_notes
from aimsciqa_assets.scidqa.notes import RejectedNoteError

_MEGABYTE = 10**6


@dataclass(frozen=True, slots=True)
class ImportedNotes:
    """What became of a file: its notes, and the lines, or parts of them, that hold none, by reason."""

    written: Written
    lines: int
    rejected: Counter[str]
    examples: list[str]


class UnreadableNotesError(ValueError):
    """A file of which nothing was taken in; the message says why."""


def import_notes(
    file: Path, warehouse: Warehouse, *, forums_per_batch: int, most_bytes: int
) -> ImportedNotes:
    """Import a file of JSON lines, plain or compressed; a line is a forum with `notes`, or a note.

    A line of more than `most_bytes` is rejected. Raises `UnreadableNotesError`.
    """
    with room_for_notes(warehouse, "file") as folder:
        try:
            with file.open("rb") as content:
                file_id = file_digest(content, "sha256").hexdigest()
            with Listing(folder, file_id, file.name) as listing:
                _list(file, listing, most_bytes)
        except OSError as error:
            raise UnreadableNotesError(f"{file}: {error.strerror}. Nothing of it was taken in.") from None
        except UnreadableLinesError as error:
            raise UnreadableNotesError(f"{file}: {error}. Nothing of it was taken in.") from None
        listed = listing.listed
        if not listed.lines:
            raise UnreadableNotesError(f"{file}: there is no line in it.")
        with progress("writing notes", 1) as advance:
            written = write_notes(listed, warehouse, "file", forums_per_batch)
            advance(1)
    return ImportedNotes(written, listed.lines, listed.reasons, listed.examples)


def _list(file: Path, listing: Listing, most_bytes: int) -> None:
    total = -(-file.stat().st_size // _MEGABYTE)
    told = 0
    with progress("reading notes, MB", total) as advance:

        def consumed(read: int) -> None:
            nonlocal told
            if read // _MEGABYTE > told:
                advance(read // _MEGABYTE - told)
                told = read // _MEGABYTE

        for line in lines_of(file, most_bytes, consumed):
            if line.data:
                listing.add_line(line.number, line.data)
            else:
                listing.listed.lines += 1
                detail = (
                    f"{line.size:,} bytes are more than AIMSCIQA_CORPUS_DOCUMENT_BYTES: raise that, and "
                    "import the file again"
                )
                listing.reject(line.number, 0, RejectedNoteError("line_too_long", detail))
        advance(total - told)
