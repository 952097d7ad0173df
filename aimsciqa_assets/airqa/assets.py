"""AirQA as assets: papers of each batch read for the paper store, and the store published. Off at first."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
from aimsciqa_resources.tokens import token_counts

from aimsciqa_assets.airqa.store.batches import PAPERS, ROWS, VECTORS, batch_rows, encodable_cells
from aimsciqa_assets.airqa.store.chunks import characters
from aimsciqa_assets.airqa.store.encoding import encoded
from aimsciqa_assets.airqa.store.publishing import (
    STORE,
    papers_file,
    publish_papers,
    publish_schema,
    publish_vectors,
    schema_files,
    vectors_file,
    withdraw,
)
from aimsciqa_assets.airqa.store.reading import read_files
from aimsciqa_assets.airqa.summaries.rows import SUMMARIES, SUMMARY_VECTORS, WRITTEN, filled
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.tables import TABLES

_COUNTS = {"tokens": token_counts, "characters": characters}


@step_asset(
    Step(
        writes=(PAPERS, ROWS),
        reads=("corpus.input_files", "corpus.papers"),
        settings=("airqa.store", "airqa.chunk_size", "airqa.chunk_unit"),
        code="3",
    )
)
def store_papers(run: StepRun) -> Frames:
    """Reads the PDF, JATS and MinerU files of the batch into rows of the paper store (section 4.3).

    Documents that came as lines of JSON have no pages and are left out.
    """
    chosen = run.settings.airqa
    where = "shard is null and retired is null and duplicate_of is null" if chosen.store else "false"
    files = run.read_part("corpus.input_files", where).to_dicts()
    papers = {row["content_hash"]: row for row in run.read_part("corpus.papers").iter_rows(named=True)}
    named = [{name: file[name] for name in ("file_id", "file_name")} for file in files]
    readings = read_files(named, run.files.get)
    rows = batch_rows(files, readings, papers, _COUNTS[chosen.chunk_unit], chosen.chunk_size)
    return {table: frame_of(table, some).sort(*TABLES[table].key) for table, some in rows.items()}


@step_asset(Step(writes=(VECTORS,), reads=(ROWS,), settings=("airqa.vectors",), encodes=True))
def store_vectors(run: StepRun) -> Frames:
    """Encodes every encodable cell of the batch's rows, as text; pictures are left to a picture model."""
    kept = run.read_part(ROWS) if run.settings.airqa.vectors else pl.DataFrame()
    return {VECTORS: encoded(VECTORS, encodable_cells(kept.iter_rows(named=True)), run.encoder)}


def _files(run: StepRun, _rows: pl.DataFrame) -> dict[str, Path]:
    made = (papers_file(run.home), vectors_file(run.home), *schema_files(run.home))
    return {file.name: file for file in made if file.exists()}


def _is_there(run: StepRun) -> bool:
    return papers_file(run.home).exists() or run.read(STORE).is_empty()


def _rows(run: StepRun) -> Iterator[pl.DataFrame]:
    """The rows of each batch, with the summaries that were written."""
    for batch in _batches(run):
        summaries = run.read(SUMMARIES, f"batch = $batch and {WRITTEN}", batch=batch)
        yield filled(run.read(ROWS, "batch = $batch", batch=batch), summaries)


def _vectors(run: StepRun) -> Iterator[pl.DataFrame]:
    for batch in _batches(run):
        yield pl.concat(
            run.read(table, "batch = $batch", batch=batch) for table in (VECTORS, SUMMARY_VECTORS)
        )


def _batches(run: StepRun) -> pl.Series:
    return run.warehouse.read(f"select distinct batch from {ROWS} order by batch")["batch"]


@step_asset(
    Step(
        writes=(STORE,),
        reads=(ROWS, SUMMARIES, VECTORS, SUMMARY_VECTORS),
        settings=("airqa.store",),
        leaves=_files,
        is_there=_is_there,
        code="2",
    )
)
def published_store(run: StepRun) -> Frames:
    """Publishes `airqa/papers.duckdb`, which holds the eight tables alone, and its vectors beside it."""
    if not run.settings.airqa.store:
        withdraw(run.home)
        return {STORE: frame_of(STORE, [])}
    published = publish_papers(papers_file(run.home), _rows(run))
    publish_vectors(vectors_file(run.home), published, lambda: _vectors(run))
    publish_schema(run.home)
    return {STORE: frame_of(STORE, published).sort("uuid")}
