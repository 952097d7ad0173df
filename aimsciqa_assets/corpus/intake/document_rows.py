"""Listed lines of documents become rows of `corpus.input_files`, in queries whose memory is bounded.

The rules are those of files: a line is known by its bytes, wherever it stands; of two documents with one id
the first counts, and the other is its duplicate; rows are for ever. The documents of an ingest have batches
of their own, in the order of their lines.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

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
# New documents whose id another one has: a known one, or an earlier one among the new.
_HELD = """
select new.rank, known.file_id as duplicate_of
from read_parquet($new) as new
inner join corpus.input_files as known on new.paper_id = known.paper_id
where known.duplicate_of is null and known.retired is null
"""
_REPEATED = """
with firsts as (
    select paper_id, min(rank) as rank
    from read_parquet($new)
    where paper_id is not null
    group by paper_id
    having count(*) > 1
)

select new.rank, earlier.file_id as duplicate_of
from read_parquet($new) as new
inner join firsts on new.paper_id = firsts.paper_id and new.rank > firsts.rank
inner join read_parquet($new) as earlier on firsts.rank = earlier.rank
"""
_ADDED = """
select
    new.file_id,
    new.file_name,
    new.bytes,
    printf('batch-%04d', ($batch + new.rank // $papers_per_batch)::bigint) as batch,
    $ingest as ingest,
    new.paper_id,
    coalesce(held.duplicate_of, repeated.duplicate_of) as duplicate_of,
    null::varchar as pmcid,
    null::integer as version,
    nullif($licence, '') as licence,
    null::boolean as retracted,
    null::varchar as retired,
    new.shard,
    new.place,
    null::varchar as given_id,
    null::varchar as source,
    null::varchar[] as keys
from read_parquet($new) as new
left join read_parquet($held) as held on new.rank = held.rank
left join read_parquet($repeated) as repeated on new.rank = repeated.rank
order by new.rank
"""
# All rows of each batch in which something changes, for its record.
_CHANGED = """
select * from read_parquet($again)
union all by name
select known.*
from corpus.input_files as known
anti join read_parquet($again) as again on known.file_id = again.file_id
where known.batch in (select batch from read_parquet($again))
order by batch
"""


@dataclass(frozen=True, slots=True)
class DocumentRows:
    """The rows of all batches that are new or change, batch by batch, in the Parquet files `parquet`.

    The figures are those of the lines that came: new documents, new lines that are none, new documents with
    the id of another, and lines that were known.
    """

    parquet: tuple[Path, ...] = ()
    new: int = 0
    no_documents: int = 0
    duplicates: int = 0
    known: int = 0

    def batches(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Each batch that is new or changes, with its rows."""
        import pyarrow.parquet as pq

        for file in self.parquet:
            pieces = (pl.DataFrame(piece) for piece in pq.ParquetFile(file).iter_batches(_AT_ONCE))
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
    names = ("came", "new", "again", "held", "repeated", "added", "changed")
    files = {name: str(folder / f"{name}.parquet") for name in names}

    with warehouse.exporting(folder) as tables:

        def export(name: str, query: str, **parameters: Any) -> None:
            named = {file: path for file, path in files.items() if f"${file})" in query}
            tables.export(query, named | parameters, Path(files[name]))

        export("came", _CAME, listed=[str(path) for path in listed])
        export("new", _NEW)
        export("again", _AGAIN, licence=licence, unfit=_unfit_shards(tables, store, files["came"]))
        export("held", _HELD)
        export("repeated", _REPEATED)
        placing = {"batch": numbers.batch, "ingest": numbers.ingest, "papers_per_batch": papers_per_batch}
        export("added", _ADDED, licence=licence, **placing)
        export("changed", _CHANGED)
        count = "select count(*), count(paper_id), count(duplicate_of) from read_parquet($added)"
        added, documents, duplicates = tables.read(count, {"added": files["added"]})[0]
    lines = pl.scan_parquet(listed).select(pl.len()).collect().item()
    return DocumentRows(
        (Path(files["added"]), Path(files["changed"])),
        documents - duplicates,
        added - documents,
        duplicates,
        lines - added,
    )


def _unfit_shards(tables: BoundedTables, store: FileStore, came: str) -> list[str]:
    """The shards of known documents that got lost or were altered, and were not stored again just now."""
    unfit = []
    for (shard,) in tables.read(_OTHER_SHARDS, {"came": came}):
        try:
            store.get(shard, 0)
        except StoredFileError:
            unfit.append(shard)
    return unfit
