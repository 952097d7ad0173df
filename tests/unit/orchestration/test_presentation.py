"""What the web UI shows of the assets before anything was made."""

import re

import dagster as dg
import pytest

from aimsciqa_assets.definitions import build_definitions
from aimsciqa_assets.platform.queries import Query
from aimsciqa_assets.platform.stages import GROUPS, owners
from aimsciqa_assets.settings import SettingsError
from aimsciqa_assets.tables import BOOKKEEPING, TABLES

KINDS = {"duckdb", "python", "sql", "huggingface", "llm"}
"""All but the last have an icon in Dagster's web UI."""


@pytest.fixture(scope="module")
def specs() -> dict[str, dg.AssetSpec]:
    return {".".join(spec.key.path): spec for spec in build_definitions().resolve_all_asset_specs()}


def test_groups_sort_in_the_order_of_the_method_and_ops_stands_last(specs):
    assert sorted({spec.group_name for spec in specs.values()}) == [
        "01_corpus",
        "02_single_hop",
        "03_citation_guided",
        "04_relations",
        "05_multi_hop",
        "06_findings",
        "07_hopweaver",
        "08_airqa",
        "09_extractor",
        "10_baseline_sets",
        "11_scidqa",
        "12_benchmark",
        "13_quality",
        "14_release",
        "15_ops",
    ]
    assert list(GROUPS.values()) == sorted(GROUPS.values())


def test_every_asset_says_what_a_row_is_and_what_it_was_made_with(specs):
    assert set(specs) == set(TABLES) - BOOKKEEPING
    for spec in specs.values():
        assert spec.description.startswith("One row: ")
        assert spec.description.count("One row: ") == 1
        assert {"duckdb"} < spec.kinds <= KINDS
        assert spec.owners == ["team:aimsciqa"]
    assert specs["single_hop.extractions"].kinds == {"duckdb", "python", "llm"}
    assert specs["relations.embeddings"].kinds == {"duckdb", "python", "huggingface"}
    assert specs["corpus.citation_edges"].kinds == {"duckdb", "sql"}
    assert "```sql\nwith " in specs["corpus.citation_edges"].description


def test_columns_tell_their_meaning_their_values_and_what_is_unique(specs):
    columns = {
        column.name: column for column in specs["multi_hop.items"].metadata["dagster/column_schema"].columns
    }
    assert columns["item_id"].constraints.unique
    assert not columns["relation_id"].constraints.unique
    assert columns["status"].description == "what became of it (accepted, pre_rejected, rejected, invalid)"
    assert columns["variant"].description == "im: implicit similarity; cim: citation"
    assert columns["rejection_reason"].constraints.nullable


def test_owners_come_from_the_environment():
    assert owners({}) == ["team:aimsciqa"]
    assert owners({"AIMSCIQA_OWNERS": "team:corpus, ana@example.org"}) == ["team:corpus", "ana@example.org"]


@pytest.mark.parametrize("owner", ["corpus", "team:", "ana@example", "@example.org", "a b@example.org"])
def test_an_owner_that_dagster_would_not_take_is_refused_by_name(owner):
    with pytest.raises(SettingsError, match=re.escape(f"AIMSCIQA_OWNERS: {owner!r} is no owner")):
        owners({"AIMSCIQA_OWNERS": f"team:corpus, {owner}"})
    with pytest.raises(dg.DagsterInvalidDefinitionError):
        dg.AssetSpec("a", owners=[owner])


def test_every_check_says_what_to_do_when_it_fails():
    definitions = build_definitions()
    checked = [asset for asset in definitions.assets if isinstance(asset, dg.AssetsDefinition)]
    checks = [spec for asset in (*checked, *definitions.asset_checks) for spec in asset.check_specs]
    assert len(checks) > 30
    for spec in checks:
        assert "\n\n**If it fails:** " in spec.description, spec.name


def test_the_opening_comment_of_a_check_falls_into_its_parts():
    query = Query(
        "tests.no_paper",
        "-- checks: corpus.papers\n-- There is no\n-- paper.\n"
        "-- if it fails: run\n-- again.\nselect 1\nfrom x\n",
    )
    assert query.table == "corpus.papers"
    assert query.comment == "There is no paper."
    assert query.advice == "run again."
    assert query.statement == "select 1\nfrom x"


def test_a_check_without_advice_or_table_is_refused():
    with pytest.raises(ValueError, match=r"tests\.mute: needs a line `-- if it fails: "):
        _ = Query("tests.mute", "-- checks: corpus.papers\n-- There is no paper.\nselect 1\n").advice
    with pytest.raises(ValueError, match=r"tests\.lost: must open with `-- checks: schema\.table`"):
        _ = Query("tests.lost", "-- There is no paper.\nselect 1\n").table
