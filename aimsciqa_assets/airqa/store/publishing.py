"""Publishes the paper store: `airqa/papers.duckdb` with the eight tables, and the vectors beside it.

The store holds nothing but the eight tables: models write SQL that is run on it. Vectors stand in a file of
their own, without the texts, which are looked up in the store by table, column and key.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl
from aimsciqa_resources.disk import taking_the_place_of
from aimsciqa_resources.warehouse.paper_store import new_database

from aimsciqa_assets.airqa.store.schema import SUMMARY_COLUMNS, TABLES, schema_description, schema_sql
from aimsciqa_assets.airqa.store.vectors import VectorsError, new_vectors

STORE: Final = "airqa.store"
_POLARS: Final[Mapping[str, pl.DataType]] = {
    "UUID": pl.String(),
    "VARCHAR": pl.String(),
    "INTEGER": pl.Int32(),
    "VARCHAR[]": pl.List(pl.String()),
    "INTEGER[]": pl.List(pl.Int32()),
    "INTEGER[4]": pl.List(pl.Int32()),
}
_MADE_BY: Final = ("encoder", "encoder_revision")


def papers_file(home: Path) -> Path:
    """Where the store is."""
    return home / "airqa" / "papers.duckdb"


def vectors_file(home: Path) -> Path:
    """Where its vectors are."""
    return home / "airqa" / "vectors.arrow"


def schema_files(home: Path) -> tuple[Path, Path]:
    """Where the description of the tables is that prompts are made from, and the SQL that creates them."""
    return home / "airqa" / "papers.json", home / "airqa" / "papers.sql"


def published_files(home: Path) -> tuple[Path, ...]:
    """All files of the store, whether they are there or not."""
    return papers_file(home), vectors_file(home), *schema_files(home)


def withdraw(home: Path) -> None:
    """Remove what was published."""
    for file in published_files(home):
        file.unlink(missing_ok=True)


def publish_schema(home: Path) -> None:
    """Write the description of the tables, as JSON and as SQL."""
    described = json.dumps(schema_description(), ensure_ascii=False, indent=2) + "\n"
    for file, text in zip(schema_files(home), (described, schema_sql()), strict=True):
        with taking_the_place_of(file) as fresh:
            fresh.write_text(text, encoding="utf-8")


def publish_papers(target: Path, batches: Iterable[pl.DataFrame]) -> list[dict[str, Any]]:
    """Write the store from rows of `airqa.rows`, a frame for each batch; what stands in it, by paper.

    A paper that several batches have comes from the first of them.
    """
    types = {one.name: {column.name: column.type for column in one.columns} for one in TABLES}
    published: dict[str, dict[str, Any]] = {}
    summaries: Counter[str] = Counter()
    with new_database(target, schema_sql(), types) as insert:
        for kept in batches:
            fresh = kept.filter(~pl.col("uuid").is_in([*published]))
            for one in TABLES:
                rows = fresh.filter(pl.col("table_name") == one.name)["row"]
                if rows.len():
                    schema = {column.name: _POLARS[column.type] for column in one.columns}
                    found = pl.DataFrame([json.loads(row) for row in rows], schema=schema)
                    insert(one.name, found)
                    summaries.update(_summarised(one.name, found))
            for uuid, batch, count in fresh.group_by("uuid", "batch").len().sort("uuid").iter_rows():
                published[uuid] = {"uuid": uuid, "from_batch": batch, "store_rows": count, "store_vectors": 0}
    return [one | {"store_summaries": summaries[uuid]} for uuid, one in published.items()]


def _summarised(table: str, rows: pl.DataFrame) -> pl.Series:
    """The paper of each row with a summary or tldr."""
    paper = "paper_id" if table == "metadata" else "ref_paper_id"
    if table not in SUMMARY_COLUMNS:
        return rows[paper].clear()
    return rows.filter(pl.col(SUMMARY_COLUMNS[table]).fill_null("") != "")[paper]


def publish_vectors(
    target: Path, published: Iterable[dict[str, Any]], batches: Callable[[], Iterable[pl.DataFrame]]
) -> None:
    """Write the vectors of the papers in the store, and count them; without any, remove the file.

    `batches` gives rows of `airqa.vectors`, a frame for each batch, each time it is called. Raises
    `VectorsError` when the batches were encoded by several encoders.
    """
    by_uuid = {one["uuid"]: one for one in published}
    batch_of = {uuid: one["from_batch"] for uuid, one in by_uuid.items()}
    first = next((frame for frame in batches() if frame.height), None)
    if first is None:
        target.unlink(missing_ok=True)
        return
    encoder = first.select(_MADE_BY).row(0)
    with new_vectors(target, len(first["vector"][0]), encoder) as file:
        for frame in batches():
            from_batch = pl.col("uuid").replace_strict(batch_of, default=None, return_dtype=pl.String)
            wanted = frame.filter(from_batch == pl.col("batch"))
            if others := sorted({*wanted.select(_MADE_BY).unique().iter_rows()} - {encoder}):
                raise VectorsError(
                    f"The vectors of the paper store are those of several encoders ({encoder}, {others[0]}). "
                    "Start `aimsciqa airqa store`, which encodes all papers with the one of the settings."
                )
            file.add(wanted)
            for uuid, count in wanted.group_by("uuid").len().iter_rows():
                by_uuid[uuid]["store_vectors"] = count
