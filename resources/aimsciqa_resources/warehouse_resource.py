"""The warehouse for Dagster. It stands apart because Dagster takes longer to load than a query takes."""

from typing import Any

from dagster_duckdb import DuckDBResource
from pydantic import Field

from aimsciqa_resources.warehouse import Warehouse


class WarehouseResource(Warehouse, DuckDBResource):
    """Assets of your own that ask for a `DuckDBResource` get connections that wait their turn."""

    database: str = Field(description="path of the DuckDB file")

    def __init__(self, **values: Any) -> None:
        DuckDBResource.__init__(self, **values)
