"""Forgetting what was made from some stage on, so that the next run makes it anew."""

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.ingest import create_tables
from aimsciqa_assets.tables import TABLES

STAGES = ("single_hop", "relations", "multi_hop")


def forget_from(warehouse: Warehouse, stage: str) -> None:
    """Drop the tables of a stage and the later ones, with their records."""
    stages = STAGES[STAGES.index(stage) :]
    # The vectors are made by the single-hop stage, although they belong to the relations.
    dropped = [
        table.name
        for table in TABLES.values()
        if table.schema in stages and not (stage == "relations" and table.name == "relations.embeddings")
    ]
    warehouse.drop(dropped)
    create_tables(warehouse)
