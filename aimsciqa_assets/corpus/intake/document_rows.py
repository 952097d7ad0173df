"""Listed lines of documents become rows of `corpus.input_files`, in queries whose memory is bounded.

The rules are those of files: a line is known by its bytes, wherever it stands; of two documents with one id
the first counts, and the other is its duplicate; rows are for ever. The documents of an ingest have batches
of their own, in the order of their lines.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import polars as pl
from aimsciqa_resources.file_store import FileStore, StoredFileError
from aimsciqa_resources.warehouse import BoundedTables, Warehouse

from aimsciqa_assets.corpus.intake.allocation import Numbers
from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.frames import as_declared

_AT_ONCE = 10_000

# Of equal lines the first.
_CAME = """
select came.*
from read_parquet($listed) as came
semi join (select min(number) as number from read_parquet($listed) group by file_id) as firsts
    on came.number = firsts.number
"""
_NEW = """
select row_number() over (order by came.number) - 1 as rank, came.*
from read_parquet($came) as came
anti join corpus.input_files as known on came.file_id = known.file_id
order by rank
"""
_OTHER_SHARDS = """
select distinct known.shard
from corpus.input_files as known
semi join read_parquet($came) as came on known.file_id = came.file_id
where known.shard is not null and known.shard not in (select shard from read_parquet($came))
"""
# What is known already stays as it is, but for a licence that is told only now, and a shard that got lost.
_AGAIN = """
select
    known.* replace (
        if($licence = '', known.licence, $licence) as licence,
        if(known.shard in $unfit, came.shard, known.shard) as shard,
        if(known.shard in $unfit, came.place, known.place) as place
    )
from corpus.input_files as known
inner join read_parquet($came) as came on known.file_id = came.file_id
where
    known.shard is not null
    and (($licence <> '' and known.licence is distinct from $licence) or known.shard in $unfit)
"""
# All rows of each batch that changes, for its record.
_ROWS = """
with holders as (
    select paper_id, file_id
    from corpus.input_files
    where paper_id in (select paper_id from read_parquet($new)) and duplicate_of is null and retired is null
),

firsts as (
    select paper_id, min(rank) as rank
    from read_parquet($new)
    where paper_id is not null
    group by paper_id
),

added as (
    select
        new.file_id,
        new.file_name,
        new.bytes,
        printf('batch-%04d', ($batch + new.rank // $papers_per_batch)::bigint) as batch,
        $ingest as ingest,
        new.paper_id,
        coalesce(holders.file_id, if(firsts.rank < new.rank, earlier.file_id, null)) as duplicate_of,
        nullif($licence, '') as licence,
        new.shard,
        new.place
    from read_parquet($new) as new
    left join holders on new.paper_id = holders.paper_id
    left join firsts on new.paper_id = firsts.paper_id
    left join read_parquet($new) as earlier on firsts.rank = earlier.rank
),

in_changed_batches as (
    select known.*
    from corpus.input_files as known
    anti join read_parquet($again) as again on known.file_id = again.file_id
    where known.batch in (select batch from read_parquet($again))
)

from added
union all by name
from in_changed_batches
union all by name
from read_parquet($again)
order by batch, file_id
"""


@dataclass(frozen=True, slots=True)
class DocumentRows:
    """The rows of all batches that change, in `parquet`, with `batch` in order; None where none changes.

    The figures are those of the lines that came: new documents, new lines that are none, new documents with
    the id of another, and lines that were known.
    """

    parquet: Path | None = None
    new: int = 0
    no_documents: int = 0
    duplicates: int = 0
    known: int = 0

    def batches(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Each batch that changes, with its rows."""
        if self.parquet is None:
            return
        import pyarrow.parquet as pq

        pieces = (pl.DataFrame(piece) for piece in pq.ParquetFile(self.parquet).iter_batches(_AT_ONCE))
        parts = (part for piece in pieces for part in piece.partition_by("batch", maintain_order=True))
        for batch, own in groupby(parts, key=lambda part: str(part["batch"][0])):
            yield batch, as_declared(INPUT_FILES, pl.concat(list(own)))


def document_rows(
    listed: list[Path],
    warehouse: Warehouse,
    store: FileStore,
    numbers: Numbers,
    *,
    papers_per_batch: int,
    licence: str,
) -> DocumentRows:
    """What becomes of the listed lines; `licence` is that of documents that name none, "" is not known.

    The rows go into files beside the listed ones.
    """
    if not listed:
        return DocumentRows()
    folder = listed[0].parent
    came, new, again, rows = (folder / f"{name}.parquet" for name in ("came", "new", "again", "rows"))
    with warehouse.exporting(folder) as tables:
        tables.export(_CAME, {"listed": [str(path) for path in listed]}, came)
        unfit = _unfit_shards(tables, store, came)
        tables.export(_NEW, {"came": str(came)}, new)
        tables.export(_AGAIN, {"came": str(came), "licence": licence, "unfit": unfit}, again)
        given = {
            "new": str(new),
            "again": str(again),
            "batch": numbers.batch,
            "ingest": numbers.ingest,
            "papers_per_batch": papers_per_batch,
            "licence": licence,
        }
        tables.export(_ROWS, given, rows)
    own = pl.scan_parquet(rows).filter(pl.col("ingest") == numbers.ingest)
    lines = pl.scan_parquet(listed).select(pl.len()).collect().item()
    counted = own.select(
        added=pl.len(),
        no_documents=pl.col("paper_id").is_null().sum(),
        duplicates=pl.col("duplicate_of").is_not_null().sum(),
    )
    added, no_documents, duplicates = counted.collect().row(0)
    return DocumentRows(
        rows if pl.scan_parquet(rows).select(pl.len()).collect().item() else None,
        added - no_documents - duplicates,
        no_documents,
        duplicates,
        lines - added,
    )


def _unfit_shards(tables: BoundedTables, store: FileStore, came: Path) -> list[str]:
    """The shards of known documents that got lost or were altered, and were not stored again just now."""
    unfit = []
    for (shard,) in tables.read(_OTHER_SHARDS, {"came": str(came)}):
        try:
            store.get(shard, 0)
        except StoredFileError:
            unfit.append(shard)
    return unfit
