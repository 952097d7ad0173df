"""What becomes of the input files when files arrive and articles change: rows in, rows out.

A file keeps its row for ever. A new version of an article goes into the batch of the old one, whose row is
retired; so is that of a paper which was withdrawn. What is retired is parsed as a rejected file.

Files that share a key hold one paper, and one of them is used: the one from PubMed Central, else JATS, else
the one that came first. JATS takes the batch of a PDF that came in an earlier ingest: which format is used
does not depend on the order in which files came.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.frames import frame_of

SUPERSEDED = "superseded"

Row = dict[str, Any]
_DESCRIBED = ("pmcid", "version", "licence", "retracted")
_UNDESCRIBED: Row = dict.fromkeys(_DESCRIBED)


@dataclass(frozen=True, slots=True)
class Article:
    """An article of PubMed Central that was looked at; `status` as in `corpus.pmc_articles`.

    `file_id` and `size` are those of its newest version in the file store, `read_keys` what was read there.
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
    read_keys: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        """The name of its file of JATS."""
        return f"{self.pmcid}.{self.version}.xml"

    @property
    def keys(self) -> tuple[str, ...]:
        """What other files of the paper may share: a file of a folder need not know the PMCID."""
        others = {"doi": self.doi.lower(), "pmid": self.pmid}
        ids = (self.pmcid, *(f"{kind}:{value}" for kind, value in others.items() if value))
        return tuple(dict.fromkeys((*ids, *self.read_keys)))


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
    """A file in the store that was not ingested before. `paper_id` is None when it holds no paper.

    `licence` was stated for it; `keys` are what other files of the paper may share.
    """

    file_id: str
    file_name: str
    size: int
    paper_id: str | None
    article: Article | None = None
    source: str | None = None
    keys: tuple[str, ...] = ()
    licence: str | None = None


def take_in(
    known: pl.DataFrame,
    files: Iterable[InputFile],
    articles: Iterable[Article],
    papers_per_batch: int,
    numbers: Numbers | None = None,
) -> pl.DataFrame:
    """Return `corpus.input_files` as it is to be: `known` rows, new `files` of a folder, and all `articles`.

    `numbers` are those to go on with where there are more rows than the `known` ones (those of documents).
    """
    rows = {row["file_id"]: row for row in known.iter_rows(named=True)}
    of_key = _by_key(rows.values())
    listed = list(articles)
    served = {article.file_id for article in listed if article.status == "in"}
    new = [file for file in files if file.file_id not in served]
    # Articles that are gone come first: another article may have been a duplicate of one.
    for article in sorted(listed, key=lambda article: article.status == "in"):
        earlier = [row for row in _sharing(article.keys, of_key) if row["pmcid"] in (None, article.pmcid)]
        if article.status == "in":
            current = _current(article, rows, earlier)
            if current is None:
                new.append(
                    InputFile(
                        article.file_id, article.file_name, article.size, article.pmcid, article, "jats"
                    )
                )
                current = {"file_id": article.file_id}
            _retire((row for row in earlier if row["file_id"] != current["file_id"]), SUPERSEDED)
        elif article.status != "pending":
            _retire((row for row in earlier if row["pmcid"]), article.status)
    new = [file for file in sorted(new, key=_place) if not _takes_place(file, rows, of_key)]
    allocated = allocate(new, frame_of(INPUT_FILES, rows.values()), papers_per_batch, numbers)
    return frame_of(INPUT_FILES, [*rows.values(), *allocated])


