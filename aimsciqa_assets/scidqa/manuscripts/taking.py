"""Takes in the versions of manuscripts: files into the store and the paper batches, rows of
`scidqa.manuscripts`. Safe to repeat and to interrupt.
"""

import shutil
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import polars as pl
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.corpus.intake.folder import DISK_ERRORS, paper_in
from aimsciqa_assets.corpus.intake.given import GivenFile, given_rows
from aimsciqa_assets.corpus.intake.ingest import batches_in, files_record, next_numbers
from aimsciqa_assets.corpus.kept_papers import KeptPapers
from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.reading.isolation import read_isolated
from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.scidqa.manuscripts.files import Manuscripts, Version, manuscript_id, manuscripts_in
from aimsciqa_assets.tables import TABLES

MANUSCRIPTS: Final = "scidqa.manuscripts"

Row = dict[str, Any]
_KEPT: Final = f"select * from {MANUSCRIPTS} order by forum_id, version desc"  # initial before final
_FILES: Final = (
    f"select * from {INPUT_FILES} where given_id is not null or file_id in (select unnest($files))"
)


@dataclass(slots=True)
class TakenManuscripts:
    """What became of the files of a folder. `rejected` gives the reason by name.

    `new`, `replaced` and `known` count versions; `as_papers` names files that are papers of the corpus
    already and keep their ids, `one_version` the forums of which there is only one, `unknown_forums` those
    without a review thread.
    """

    found: Manuscripts
    new: int = 0
    replaced: int = 0
    known: int = 0
    rejected: dict[str, str] = field(default_factory=dict)
    as_papers: dict[str, str] = field(default_factory=dict)
    one_version: list[str] = field(default_factory=list)
    unknown_forums: list[str] = field(default_factory=list)
    forums: int = 0
    batches: list[str] = field(default_factory=list)
    changed_batches: list[str] = field(default_factory=list)


def take_manuscripts(
    folder: Path,
    warehouse: Warehouse,
    store: FileStore,
    papers_per_batch: int,
    uploaded: Mapping[tuple[str, Version], str] | None = None,
) -> TakenManuscripts:
    """Take in the versions below a folder. A newer file of a version takes the place of the older one.

    `uploaded` tells when versions were uploaded, ISO 8601, by forum and version, where that is known. A file
    that cannot be read takes no place. Raises `NothingToIngestError`.
    """
    taken = TakenManuscripts(manuscripts_in(folder))
    home = Home(warehouse.home)
    papers = KeptPapers.of_ingest(home)
    with warehouse.one_at_a_time("ingest"):
        create_tables(warehouse)
        came = _stored(taken.found, store, uploaded or {})
        before = as_declared(MANUSCRIPTS, warehouse.read(_KEPT))
        ids = sorted({row["file_id"] for row in came} | set(before["file_id"]))
        known = {row["file_id"]: row for row in _files(warehouse, ids).iter_rows(named=True)}
        _read(came, known, store, papers, taken)
        wanted = _wanted(before, came, taken)
        files = [_given(row, store) for row in (*wanted, *(row for row in came if row["rejected"]))]
        batches = batches_in(warehouse)
        numbers = next_numbers(warehouse, len(batches))
        reviewed = dict(warehouse.read("select forum_id, batch from scidqa.forums").iter_rows())
        taken.unknown_forums = sorted({row["forum_id"] for row in came} - set(reviewed))
        of_forums = reviewed | dict(before.select("forum_id", "batch").iter_rows())
        changed = given_rows(known.values(), files, of_forums, papers_per_batch, numbers)
        now = known | {row["file_id"]: row for row in changed}
        rows = _manuscript_rows(wanted, now, before)
        papers.hand_over(home, {row["file_id"]: row["batch"] for row in changed})
        taken.changed_batches = _write(warehouse, changed, before, rows)
        taken.batches = batches_in(warehouse)
        shutil.rmtree(papers.folder, ignore_errors=True)
    _count(taken, before, rows, came)
    return taken


def _stored(found: Manuscripts, store: FileStore, uploaded: Mapping[tuple[str, Version], str]) -> list[Row]:
    """The files of a folder in the store, as rows; what cannot be read is added to `found.unreadable`."""
    came = []
    with progress("taking in manuscripts", len(found.files)) as advance:
        for file in found.files:
            try:
                file_id = store.put(file.path)
                came.append(
                    {
                        "forum_id": file.forum_id,
                        "version": file.version,
                        "file_id": file_id,
                        "file_name": file.name,
                        "uploaded": uploaded.get((file.forum_id, file.version)),
                        "rejected": False,
                    }
                )
            except OSError as error:
                if error.errno in DISK_ERRORS:
                    raise
                found.unreadable.append(f"{file.name}: {error.strerror}")
            advance(1)
    return came


def _files(warehouse: Warehouse, file_ids: list[str]) -> pl.DataFrame:
    return as_declared(INPUT_FILES, warehouse.read(_FILES, {"files": file_ids}))


