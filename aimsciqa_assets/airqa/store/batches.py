"""The files of a batch -> rows of the paper store, as the warehouse keeps them until they are published."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from aimsciqa_assets.airqa.store.rows import UNCATEGORIZED, Count, Publication, Row, rows_of, uuid_of
from aimsciqa_assets.airqa.store.schema import TABLES, encodable_columns
from aimsciqa_assets.reading.contents import Contents
from aimsciqa_assets.reading.paper import RejectedFileError

PAPERS: Final = "airqa.papers"
ROWS: Final = "airqa.rows"
VECTORS: Final = "airqa.vectors"

_COUNTED = ("pages", "sections", "tables", "images", "equations")
Read = tuple[str, Contents] | RejectedFileError


def publication_of(file_name: str, known: Mapping[str, Any]) -> Publication:
    """What the corpus knows of where a paper appeared; `known` is its row of `corpus.papers`, or empty."""
    journal = known.get("journal") or None
    return Publication(
        conference_full=journal,
        conference="".join(journal.split()) if journal else UNCATEGORIZED,
        year=known.get("year"),
        volume=known.get("volume") or None,
        download_url=f"https://doi.org/{known['doi']}" if known.get("doi") else known.get("url") or None,
        path=file_name,
    )


def with_imprint(publication: Publication, contents: Contents, uuid: str) -> Publication:
    """The same with what the file itself prints, where nothing else is known.

    The id of the paper stays what it was without that: a better reader gives no new ids.
    """
    venue = publication.conference_full or contents.venue or None
    short = contents.abbreviation or "".join(contents.venue.split()) or UNCATEGORIZED
    return replace(
        publication,
        uuid=uuid,
        conference_full=venue,
        conference=publication.conference if publication.conference != UNCATEGORIZED else short,
        year=publication.year or contents.year,
        volume=publication.volume or contents.volume or None,
    )


def batch_rows(
    files: Sequence[Mapping[str, Any]],
    readings: Iterable[Read],
    papers: Mapping[str, Mapping[str, Any]],
    count: Count,
    chunk_size: int,
) -> dict[str, list[Row]]:
    """Rows of `airqa.papers` and `airqa.rows`; `papers` are rows of `corpus.papers` by their file."""
    found: dict[str, list[Row]] = {PAPERS: [], ROWS: []}
    first: dict[str, str] = {}
    for file, read in zip(files, readings, strict=True):
        known = papers.get(file["file_id"], {})
        if isinstance(read, RejectedFileError):
            found[PAPERS].append(_paper_row(file, rejection=read))
            continue
        source, contents = read
        told = contents.published
        publication = Publication(**told) if told else publication_of(file["file_name"], known)
        contents.title = contents.title or known.get("title") or ""
        uuid = uuid_of(contents.title, publication)
        if uuid in first:
            rejection = RejectedFileError("same_uuid", f"title and venue are those of {first[uuid]}")
            found[PAPERS].append(_paper_row(file, rejection=rejection))
            continue
        first[uuid] = file["file_name"]
        found[PAPERS].append(_paper_row(file, source=source, uuid=uuid, contents=contents))
        if not told:
            publication = with_imprint(publication, contents, uuid)
        by_table = rows_of(contents, publication, count, chunk_size, printed=source != "jats")
        found[ROWS] += _kept(by_table, uuid, file["batch"])
    return found


def _paper_row(
    file: Mapping[str, Any],
    rejection: RejectedFileError | None = None,
    source: str | None = None,
    uuid: str | None = None,
    contents: Contents | None = None,
) -> Row:
    return {
        "file_id": file["file_id"],
        "batch": file["batch"],
        "paper_id": file["paper_id"],
        "uuid": uuid,
        "source": source,
        "title": contents.title if contents else None,
        **{name: len(getattr(contents, name)) if contents else None for name in _COUNTED},
        "entries": len(contents.references) if contents else None,
        "rejection_reason": rejection.reason if rejection else None,
        "detail": rejection.detail if rejection else None,
    }


def _kept(by_table: Mapping[str, Sequence[Row]], uuid: str, batch: str) -> Iterator[Row]:
    numbers = {row["page_id"]: row["page_number"] for row in by_table["pages"]}
    for one in TABLES:
        for row in by_table[one.name]:
            page = row.get("page_number") or numbers.get(row.get("ref_page_id")) or -1
            yield {
                "table_name": one.name,
                "primary_key": row[one.key],
                "batch": batch,
                "uuid": uuid,
                "page_number": page,
                "row": json.dumps(row, ensure_ascii=False),
            }


def encodable_cells(kept: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Row, str]]:
    """Every cell that is encoded as text, and its text; empty cells are not."""
    columns: dict[str, list[str]] = {}
    for table, column in encodable_columns():
        if column.encodable == "text":
            columns.setdefault(table.name, []).append(column.name)
    for one in kept:
        row = json.loads(one["row"])
        for column_name in columns.get(one["table_name"], ()):
            text = row[column_name]
            if text and text.strip():
                names = {
                    name: one[name] for name in ("table_name", "primary_key", "batch", "uuid", "page_number")
                }
                yield {**names, "column_name": column_name}, text
