"""Checks of what a home holds: warehouse, reply journal, file store. They change nothing."""

from collections.abc import Iterator
from pathlib import Path

from aimsciqa_resources.file_store import StoredFileError
from aimsciqa_resources.language_model.journal_places import journal_size
from aimsciqa_resources.warehouse import WarehouseMissingError

from aimsciqa_assets.cli.doctor.findings import Examined, Finding, ok, problem, warning
from aimsciqa_assets.cli.doctor.folders import size_of
from aimsciqa_assets.cli.troubles import is_sound
from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.writing import is_as_declared
from aimsciqa_assets.tables import TABLES

_SAMPLE = 20
_STORED = f"""
select file from (
    select distinct coalesce(shard, file_id) as file from {INPUT_FILES} where retired is null
)
order by random() limit {_SAMPLE}
"""


def warehouse_opens(examined: Examined) -> Iterator[Finding]:
    """The warehouse opens, and its tables take the rows of this version."""
    try:
        fits = is_as_declared(examined.warehouse)
    except WarehouseMissingError:
        yield warning(
            "there is none yet",
            "Take in papers: `aimsciqa ingest DIR`. If you have one, name its folder in AIMSCIQA_HOME.",
        )
        return
    if fits:
        yield ok(f"{len(TABLES):,} tables as declared in {examined.warehouse.place.name}")
    else:
        yield warning(
            "some tables are those of another version",
            "`aimsciqa run` alters them, and makes again what lacks a column; replies come from the journal. "
            "`aimsciqa status --why` names the columns.",
        )


def warehouse_is_sound(examined: Examined) -> Iterator[Finding]:
    """Every block of the warehouse has its checksum; of a lake, every file is where it should be.

    Raises `WarehouseMissingError` and `WarehouseBrokenError`.
    """
    yield ok(examined.warehouse.check_blocks())


def journal_is_sound(examined: Examined) -> Iterator[Finding]:
    """The reply journal is a sound SQLite database, or Postgres has it. Raises `JournalError`."""
    journal = examined.home.journal
    if not journal.exists():
        yield ok("there is none yet")
    elif not isinstance(journal, Path):
        yield ok(f"{journal} has it, {size_of(journal_size(journal))}")
    elif is_sound(journal):
        yield ok(f"{journal} is sound, {size_of(journal.stat().st_size)}")
    else:
        yield problem(
            f"{journal} is damaged",
            f"Save what is left: `sqlite3 {journal} .recover | sqlite3 recovered.sqlite`, and put that in "
            "its place; or move it away, and replies are paid for again.",
        )


def stored_files_are_sound(examined: Examined) -> Iterator[Finding]:
    """A sample of the ingested files is in the file store, with the bytes that were taken in.

    Raises `WarehouseMissingError`.
    """
    store = examined.home.file_store
    sample = examined.warehouse.read(_STORED)["file"].to_list()
    damaged = []
    for file_id in sample:
        try:
            store.get(file_id, 0)
        except StoredFileError as error:
            damaged.append(error)
    if damaged:
        first = str(damaged[0].strerror).partition(". ")
        yield problem(
            f"{len(damaged)} of {len(sample)} files looked at: {damaged[0].filename}: {first[0]}", first[2]
        )
    else:
        yield ok(f"{len(sample)} files looked at, all with their hash")
