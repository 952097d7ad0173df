"""The corpus tables as assets: every batch of input files parsed once."""

from pathlib import Path

import dagster as dg
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.settings import Settings
from aimsciqa_resources.warehouse import Warehouse
from pydantic import Field

from aimsciqa_assets.asset_builders import Declaration, Step, spec_of, step_asset
from aimsciqa_assets.corpus.parsing import TABLES as PARSED
from aimsciqa_assets.corpus.parsing import parse_batch
from aimsciqa_assets.frames import Frames
from aimsciqa_assets.ingest import Ingested, ingest_folder
from aimsciqa_assets.partitions import PAPER_BATCHES
from aimsciqa_assets.progress import progress
from aimsciqa_assets.sql_assets import sql_asset
from aimsciqa_assets.tables import TABLES


class IngestConfig(dg.Config):
    """What to take in."""

    folder: str = Field(
        default="", description="folder of JATS XML and PDF files; empty: take in nothing new"
    )


@dg.multi_asset(specs=[spec_of(TABLES["corpus.input_files"], Declaration(("corpus.input_files",)))])
def input_files(
    context: dg.AssetExecutionContext,
    config: IngestConfig,
    warehouse: Warehouse,
    files: FileStore,
    settings: Settings,
) -> dg.MaterializeResult[None]:
    """Takes in the new files of a folder, puts them into paper batches and registers these as partitions."""
    folder = Path(config.folder) if config.folder else None
    ingested = ingest_folder(folder, warehouse, files, settings.corpus.papers_per_batch)
    context.instance.add_dynamic_partitions(str(PAPER_BATCHES.name), ingested.batches)
    return dg.MaterializeResult(
        asset_key=TABLES["corpus.input_files"].asset_key,
        metadata=ingest_metadata(ingested),
    )


def ingest_metadata(ingested: Ingested) -> dict[str, int | str]:
    """What the web UI shows of an ingest."""
    return {
        "dagster/row_count": ingested.files,
        "new files": ingested.new_files,
        "already known": ingested.known_files,
        "new batches": ", ".join(ingested.new_batches) or "none",
    }


@step_asset(Declaration(writes=PARSED, reads=("corpus.input_files",)))
def parsed_papers(step: Step) -> Frames:
    """Reads each file once: JATS by lxml, PDF by pymupdf. A file that is no paper becomes a rejected file."""
    files = step.read_batch("corpus.input_files")
    with progress(f"{step.batch}  reading papers", files.height) as advance:
        return parse_batch(files.iter_rows(named=True), step.files.get, advance)


citation_edges = sql_asset("corpus.citation_edges")
source_papers = sql_asset("corpus.source_papers")