def allocate(
    new_files: Sequence[InputFile],
    known: pl.DataFrame,
    papers_per_batch: int,
    numbers: Numbers | None = None,
) -> Iterator[Row]:
    """Yield rows of `corpus.input_files` for new files: by name, `papers_per_batch` to a batch.

    A file that shares a key with one that is used, `known` or new, is marked as its duplicate.
    """
    rows = {row["file_id"]: row for row in known.iter_rows(named=True)}
    numbers = numbers or Numbers.after(known)
    placed = {
        file.file_id: _row(file, numbers.batch + number // papers_per_batch, numbers.ingest)
        for number, file in enumerate(sorted(new_files, key=_place))
    }
    owners = _owners(rows.values())
    for file in sorted(new_files, key=lambda file: (file.source == "pdf", _place(file))):
        row = placed[file.file_id]
        keys = _keys(row)
        owner = next((owners[key] for key in keys if key in owners), None)
        if owner:
            row |= {"duplicate_of": owner, "paper_id": (rows | placed)[owner]["paper_id"]}
        owners |= {key: owner or file.file_id for key in keys if key not in owners}
    yield from placed.values()


def _place(file: InputFile) -> tuple[bool, str, str]:
    """Articles come first: of two files of a paper, PubMed Central's is the one that is kept up to date."""
    return (file.article is None, file.file_name, file.file_id)


def _row(file: InputFile, batch: int, ingest: int) -> Row:
    return {
        "file_id": file.file_id,
        "file_name": file.file_name,
        "bytes": file.size,
        "batch": f"batch-{batch:04d}",
        "ingest": ingest,
        "paper_id": file.paper_id,
        "duplicate_of": None,
        **(_description(file.article) if file.article else {**_UNDESCRIBED, "licence": file.licence}),
        "retired": None,
        "shard": None,
        "place": None,
        "given_id": None,
        "source": file.source,
        "keys": _listed(file.article.keys if file.article else file.keys),
    }


def _keys(row: Mapping[str, Any]) -> list[str]:
    """What other files of the row's paper may share; nothing for a manuscript, whose versions are papers."""
    if row["given_id"]:
        return []
    return [key for key in dict.fromkeys((row["paper_id"], row["pmcid"], *(row["keys"] or ()))) if key]


def _owners(rows: Iterable[Row]) -> dict[str, str]:
    """The file that is used, by each key of it and of its duplicates."""
    listed = list(rows)
    used = {row["file_id"] for row in listed if _is_used(row)}
    owners: dict[str, str] = {}
    for row in sorted(listed, key=lambda row: not _is_used(row)):
        owner = row["duplicate_of"] or row["file_id"]
        if owner in used and not row["retired"]:
            owners |= {key: owner for key in _keys(row) if key not in owners}
    return owners


def _by_key(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows by each of their keys, in the order in which they came; duplicates also by the used file."""
    of_key = defaultdict(list)
    for row in rows:
        for key in (*_keys(row), row["duplicate_of"]):
            if key:
                of_key[key].append(row)
    return of_key


def _sharing(keys: Iterable[str], of_key: Mapping[str, list[Row]]) -> list[Row]:
    """The rows that share any of the keys, each once."""
    return list({row["file_id"]: row for key in keys for row in of_key.get(key, [])}.values())


def _takes_place(file: InputFile, rows: dict[str, Row], of_key: dict[str, list[Row]]) -> bool:
    """Whether a file of JATS takes the place of PDFs, and the batch of the first; they become duplicates."""
    sharing = _sharing((file.paper_id or "", *file.keys), of_key)
    used = [row for row in sharing if _is_used(row)]
    if file.source != "jats" or file.article or not used or any(row["source"] != "pdf" for row in used):
        return False
    placed = rows[file.file_id] = {
        **_row(file, 0, used[0]["ingest"]),
        "batch": used[0]["batch"],
        "keys": _listed([*file.keys, *(key for row in used for key in row["keys"] or ())]),
    }
    replaced = [*used, *_sharing((row["file_id"] for row in used), of_key)]
    for row in replaced:
        row |= {"duplicate_of": file.file_id, "paper_id": file.paper_id}
    for key, sharing in [*((key, [placed]) for key in _keys(placed)), (file.file_id, replaced)]:
        of_key.setdefault(key, []).extend(sharing)
    return True


def _current(article: Article, rows: dict[str, Row], earlier: Sequence[Row]) -> Row | None:
    """The row of the article's file, brought up to date, in the batch of the paper; None for a new paper."""
    row = rows.get(article.file_id)
    if row is None and earlier:
        row = rows[article.file_id] = {
            **next((used for used in earlier if _is_used(used)), earlier[-1]),
            "file_id": article.file_id,
            "file_name": article.file_name,
            "bytes": article.size,
        }
    if row is not None:
        owner = rows.get(row["duplicate_of"], {})
        if not (owner and owner["pmcid"] not in (None, article.pmcid) and _is_used(owner)):
            row |= {"paper_id": article.pmcid, "duplicate_of": None}
        row |= {
            "retired": None,
            "source": "jats",
            "keys": _listed([*(row["keys"] or ()), *article.keys]),
            **_description(article),
        }
    return row


def _listed(keys: Iterable[str]) -> list[str] | None:
    return sorted(set(keys)) or None


def _description(article: Article) -> Row:
    return {name: getattr(article, name) for name in _DESCRIBED}


def _retire(rows: Iterable[Row], reason: str) -> None:
    for row in rows:
        if _is_used(row):
            row["retired"] = reason


def _is_used(row: Row) -> bool:
    return row["retired"] is None and row["duplicate_of"] is None
