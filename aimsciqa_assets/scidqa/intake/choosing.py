"""Of the notes that came the newest version of each, if it is newer than the known one, and their forums.

In queries whose memory is bounded. A new forum goes into the batch of its manuscripts if there is one, else
into a new batch; every note of it, whenever it comes, goes into that batch.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.scidqa.intake.listing import Listed
from aimsciqa_assets.scidqa.intake.row_file import RowFile
from aimsciqa_assets.scidqa.threads import thread_of

_AT_ONCE: Final = 2000

# A version is newer by its stamp, else by its hash, whatever the order in which versions come.
_NEWEST: Final = """
with newest as (
    select
        note_id,
        max({'stamp': stamp, 'raw_hash': raw_hash, 'seq': seq}) as version
    from read_parquet($came)
    group by note_id
)

select newest.note_id, newest.version.seq as seq, known.forum_id as earlier
from newest
left join scidqa.notes as known on newest.note_id = known.note_id
where
    known.note_id is null
    or (newest.version.stamp, newest.version.raw_hash) > (known.stamp, known.raw_hash)
    -- What a server had no more, and has again.
    or ($source = 'server' and known.raw_hash = 'gone')
"""
_FORUMS: Final = """
with touched as (
    select came.forum_id, min(came.seq) as seq
    from read_parquet($came) as came
    semi join read_parquet($newest) as newest on came.seq = newest.seq
    group by came.forum_id
),

manuscripts as (
    select regexp_replace(paper_id, '[.](initial|final)$', '') as forum_id, min(batch) as batch
    from corpus.input_files
    where (paper_id like '%.initial' or paper_id like '%.final') and retired is null
    group by all
),

placed as (
    select touched.forum_id, touched.seq, known.batch as known,
        coalesce(known.batch, manuscripts.batch) as batch
    from touched
    left join scidqa.forums as known on touched.forum_id = known.forum_id
    left join manuscripts on touched.forum_id = manuscripts.forum_id
)

