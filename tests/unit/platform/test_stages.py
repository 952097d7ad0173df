"""The one list of stages, and what follows from it."""

from pathlib import Path

from aimsciqa_assets.definitions import MODULES
from aimsciqa_assets.platform.stages import GROUPS, SHOWN, STAGE_NAMES, STAGES, forgotten_from
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.tables import BOOKKEEPING, TABLES

ASSETS = Path(__file__).parents[3] / "aimsciqa_assets"


def test_every_table_belongs_to_a_stage():
    assert {table.schema for table in TABLES.values()} == set(STAGE_NAMES)
    assert set(SHOWN) <= set(TABLES)
    assert {table for stage in STAGES for table in (*stage.from_outside, *stage.lends)} <= set(TABLES)


def test_every_module_of_assets_is_named_once():
    named = [module.__name__ for module in MODULES]
    found = {
        ".".join(("aimsciqa_assets", *path.relative_to(ASSETS).with_suffix("").parts))
        for path in ASSETS.rglob("assets.py")
    }
    assert set(named) == found
    assert len(named) == len(set(named))


def test_groups_are_numbered_without_a_gap():
    assert [int(group.split("_")[0]) for group in GROUPS.values()] == list(range(1, len(STAGES) + 1))
    assert list(GROUPS.values()) == sorted(GROUPS.values())


def test_a_table_that_another_stage_writes_is_forgotten_with_that_stage():
    for stage in STAGES:
        for table in stage.lends:
            assert STEPS[table].writes[0].startswith(f"{stage.name}.")
    assert "relations.embeddings" not in forgotten_from("relations", TABLES)
    assert "relations.section_pairs" in forgotten_from("relations", TABLES)
    assert "relations.embeddings" in forgotten_from("single_hop", TABLES)


def test_what_came_from_outside_is_never_forgotten():
    outside = set(TABLES) - set(STEPS) - BOOKKEEPING
    assert outside.isdisjoint(forgotten_from("corpus", TABLES))
    assert set(forgotten_from("corpus", TABLES)) - BOOKKEEPING == set(STEPS)
