"""What follows a review: the decisions, and which items may be released, for tests."""

from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.platform.frames import as_declared
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES


def decide(warehouse: Warehouse, environment: dict[str, str] | None = None) -> dict[str, str]:
    """Decisions by item, after the steps that follow a review were run."""
    settings = Settings.preset_of("demo", environment or {})
    for table in ("benchmark.review_decisions", "release.items"):
        query = query_of(table)
        rows = as_declared(table, warehouse.read(query.text, query.parameters(settings)))
        warehouse.replace([Write(table, TABLES[table].ddl(), rows, {})])
    decisions = warehouse.read("select item_id, decision from benchmark.review_decisions")
    return dict(decisions.iter_rows())