select
    forum_id,
    known is null as is_new,
    coalesce(
        batch,
        printf(
            'batch-%04d',
            ($first + (row_number() over (partition by batch is null order by seq) - 1) // $per_batch)::bigint
        )
    ) as batch
from placed
order by seq
"""
_NOTES: Final = """
select came.* exclude (seq, batch), forums.batch
from read_parquet($came) as came
semi join read_parquet($newest) as newest on came.seq = newest.seq
inner join read_parquet($forums) as forums on came.forum_id = forums.forum_id
"""
# A note that moved leaves its earlier forum.
_CHANGED: Final = """
select forum_id, batch, is_new from read_parquet($forums)
union
select known.forum_id, known.batch, false
from scidqa.forums as known
where
    known.forum_id in (select earlier from read_parquet($newest))
    and known.forum_id not in (select forum_id from read_parquet($forums))
"""
_TREES: Final = """
with everything as (
    select forum_id, note_id, replyto, created, title, venue, year, decision, licence
    from read_parquet($notes)
    union all
    select forum_id, note_id, replyto, created, title, venue, year, decision, licence
    from scidqa.notes
    where note_id not in (select note_id from read_parquet($newest))
)

select changed.batch, everything.*
from read_parquet($changed) as changed
inner join everything on changed.forum_id = everything.forum_id
order by everything.forum_id, everything.note_id
"""
# The same rows have the same mark, in any order.
_MARKS: Final = """
with notes as (
    select batch, md5_number(note_id || raw_hash) as mark from read_parquet($notes)
    union all
    select batch, md5_number(note_id || raw_hash)
    from scidqa.notes
    where note_id not in (select note_id from read_parquet($newest))
),

forums as (
    select batch, md5_number(forums::varchar) as mark from read_parquet($made) as forums
    union all
    select batch, md5_number(forums::varchar)
    from scidqa.forums as forums
    where forum_id not in (select forum_id from read_parquet($made))
),

marked as (
    select 'scidqa.notes' as name, * from notes
    union all
    select 'scidqa.forums', * from forums
)

select name, batch, count(*), bit_xor(mark)::varchar
from marked
where batch in (select batch from read_parquet($changed))
group by name, batch
order by name, batch
"""


class Mark(NamedTuple):
    """How many rows a part of a table has now, and a hash of them."""

    table: str
    batch: str
    rows: int
    mark: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rows to write, in files, and what they are: `reasons` counts those that are rejected."""

    notes: Path
    forums: Path
    marks: list[Mark]
    new: int
    replaced: int
    reasons: dict[str, int]
    new_forums: int
    problems: int


def choose(listed: Listed, warehouse: Warehouse, source: str, first: int, per_batch: int) -> Chosen:
    """What to write of the notes that came; `first` is the number of the next batch."""
    folder = listed.folder
    files: dict[str, Path] = {
        name: folder / f"{name}.parquet" for name in ("newest", "forums", "notes", "changed", "trees", "made")
    }

    came = [str(file) for file in (listed.parquet, listed.gone) if file.exists()]

    with warehouse.exporting(folder) as tables:

        def export(name: str, query: str, **parameters: Any) -> None:
            named = _named(query, files) | ({"came": came} if "$came)" in query else {})
            tables.export(query, named | parameters, files[name])

        def read(query: str) -> list[tuple[Any, ...]]:
            return tables.read(query, _named(query, files))

        export("newest", _NEWEST, source=source)
        export("forums", _FORUMS, first=first, per_batch=per_batch)
        export("notes", _NOTES)
        export("changed", _CHANGED)
        export("trees", _TREES)
        problems = _write_forums(_forum_rows(files["trees"], source), files["made"])
        new, replaced = read(
            "select count(*) filter (earlier is null), count(earlier) from read_parquet($newest)"
        )[0]
        reasons = read(
            "select rejection_reason, count(*) from read_parquet($notes) where rejection_reason is not null "
            "group by all order by all"
        )
        new_forums = read("select count(*) from read_parquet($forums) where is_new")[0][0]
        marks = [Mark(*row) for row in read(_MARKS)]
    return Chosen(files["notes"], files["made"], marks, new, replaced, dict(reasons), new_forums, problems)


def _named(query: str, files: Mapping[str, Path]) -> dict[str, Any]:
    return {name: str(path) for name, path in files.items() if f"${name})" in query}


@dataclass(frozen=True, slots=True)
class _Node:
    note_id: str
    replyto: str | None
    created: str | None


def _forum_rows(trees: Path, source: str) -> Iterator[dict[str, Any]]:
    for forum_id, listed in groupby(_rows(trees), key=lambda row: row["forum_id"]):
        notes = list(listed)
        thread = thread_of(
            forum_id, [_Node(note["note_id"], note["replyto"], note["created"]) for note in notes]
        )
        root = next((note for note in notes if note["note_id"] == forum_id), {})
        told = [root, *(note for note in notes if note is not root)]
        first = {
            name: next((value for note in told if (value := note.get(name))), None)
            for name in ("venue", "year", "decision")
        }
        yield {
            "forum_id": forum_id,
            "batch": notes[0]["batch"],
            "title": root.get("title"),
            **first,
            "licence": root.get("licence"),
            "notes": len(notes),
            "source": source,
            "problems": thread.told_problems,
        }


def _rows(parquet: Path) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    for piece in pq.ParquetFile(parquet).iter_batches(_AT_ONCE):
        yield from piece.to_pylist()


def _write_forums(rows: Iterable[dict[str, Any]], parquet: Path) -> int:
    """Write rows of `scidqa.forums`; returns how many have problems."""
    problems = 0
    with RowFile(parquet, "scidqa.forums") as file:
        for row in rows:
            file.add(row)
            problems += bool(row["problems"])
    return problems
