"""Settings on their way from the variable to the rows: each changes what its step makes of the same home.

What a setting means is tested where it is computed. Here a wire that was cut on the way is noticed.
"""

import json
from pathlib import Path

import duckdb
import polars as pl
import pytest
from lxml import html

from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.cli.serving.desk import Desk
from aimsciqa_assets.platform.progress import LogReporter, reporter
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.release.report.assets import PAGE
from tests.fakes import SentenceModel
from tests.small_home import copy_of
from tests.two_batches import CLUSTER, pipeline_at

pytestmark = pytest.mark.slow

PARTS = {"batch": ["batch-0001", "batch-0002"], "retriever": ["bm25"], "answerer": ["extractive"], "": [""]}
GIVEN = """
-- One reference leads nowhere.
insert into corpus.references
select * replace ('elsewhere' as reference_id, 'elsewhere' as key)
from corpus.references where paper_id = 'doi:10.5555/test.12' limit 1;

-- Paper 2 shares one rare keyword with papers 7 and 12; all others share two that are common.
delete from corpus.keywords where paper_id = 'doi:10.5555/test.2' and keyword = 'zinc';
insert into corpus.keywords
select batch, paper_id, 'adult', 'adults', 'author' from corpus.papers where paper_id <> 'doi:10.5555/test.2';

-- The question that tells a target from its cluster is its core question, too.
update relations.candidate_relations as relations set core_target_qa_id = questions.qa_id
from relations.retrieval_questions as questions where relations.relation_id = questions.relation_id;

-- Items lead to earlier papers only, so that no two sources have an item on the same two papers.
delete from multi_hop.items
where split_part(source_paper_id, '.', 3)::int < split_part(target_paper_id, '.', 3)::int;

-- For some queries nothing was found.
update benchmark.rankings set papers = [] where setting = 'full' and item_id in (
    select item_id from benchmark.queries where variant = 'im' order by item_id limit 2
);

update corpus.releasable_papers set releasable = true, rejection_reason = null;
insert into corpus.papers
select * replace ('doi:10.5555/test.99' as paper_id, true as retracted)
from corpus.papers where paper_id = 'doi:10.5555/test.1';
"""
"""What the papers of the tests' own lack, so that every setting finds something to decide."""

FACTS = {"MULTI_HOP_KEPT_APART": "facts", "MULTI_HOP_TEST_FRACTION": "0.3"}
ANY_LICENCE = {"RELEASE_ANY_LICENCE": "true"}
ROWS = "select count(*) from rows"
CIM_SOURCES = "select count(distinct source_paper_id) from rows where variant = 'cim'"
PAPER_2 = "select count(*) from rows where variant = 'im' and paper_id = 'doi:10.5555/test.2'"
TEST_ITEMS = "select item_id from rows where split = 'test' order by all"
INTERVALS = "select round(sum(high - low), 6) from rows"
OF_CITATION = "select count(prediction) from rows where setting = 'citation'"
DUPLICATES = "select count(*) from rows where gate = 'no_duplicate' and verdict = 'fail'"

