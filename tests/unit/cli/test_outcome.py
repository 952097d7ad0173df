"""What is told at the end of a run that made nothing, or less than it should."""

import duckdb
import pytest
from aimsciqa_resources.warehouse import Warehouse
from rich.console import Console

from aimsciqa_assets.cli.outcome import no_release, nothing_made, warn_of_small_clusters
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from tests import report_warehouse

SETTINGS = Settings.preset_of("demo", {})
ITEM = {"item_id": "i", "variant": "im", "status": "accepted"}


def insert(warehouse: Warehouse, table: str, *rows: dict) -> None:
    with duckdb.connect(warehouse.database) as connection:
        report_warehouse.insert(connection, table, *rows)


@pytest.fixture
def warehouse(tmp_path) -> Warehouse:
    made = Warehouse(str(tmp_path / "warehouse.duckdb"))
    create_tables(made)
    insert(made, "corpus.papers", {"paper_id": "p"})
    return made


def test_without_an_accepted_item_the_first_stage_that_lacks_something_is_named(warehouse):
    assert "No paragraph gave a QA pair" in nothing_made(warehouse, SETTINGS)
    insert(warehouse, "single_hop.qa_pairs", {"qa_id": "q", "status": "kept"})
    assert "No two papers have similar questions" in nothing_made(warehouse, SETTINGS)
    insert(warehouse, "relations.candidate_relations", {"relation_id": "r"})
    insert(warehouse, "multi_hop.items", ITEM | {"item_id": "no", "status": "rejected"})
    said = nothing_made(warehouse, SETTINGS)
    assert said.startswith("No item was accepted, so there is nothing to release (1 papers, 1 kept QA pairs")
    assert "1 relations, 1 items composed" in said
    assert "Configure a language model for all tasks (docs/models.md)" in said
    asked = {"BACKEND": "server", "NAME": "m", "BASE_URL": "http://localhost:9/v1"}
    by_model = Settings.preset_of("demo", {f"AIMSCIQA_MODEL_{name}": value for name, value in asked.items()})
    assert "choose a stronger model" in nothing_made(warehouse, by_model)
    composed = {f"AIMSCIQA_MULTI_HOP_MODEL_{name}": value for name, value in asked.items()}
    said = nothing_made(warehouse, Settings.preset_of("demo", composed))
    assert "The scripted model makes no questions worth reading" in said


def test_items_of_which_none_may_be_released_are_told(warehouse):
    assert no_release(warehouse) == ""
    insert(warehouse, "multi_hop.items", ITEM)
    assert nothing_made(warehouse, SETTINGS) is None
    refused = {"item_id": "i", "released": False, "rejection_reason": "source_no_derivatives"}
    insert(warehouse, "release.items", refused)
    told, advice = no_release(warehouse).splitlines()
    assert told.endswith("may be released: 1 rests on a paper whose licence forbids derivatives.")
    assert "AIMSCIQA_RELEASE_ANY_LICENCE=true aimsciqa run" in advice
    insert(warehouse, "release.items", {"item_id": "j", "released": True})
    assert no_release(warehouse) == ""


@pytest.mark.parametrize(
    ("reason", "told", "advised"),
    [
        ("failed_closed_book", "2 were answered right without any paper", ['AIMSCIQA_RELEASE_GATES="" aim']),
        ("rejected_in_review", "2 were rejected in review", ["aimsciqa report[/bold]   the review page"]),
        ("target_retracted", "2 rest on a paper that was retracted", []),
    ],
)
def test_only_what_helps_with_the_reasons_is_advised(warehouse, reason, told, advised):
    for name in "ij":
        insert(warehouse, "multi_hop.items", ITEM | {"item_id": name})
        insert(warehouse, "release.items", {"item_id": name, "released": False, "rejection_reason": reason})
    said, *advice = no_release(warehouse).splitlines()
    assert said == f"[yellow]No release[/yellow]: no accepted item may be released: {told}."
    assert len(advice) == len(advised)
    assert all(text in line for text, line in zip(advised, advice, strict=True))


def test_replies_that_are_still_to_be_recorded_are_no_failure(warehouse):
    insert(warehouse, "ops.llm_calls", {"task": "single_hop", "outcome": "not_recorded"})
    assert nothing_made(warehouse, SETTINGS) is None


def test_small_clusters_are_told_with_their_number(warehouse):
    console = Console(record=True, width=80)
    settings = Settings.preset_of("demo", {})
    rows = [
        {"relation_id": relation, "variant": "im", "paper_id": f"p{n}", "cluster_size": size}
        for relation, size in (("a", 30), ("b", 7))
        for n in range(2)
    ]
    insert(warehouse, "relations.clusters", *rows[:2])
    warn_of_small_clusters(warehouse, settings, console)
    assert console.export_text() == ""
    insert(warehouse, "relations.clusters", *rows[2:])
    warn_of_small_clusters(warehouse, settings, console)
    said = " ".join(console.export_text().split())
    assert said.startswith("Small clusters: 1 of 2 hold fewer than 30 papers, the smallest 7,")
