"""Asks the queries of `dbt_like_sql/` as the product does."""

import polars as pl

from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

SETTINGS = Settings.preset_of("demo", {"AIMSCIQA_SELECTION_MIN_ACCESSIBLE_CITATIONS": "1"})


def run(connection, name: str, settings: Settings = SETTINGS, **parameters: object) -> pl.DataFrame:
    query = query_of(name)
    return connection.sql(query.text, params=dict(query.parameters(settings)) | parameters).pl()


def plotted(connection, name: str, batch: str = "x") -> pl.DataFrame:
    return run(connection, name, **{"batch": batch} if TABLES[query_of(name).table].batched else {})