EFFECTS = [
    ("SELECTION_MIN_ACCESSIBLE_CITATIONS", "3", "corpus.source_papers", f"{ROWS} where eligible", {}),
    ("SINGLE_HOP_ALIGNMENT_FRACTION", "0.5", "single_hop.qa_pairs", f"{ROWS} where status = 'kept'", {}),
    ("RELATIONS_TAU", "0.9", "relations.section_pairs", "select sum(similarity) from rows", {}),
    ("RELATIONS_SECTION_PAIRS_PER_DOCUMENT_PAIR", "2", "relations.section_pairs", ROWS, {}),
    ("RELATIONS_MIN_CITED_CLUSTER", "3", "relations.section_pairs", CIM_SOURCES, {}),
    ("RELATIONS_ALL_CITATIONS_IN_CORPUS", "true", "relations.section_pairs", CIM_SOURCES, {}),
    ("RELATIONS_KEYWORD_ORDER", "count", "relations.clusters", PAPER_2, {}),
    ("RELATIONS_SEED", "7", "relations.clusters", "from rows order by all", {}),
    (
        "RELATIONS_CORE_AS_RETRIEVAL_QUESTION",
        "true",
        "relations.retrieval_questions",
        "from rows order by all",
        {},
    ),
    ("MULTI_HOP_KEPT_APART", "evidence", "multi_hop.splits", TEST_ITEMS, FACTS),
    ("MULTI_HOP_TEST_FRACTION", "0.6", "multi_hop.splits", TEST_ITEMS, FACTS),
    ("MULTI_HOP_TEST_ITEMS", "2", "multi_hop.splits", TEST_ITEMS, FACTS),
    ("MULTI_HOP_SPLIT_SEED", "7", "multi_hop.splits", TEST_ITEMS, FACTS),
    ("BENCHMARK_WHOLE_VARIANTS", "cim", "benchmark.queries", ROWS, {"BENCHMARK_SPLIT": "test"}),
    ("BENCHMARK_SEED", "7", "benchmark.queries", "select random_cluster from rows order by item_id", {}),
    (
        "BENCHMARK_CHUNK_WORDS",
        "20",
        "benchmark.rankings",
        "select scores from rows order by item_id, setting",
        {"BENCHMARK_DOCUMENT_TEXT": "chunks"},
    ),
    ("BENCHMARK_RESAMPLED", "items", "benchmark.retrieval_scores", INTERVALS, {}),
    ("BENCHMARK_RESAMPLED", "items", "benchmark.answering_scores", INTERVALS, {}),
    ("BENCHMARK_RESAMPLED", "items", "benchmark.evidence_access", INTERVALS, {}),
    (
        "BENCHMARK_EVIDENCE_MISSING",
        "skip",
        "benchmark.evidence_access",
        "select missing, queries, round(value, 9) from rows where variant = 'im' and measure = 'MAP'",
        {},
    ),
    ("BENCHMARK_RESAMPLES", "100", "benchmark.retrieval_scores", INTERVALS, {}),
    ("BENCHMARK_RESAMPLES", "100", "benchmark.answering_scores", INTERVALS, {}),
    ("BENCHMARK_ANSWER_WITHOUT_CITATION", "true", "benchmark.answers", OF_CITATION, {}),
    ("BENCHMARK_DUPLICATE_SIMILARITY", "0.5", "benchmark.gates", DUPLICATES, {}),
    ("RELEASE_RETRACTED", "true", "corpus.releasable_papers", f"{ROWS} where releasable", ANY_LICENCE),
]
"""Variable, value, the table whose rows it changes, a query that shows how, and what else must be set."""


@pytest.fixture(scope="module")
def home(evaluated, tmp_path_factory) -> Path:
    folder = copy_of(evaluated, tmp_path_factory.mktemp("settings") / "home")
    with pipeline_at(folder).warehouse.get_connection() as connection:
        connection.execute(GIVEN)
    return folder


def leads_nowhere(request, text):
    """A reply whose citation marker leads to no paper."""
    return '{"marker": "[99]"}' if request.task == "citation_marker" else text


def at(home: Path, **settings: str) -> Pipeline:
    environment = {f"AIMSCIQA_{name}": value for name, value in settings.items()}
    return pipeline_at(home, model=SentenceModel(leads_nowhere), environment=CLUSTER | environment)


def computed(home: Path, table: str, **settings: str) -> pl.DataFrame:
    """What the step of a table makes under these settings. No row of the home changes."""
    step, resources = STEPS[table], at(home, **settings).resources
    return pl.concat(step.compute(StepRun.of(step, part, resources))[table] for part in PARTS[step.by])


def seen(rows: pl.DataFrame, query: str) -> list[tuple]:
    with duckdb.connect() as connection:
        connection.register("rows", rows.to_arrow())
        return connection.sql(query).fetchall()


@pytest.mark.parametrize(
    ("variable", "value", "table", "query", "beside"),
    EFFECTS,
    ids=[f"{variable} {table}" for variable, _, table, _, _ in EFFECTS],
)
def test_a_setting_changes_what_its_step_makes(home, variable, value, table, query, beside):
    before = seen(computed(home, table, **beside), query)
    after = seen(computed(home, table, **beside | {variable: value}), query)
    assert before != after


def test_the_report_and_the_review_page_have_so_many_items_at_most(home):
    settings = {"RELEASE_REPORT_ITEMS": "2"}
    computed(home, "release.reports", **settings)
    page = html.fromstring((home / PAGE).read_text())
    assert len(json.loads(page.get_element_by_id("index").text)["items"]) == 2
    pipeline = at(home, **settings)
    assert len(Desk(pipeline.warehouse, pipeline.settings).items()) == 2


def test_the_model_of_bert_score_is_the_one_that_is_set(home):
    """It is not at hand: what the step says of it is all there is to see."""
    said = []
    token = reporter.set(LogReporter(said.append))
    try:
        computed(home, "benchmark.answers")
        assert not any("BERTScore" in line for line in said)
        computed(home, "benchmark.answers", BENCHMARK_BERT_SCORE_MODEL="nobody/has-this-model")
    finally:
        reporter.reset(token)
    assert any("BERTScore" in line for line in said)
