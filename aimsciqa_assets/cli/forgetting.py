"""Forgetting what was made from some stage on, so that the next run makes it anew."""

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.platform.stages import GROUPS
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.tables import BOOKKEEPING, TABLES

STAGES = tuple(GROUPS)


def forget_from(warehouse: Warehouse, stage: str) -> None:
    """Drop the tables of a stage and the later ones, with their records; what was taken in stays."""
    stages = STAGES[STAGES.index(stage) :]
    # The vectors belong to the relations, but the single-hop stage makes them.
    taken_in = {"corpus.input_files", "corpus.pmc_articles", "corpus.pmc_ids", "benchmark.audit_ratings"}
    kept = {*taken_in, *BOOKKEEPING}
    if stage == "relations":
        kept.add("relations.embeddings")
    dropped = [table.name for table in TABLES.values() if table.schema in stages and table.name not in kept]
    warehouse.drop(dropped)
    create_tables(warehouse)
