"""The pipeline over two small batches, with a model and an encoder of the tests' own."""

import dagster as dg
from aimsciqa_resources.language_model.opening import OneModel
from rich.console import Console

from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.settings import Settings
from tests.aim_sciqa_alone import AIM_SCIQA
from tests.fakes import SentenceModel, WordEncoder

CLUSTER = AIM_SCIQA | {
    "AIMSCIQA_RELATIONS_CLUSTER_SIZE": "5",
    "AIMSCIQA_CORPUS_PAPERS_PER_BATCH": "6",
    "AIMSCIQA_BENCHMARK_RETRIEVERS": "bm25",
}


def pipeline_at(folder, *, model=None, encoder=None, refresh=False, environment=CLUSTER) -> Pipeline:
    settings = Settings.preset_of("demo", environment)
    home = Home(folder)
    resources = build_resources(
        home,
        settings.with_refresh(refresh),
        language_models=OneModel(model or SentenceModel()),
        encoder=encoder or WordEncoder(),
    )
    return Pipeline(home, resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))


def content(pipeline: Pipeline) -> dict[str, list[tuple]]:
    """All rows of all tables, but the records of who looked at what, and of when a schema was new."""
    with pipeline.warehouse.one_state():
        tables = pipeline.warehouse.read(
            "select schema_name || '.' || table_name as name from duckdb_tables() order by 1"
        )["name"].to_list()
        return {
            table: pipeline.warehouse.read(f"select * from {table} order by all").rows()
            for table in tables
            if table not in ("ops.materializations", "ops.schema_versions")
        }


def count(pipeline: Pipeline, table: str, where: str = "true") -> int:
    return pipeline.warehouse.read(f"select count(*) as n from {table} where {where}")["n"][0]
