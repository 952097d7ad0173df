"""The home of an earlier version goes on with this one: what can be made again is, the rest is kept.

The server of this home's model is down: every reply must come from the journal.
"""

import hashlib

import pytest

from aimsciqa_assets.cli.forgetting import forget_from
from aimsciqa_assets.cli.phases import plan_of_a_run
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.platform.plans import Verdict
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.tables import TABLES
from tests.small_home import copy_of, pipeline_at

pytestmark = pytest.mark.slow

ALTERED = ("single_hop.extractions", "relations.embeddings", "relations.clusters", "multi_hop.items")
EARLIER = (
    "alter table ops.materializations drop column lacking",
    "alter table single_hop.extractions drop column model_revision",
    "alter table relations.embeddings drop column level",
    "alter table relations.clusters drop column cluster_size",
    "alter table multi_hop.items rename column merged_question to question",
    "alter table multi_hop.items drop column decision_by_model",
    "drop table relations.mirrors",
    "delete from ops.materializations where table_name = 'relations.mirrors'",
)


@pytest.fixture
def pipeline(tmp_path, items_home) -> Pipeline:
    made = pipeline_at(copy_of(items_home, tmp_path / "home"))
    assert made.run(evaluate=False) == []
    return made


def alter(pipeline: Pipeline, *statements: str) -> None:
    with pipeline.warehouse.get_connection() as connection:
        for statement in statements:
            connection.execute(statement)


def rows(pipeline: Pipeline, table: str) -> list[tuple]:
    """All rows of a table, column by column as declared."""
    columns = ", ".join(column.name for column in TABLES[table].columns)
    return pipeline.warehouse.read(f"select {columns} from {table} order by all").rows()


def verdict(pipeline: Pipeline, table: str) -> Verdict:
    part = "batch-0001" if TABLES[table].by else ""
    return plan_of_a_run(pipeline.resources).of(STEPS[table], part)


def contents(pipeline: Pipeline) -> dict[str, str]:
    """The papers and the replies."""
    home = pipeline.home
    found = [*home.files.rglob("*"), home.journal]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in found if path.is_file()}


def test_a_run_brings_tables_with_other_columns_up_to_date_without_asking_again(tmp_path, pipeline):
    before = {table: rows(pipeline, table) for table in (*ALTERED, "relations.mirrors")}
    kept = contents(pipeline)
    alter(pipeline, *EARLIER)
    earlier = copy_of(pipeline.home.folder, tmp_path / "earlier")
    upgraded = pipeline_at(earlier)
    assert verdict(upgraded, "single_hop.extractions") == Verdict(
        "due", ("the columns of single_hop.extractions changed: model_revision",), coming=True
    )
    why = "the columns of multi_hop.items changed: decision_by_model, merged_question"
    assert why in verdict(upgraded, "multi_hop.items").why
    assert verdict(upgraded, "corpus.papers").state == "current"
    assert upgraded.run(evaluate=False) == []
    assert {table: rows(upgraded, table) for table in before} == before
    assert {verdict(upgraded, table).state for table in before} == {"current"}
    assert upgraded.warehouse.read("select 1 from ops.llm_calls where not from_journal").is_empty()
    assert contents(upgraded) == kept


def test_what_people_wrote_is_kept_through_an_upgrade_and_a_reset(tmp_path, pipeline):
    alter(
        pipeline,
        "alter table benchmark.reviews drop column note",
        "alter table benchmark.reviews add column mood varchar",
        "insert into benchmark.reviews values "
        "('i1', 'ann', 1, 'now', 'accept', null, null, 5, 'q', 'a', 'fair')",
        "alter table benchmark.audit_ratings rename column comment to remark",
        "insert into benchmark.audit_ratings values ('s', 'im', 'i1', 'ann', 'fluency', 5, 'well put')",
        "alter table relations.clusters drop column cluster_size",
    )
    upgraded = pipeline_at(copy_of(pipeline.home.folder, tmp_path / "earlier"))
    assert upgraded.run(evaluate=False) == []
    forget_from(upgraded.warehouse, "corpus")
    reviews = upgraded.warehouse.read("select item_id, decision, score, note, mood from benchmark.reviews")
    assert reviews.rows() == [("i1", "accept", 5, None, "fair")]
    ratings = upgraded.warehouse.read("select rater, score, remark, comment from benchmark.audit_ratings")
    assert ratings.rows() == [("ann", 5.0, "well put", None)]