def _read(
    came: Iterable[Row],
    known: Mapping[str, Row],
    store: FileStore,
    papers: KeptPapers,
    taken: TakenManuscripts,
) -> None:
    """Read the files that are new, and mark those in which no paper can be read."""
    new = {row["file_id"]: row["file_name"] for row in came if row["file_id"] not in known}
    reasons = {
        file_id: "no paper could be read in it"
        for file_id, row in known.items()
        if row["paper_id"] is None and not row["retired"]
    }
    named = ({"file_id": one, "file_name": name, "kept": papers.get(one)} for one, name in new.items())
    with (
        progress("reading manuscripts", len(new)) as advance,
        closing(read_isolated(paper_in, named, store.get)) as found,
    ):
        for file_id, paper in zip(new, found, strict=True):
            if isinstance(paper, RejectedFileError):
                reasons[file_id] = str(paper)
            else:
                papers.put(file_id, paper["kept"])
            advance(1)
    for row in came:
        if row["file_id"] in reasons:
            row["rejected"] = True
            taken.rejected[row["file_name"]] = reasons[row["file_id"]]


def _wanted(before: pl.DataFrame, came: Iterable[Row], taken: TakenManuscripts) -> list[Row]:
    """What the forums that files came for hold from now on: initial before final, forum by forum."""
    forums = {row["forum_id"] for row in came}
    held = {
        (row["forum_id"], row["version"]): row | {"rejected": False}
        for row in before.iter_rows(named=True)
        if row["forum_id"] in forums
    }
    for row in came:
        key = (row["forum_id"], row["version"])
        if row["rejected"]:
            continue
        if key not in held or held[key]["file_id"] != row["file_id"]:
            held[key] = row
        elif row["uploaded"]:
            held[key] |= {"uploaded": row["uploaded"]}
    versions = dict[str, int]()
    for forum, _ in held:
        versions[forum] = versions.get(forum, 0) + 1
    taken.forums = len(versions)
    taken.one_version = sorted(forum for forum, count in versions.items() if count == 1)
    return [held[key] for key in sorted(held, key=lambda key: (key[0], key[1] != "initial"))]


def _given(row: Row, store: FileStore) -> GivenFile:
    return GivenFile(
        row["file_id"],
        row["file_name"],
        store.size(row["file_id"]),
        manuscript_id(row["forum_id"], row["version"]),
        row["forum_id"],
        row["rejected"],
    )


def _manuscript_rows(wanted: Iterable[Row], files: Mapping[str, Row], before: pl.DataFrame) -> pl.DataFrame:
    """`scidqa.manuscripts` as it is to be."""
    initial = {row["forum_id"]: row["file_id"] for row in wanted if row["version"] == "initial"}
    now = [
        {
            "forum_id": row["forum_id"],
            "version": row["version"],
            "batch": files[row["file_id"]]["batch"],
            "paper_id": files[row["file_id"]]["paper_id"],
            "file_id": row["file_id"],
            "file_name": row["file_name"],
            "same_as_initial": row["version"] == "final" and initial.get(row["forum_id"]) == row["file_id"],
            "uploaded": row["uploaded"],
        }
        for row in wanted
    ]
    forums = {row["forum_id"] for row in now}
    others = before.filter(~pl.col("forum_id").is_in(forums))
    return pl.concat([others, frame_of(MANUSCRIPTS, now)]).sort(TABLES[MANUSCRIPTS].key)


def _write(warehouse: Warehouse, files: list[Row], before: pl.DataFrame, rows: pl.DataFrame) -> list[str]:
    """Write what changed, with the records of its batches; returns the batches of files that changed."""
    batches = sorted({row["batch"] for row in files})
    writes: list[Write] = []
    if files:
        new = frame_of(INPUT_FILES, files)
        writes.append(Write(INPUT_FILES, TABLES[INPUT_FILES].ddl(), new, {}, ("file_id",)))
        of_batches = f"select * from {INPUT_FILES} where batch in (select unnest($batches))"
        earlier = as_declared(INPUT_FILES, warehouse.read(of_batches, {"batches": batches}))
        all_files = pl.concat([earlier.join(new, on="file_id", how="anti"), new])
        writes += [files_record(batch, all_files.filter(pl.col("batch") == batch)) for batch in batches]
    changed = pl.concat([before, rows]).filter(~pl.struct(pl.all()).is_duplicated())
    for batch in sorted(changed["batch"].unique()):
        own = rows.filter(pl.col("batch") == batch)
        fingerprint = digest({"rows": own.rows()})
        writes.append(Write(MANUSCRIPTS, TABLES[MANUSCRIPTS].ddl(), own, {"batch": batch}))
        writes.append(
            record_write(Record(MANUSCRIPTS, batch, fingerprint, fingerprint, "", frozenset(), own.height))
        )
    if writes:
        warehouse.replace(writes)
    return batches


def _count(taken: TakenManuscripts, before: pl.DataFrame, rows: pl.DataFrame, came: Iterable[Row]) -> None:
    held = {(row["forum_id"], row["version"]): row["file_id"] for row in before.iter_rows(named=True)}
    papers = {(row["forum_id"], row["version"]): row for row in rows.iter_rows(named=True)}
    for row in came:
        if row["rejected"]:
            continue
        key = (row["forum_id"], row["version"])
        if key not in held:
            taken.new += 1
        elif held[key] == row["file_id"]:
            taken.known += 1
        else:
            taken.replaced += 1
        paper_id = papers[key]["paper_id"]
        if paper_id.rpartition(".")[0] != row["forum_id"]:
            taken.as_papers[row["file_name"]] = paper_id
