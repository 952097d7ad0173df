"""What becomes of the input files when files arrive and articles change: rows in, rows out.

A file keeps its row for ever. A new version of an article goes into the batch of the old one, whose row is
retired; so is that of a paper which was withdrawn. What is retired is parsed as a rejected file.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.frames import frame_of

SUPERSEDED = "superseded"

Row = dict[str, Any]
_DESCRIBED = ("pmcid", "version", "licence", "retracted")


@dataclass(frozen=True, slots=True)
class Article:
    """An article of PubMed Central that was looked at; `status` as in `corpus.pmc_articles`.

    `file_id` and `size` are those of its newest version in the file store.
    """

    pmcid: str
    status: str
    version: int = 0
    licence: str = ""
    retracted: bool = False
    file_id: str = ""
    size: int = 0
    doi: str = ""
    pmid: str = ""

    @property
    def paper_ids(self) -> list[str]:
        """The ids that the paper may have: a file of a folder need not know the PMCID."""
        others = {"doi": self.doi.lower(), "pmid": self.pmid}
        return [self.pmcid, *(f"{kind}:{value}" for kind, value in others.items() if value)]


@dataclass(frozen=True, slots=True)
class Numbers:
    """The number of the next new batch, and that of this ingest."""

    batch: int
    ingest: int

    @classmethod
    def after(cls, known: pl.DataFrame) -> "Numbers":
        """Those that follow all known rows."""
        ingests: pl.Series = known["ingest"].drop_nulls()
        return cls(known["batch"].n_unique() + 1, max(ingests, default=0) + 1)


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file in the store that was not ingested before. `paper_id` is None when it holds no paper."""

    file_id: str
    file_name: str
    size: int
    paper_id: str | None
    article: Article | None = None


def take_in(
    known: pl.DataFrame,
    files: Iterable[InputFile],
    articles: Iterable[Article],
    papers_per_batch: int,
    numbers: Numbers | None = None,
) -> pl.DataFrame:
    """`corpus.input_files` as it is to be: `known` rows, new `files` of a folder, and all `articles`.

    `numbers` are those to go on with where there are more rows than the `known` ones (those of documents).
    """
    rows = {row["file_id"]: row for row in known.iter_rows(named=True)}
    of_paper = _by_paper(rows.values())
    listed = list(articles)
    served = {article.file_id for article in listed if article.status == "in"}
    new = [file for file in files if file.file_id not in served]
    for article in listed:
        earlier = [row for paper in article.paper_ids for row in of_paper.get(paper, [])]
        if article.status == "in":
            current = _current(article, rows, earlier)
            if current is None:
                name = f"{article.pmcid}.{article.version}.xml"
                new.append(InputFile(article.file_id, name, article.size, article.pmcid, article))
                current = {"file_id": article.file_id}
            _retire((row for row in earlier if row["file_id"] != current["file_id"]), SUPERSEDED)
        elif article.status != "pending":
            _retire((row for row in earlier if row["pmcid"]), article.status)
    used = [article for article in listed if article.status == "in"]
    pmcids = {paper: article.pmcid for article in used for paper in article.paper_ids}
    new = [replace(file, paper_id=pmcids.get(file.paper_id or "", file.paper_id)) for file in new]
    allocated = allocate(new, frame_of(INPUT_FILES, rows.values()), papers_per_batch, numbers)
    return frame_of(INPUT_FILES, [*rows.values(), *allocated])


def allocate(
    new_files: Sequence[InputFile],
    known: pl.DataFrame,
    papers_per_batch: int,
    numbers: Numbers | None = None,
) -> Iterator[Row]:
    """Rows of `corpus.input_files` for new files: by name, `papers_per_batch` to a batch.

    A file whose paper came before (`known`, or earlier among the new ones) is marked as its duplicate.
    """
    owner = {
        row["paper_id"]: row["file_id"]
        for row in known.iter_rows(named=True)
        if row["paper_id"] is not None and row["duplicate_of"] is None and row["retired"] is None
    }
    numbers = numbers or Numbers.after(known)
    # Articles first: of two files of a paper, PubMed Central's is the one that is kept up to date.
    in_order = sorted(new_files, key=lambda file: (file.article is None, file.file_name, file.file_id))
    for number, file in enumerate(in_order):
        duplicate_of = owner.get(file.paper_id) if file.paper_id else None
        if file.paper_id and duplicate_of is None:
            owner[file.paper_id] = file.file_id
        yield {
            "file_id": file.file_id,
            "file_name": file.file_name,
            "bytes": file.size,
            "batch": f"batch-{numbers.batch + number // papers_per_batch:04d}",
            "ingest": numbers.ingest,
            "paper_id": file.paper_id,
            "duplicate_of": duplicate_of,
            **_description(file.article),
            "retired": None,
            "shard": None,
            "place": None,
            "given_id": None,
        }


def _by_paper(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows of each paper, in the order in which they came; a row of an article counts as that paper's."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        for paper in {row["paper_id"], row["pmcid"]} - {None}:
            found.setdefault(paper, []).append(row)
    return found


def _current(article: Article, rows: dict[str, Row], earlier: Sequence[Row]) -> Row | None:
    """The row of the article's file, brought up to date, in the batch of the paper; None for a new paper."""
    row = rows.get(article.file_id)
    if row is None and earlier:
        row = rows[article.file_id] = {
            **next((used for used in earlier if _is_used(used)), earlier[-1]),
            "file_id": article.file_id,
            "file_name": f"{article.pmcid}.{article.version}.xml",
            "bytes": article.size,
        }
    if row is not None:
        row |= {
            "paper_id": article.pmcid,
            "duplicate_of": None,
            "retired": None,
            **_description(article),
        }
    return row


def _description(article: Article | None) -> Row:
    return {name: getattr(article, name) if article else None for name in _DESCRIBED}


def _retire(rows: Iterable[Row], reason: str) -> None:
    for row in rows:
        if _is_used(row):
            row["retired"] = reason


def _is_used(row: Row) -> bool:
    return row["retired"] is None and row["duplicate_of"] is None
