"""Homes with a published paper store, over a language model that is served or by rules."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.airqa.store.batches import batch_rows, encodable_cells
from aimsciqa_assets.airqa.store.chunks import characters
from aimsciqa_assets.airqa.store.publishing import papers_file, publish_papers, publish_vectors, vectors_file
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.reading.contents import Contents
from aimsciqa_assets.scripted_model import ScriptedModel
from aimsciqa_assets.settings import Settings
from tests.fakes import WordEncoder


def publish_store(
    home: Path,
    batches: Mapping[str, Mapping[int, Contents]],
    encoder: WordEncoder,
    chunk_length: int,
    encoded: int | None = None,
) -> tuple[list[dict[str, Any]], list[tuple[dict[str, Any], str]]]:
    """Publish papers by batch and number, with vectors of so many cells, or all.

    What stands in the store, by paper, and the cells with vectors.
    """
    frames: list[pl.DataFrame] = []
    cells: list[tuple[dict[str, Any], str]] = []
    for batch, papers in batches.items():
        files = [
            {"file_id": f"f{n}", "file_name": f"{n}.pdf", "batch": batch, "paper_id": None} for n in papers
        ]
        read = [("pdf", one) for one in papers.values()]
        found = batch_rows(files, read, {}, characters, chunk_length)["airqa.rows"]
        frames.append(pl.DataFrame(found))
        cells += encodable_cells(found)
    told = publish_papers(papers_file(home), frames)
    cells = cells[:encoded]
    vectors = encoder.encode_documents([text for _, text in cells])
    made_by = {"encoder": encoder.name, "encoder_revision": encoder.revision}
    rows = [
        {**names, "vector": vector.tolist(), **made_by}
        for (names, _), vector in zip(cells, vectors, strict=True)
    ]
    publish_vectors(vectors_file(home), told, lambda: [pl.DataFrame(rows)])
    return told, cells


def resources_of(home: Home, encoder: WordEncoder, environment: Mapping[str, str]) -> dict[str, Any]:
    """The resources of a home that has all tables, with these settings."""
    models = LanguageModels(home.journal, scripted=ScriptedModel, recordings=home.recordings)
    resources = build_resources(
        home, Settings.preset_of("demo", environment), encoder=encoder, language_models=models
    )
    create_tables(resources["warehouse"])
    return resources


def insert(warehouse: Warehouse, tables: Mapping[str, Iterable[dict[str, Any]]]) -> None:
    """Put rows into tables."""
    with warehouse.get_connection() as connection:
        for table, given in tables.items():
            connection.register("incoming", frame_of(table, given).to_arrow())
            connection.execute(f"insert into {table} by name from incoming")
            connection.unregister("incoming")


def rows(resources: dict[str, Any], query: str) -> list[tuple[Any, ...]]:
    """What a query gives."""
    found: list[tuple[Any, ...]] = resources["warehouse"].read(query).rows()
    return found
