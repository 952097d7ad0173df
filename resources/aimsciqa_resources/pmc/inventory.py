"""The daily inventory of the PMC Cloud Service: all article versions with the ETags of their metadata.

There are more than nine million versions. They are read in blocks and kept as numbers, 14 bytes each; two
inventories are compared without a Python object per row.
"""

import gzip
import io
import json
import re
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from aimsciqa_resources.pmc.bucket import folders
from aimsciqa_resources.pmc.client import Answer, PmcClient
from aimsciqa_resources.pmc.errors import (
    IncompleteListingError,
    NoSuchObjectError,
    UnexpectedAnswerError,
)

INVENTORIES = "inventory-reports/pmc-oa-opendata/metadata/"
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}-\d{2}Z")
_KEY = r"^metadata/PMC(?<article>[1-9]\d*)\.(?<version>[1-9]\d*)\.json$"
_COLUMNS = ("bucket", "key", "modified", "etag")
_BLOCK = 2**24
_LONGEST_LINE = 2**16
_ETAG_DIGITS = 16
_VERSIONS = 2**16
_SCHEMA = pl.Schema({"article": pl.UInt32(), "version": pl.UInt16(), "etag": pl.UInt64()})


@dataclass(frozen=True)
class Inventory:
    """Each article version once, as the bucket lists its keys.

    `rows` has article (the digits of its PMCID), version, and etag (its first 64 bits).
    `taken_at` is the name of its folder, such as `2026-09-21T01-00Z`: inventories sort by it.
    """

    taken_at: str
    rows: pl.DataFrame

    def write(self, file: Path) -> None:
        """Keep it as a Parquet file, for comparison with later ones."""
        self.rows.write_parquet(file, metadata={"taken_at": self.taken_at})

    @classmethod
    def read(cls, file: Path) -> "Inventory":
        """Read an inventory that `write` kept."""
        return cls(pl.read_parquet_metadata(file)["taken_at"], pl.read_parquet(file))


def dates(client: PmcClient) -> list[str]:
    """The names of the available inventories, oldest first."""
    found = [folder.removeprefix(INVENTORIES).rstrip("/") for folder in folders(client, INVENTORIES)]
    return sorted(name for name in found if _DATED.fullmatch(name))


def newest_inventory(client: PmcClient) -> Inventory:
    """The newest inventory that is complete: one without a manifest is still being written.

    Raises `IncompleteListingError` when there is none, or when it does not match its manifest.
    """
    for taken_at in reversed(dates(client)):
        try:
            parts = client.read(f"{INVENTORIES}{taken_at}/manifest.json", _parts)
        except NoSuchObjectError:
            continue
        return Inventory(taken_at, _rows(client, parts))
    raise IncompleteListingError(f"There is no complete inventory under {INVENTORIES}.")


