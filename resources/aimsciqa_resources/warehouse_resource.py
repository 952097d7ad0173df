"""The warehouse for Dagster, kept apart because Dagster takes longer to load than a query takes."""

from typing import Any

from dagster_duckdb import DuckDBResource
from pydantic import Field

from aimsciqa_resources.warehouse import Warehouse


class WarehouseResource(Warehouse, DuckDBResource):
    """A `DuckDBResource` for your own assets, whose connections wait their turn."""

    database: str = Field(description="path of the DuckDB file, or ducklake:postgres:... for a lake")
    data: str = Field(default="", description="where the rows of a lake lie: a folder, or s3://bucket/prefix")
    folder: str = Field(default="", description="folder of this worker; by default that of the file")

    def __init__(self, **values: Any) -> None:
        DuckDBResource.__init__(self, **values)