def changes(previous: Inventory, current: Inventory) -> pl.DataFrame:
    """What happened between two inventories: pmcid, version, kind (`added`, `changed` or `gone`).

    Ordered by article and version. This is a streamed join over one number per row: a join over two columns
    takes twice the memory.
    """
    before, now = pl.col("etag"), pl.col("etag_now")
    return (
        _keyed(previous)
        .join(_keyed(current), on="key", how="full", coalesce=True, suffix="_now")
        .filter(before.ne_missing(now))
        .sort("key")
        .select(
            pmcid=pl.format("PMC{}", pl.col("key") // _VERSIONS),
            version=(pl.col("key") % _VERSIONS).cast(_SCHEMA["version"]),
            kind=pl.when(before.is_null())
            .then(pl.lit("added"))
            .when(now.is_null())
            .then(pl.lit("gone"))
            .otherwise(pl.lit("changed")),
        )
        .collect(engine="streaming")
    )


def moved_on(known: Mapping[str, tuple[int, str]], current: Inventory) -> set[str]:
    """The known articles (PMCID: version, etag) whose newest version or etag in the inventory is another one.

    An article that the inventory lacks is included: the bucket then tells if it was withdrawn. An article
    known as missing (version 0) is included when the inventory has it.
    """
    ours = pl.DataFrame(
        {
            "article": [int(pmcid.removeprefix("PMC")) for pmcid in known],
            "version": [version for version, _ in known.values()],
            "etag": [int(etag[:_ETAG_DIGITS] or "0", 16) for _, etag in known.values()],
        },
        schema=_SCHEMA,
    )
    theirs = current.rows.join(ours, on="article", how="semi")
    newest = theirs.filter(pl.col("version") == pl.col("version").max().over("article"))
    moved = ours.join(newest, on=["article", "version", "etag"], how="anti").filter(
        (pl.col("version") > 0) | pl.col("article").is_in(newest["article"].to_list())
    )
    return {f"PMC{article}" for article in moved["article"]}


@dataclass(frozen=True, slots=True)
class _Part:
    key: str
    md5: str


def _parts(answer: Answer) -> list[_Part]:
    try:
        manifest = json.loads(answer.content)
        columns = [name.strip() for name in manifest.get("fileSchema", "").lower().split(",") if name.strip()]
        parts = [_Part(str(part["key"]), str(part["MD5checksum"]).lower()) for part in manifest["files"]]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UnexpectedAnswerError(f"This is not a manifest: {type(error).__name__}: {error}") from None
    if columns and (len(columns) != len(_COLUMNS) or (columns[1], columns[3]) != ("key", "etag")):
        raise UnexpectedAnswerError(f"The inventory has other columns: {', '.join(columns)}.")
    return parts


def _rows(client: PmcClient, parts: list[_Part]) -> pl.DataFrame:
    """The rows of all parts, each part on disk only while it is read."""
    blocks = [pl.DataFrame(schema=_SCHEMA)]
    with tempfile.TemporaryDirectory(prefix="pmc-inventory-") as folder:
        file = Path(folder) / "part.csv.gz"
        for part in parts:
            client.save(part.key, part.md5, file, client.settings.part_deadline_seconds)
            blocks += [_read(block, part.key) for block in _blocks(file, part.key)]
    rows = pl.concat(blocks, rechunk=True)
    if rows.is_empty():
        raise IncompleteListingError("The inventory is empty.")
    return rows


def _blocks(file: Path, key: str) -> Iterator[bytes]:
    """The lines of a gzipped file, in blocks of whole lines of about 16 MB."""
    try:
        with gzip.open(file) as content:
            while block := content.read(_BLOCK):
                rest = content.readline(_LONGEST_LINE)
                if len(rest) == _LONGEST_LINE:
                    raise IncompleteListingError(f"{key}: a line of more than {_LONGEST_LINE:,} bytes.")
                yield block + rest
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise IncompleteListingError(f"{key}: {error}") from None


def _read(block: bytes, key: str) -> pl.DataFrame:
    try:
        lines = pl.read_csv(io.BytesIO(block), has_header=False, schema=dict.fromkeys(_COLUMNS, pl.String))
        return (
            lines.lazy()
            .select(
                pl.col("key").str.extract_groups(_KEY).alias("names"),
                pl.col("etag").str.slice(0, _ETAG_DIGITS),
            )
            .unnest("names")
            .drop_nulls("article")
            .with_columns(pl.col("etag").str.to_integer(base=16, dtype=pl.UInt64))
            .cast(_SCHEMA)
            .collect()
        )
    except pl.exceptions.PolarsError as error:
        raise IncompleteListingError(f"{key} cannot be read: {error}") from None


def _keyed(inventory: Inventory) -> pl.LazyFrame:
    """The rows with article and version as one number."""
    key = pl.col("article").cast(pl.UInt64) * _VERSIONS + pl.col("version")
    return inventory.rows.lazy().select(key.alias("key"), "etag")
