"""Bridge questions from documents to items, by a model of the tests' own, through the tables."""

import json

import duckdb
import polars as pl
import pytest

from aimsciqa_assets.cli.phases import Failure
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.hopweaver.polishing import ANSWER, PATH, QUESTION
from aimsciqa_assets.judging.audit.sampling import sample
from aimsciqa_assets.platform.queries import queries_in, query_of
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.release.verifying import verify
from aimsciqa_assets.settings.sections import AuditSettings
from tests.fakes import write_corpus
from tests.hop_model import HopModel
from tests.small_home import copy_of
from tests.some_steps import run_some
from tests.two_batches import CLUSTER, pipeline_at

pytestmark = pytest.mark.slow

ON = CLUSTER | {
    "AIMSCIQA_HOPWEAVER_KINDS": "bridge",
    # Few documents: a search finds each of them by chance.
    "AIMSCIQA_HOPWEAVER_MASKED_RANK": "0",
    "AIMSCIQA_HOPWEAVER_QUESTION_RANK": "0",
    "AIMSCIQA_HOPWEAVER_FEWEST_CHARACTERS": "100",
    "AIMSCIQA_HOPWEAVER_TOP_K": "11",
    "AIMSCIQA_MODEL_BACKEND": "server",
    "AIMSCIQA_MODEL_NAME": "sentences",
    "AIMSCIQA_MODEL_BASE_URL": "http://localhost:9/v1",
}
POLISH = {
    "13 percent": f"[ADJUST]\n{PATH}: better\n{QUESTION}: How much did the group with 3 mg rise?",
    "14 percent": "[REJECTED]\nREASON: it can be guessed",
    "15 percent": "very good",
    "16 percent": f"[REWORKED]\n{PATH}: p\n{QUESTION}: What of cohort 6?\n{ANSWER}: 16",
}
PAPER = "doi:10.5555/test."


def made_anew(pipeline: Pipeline) -> list[Failure]:
    """All tables of HopWeaver; returns what failed."""
    tables = ("hopweaver.splits", "hopweaver.rerankers", "hopweaver.ablation")
    return run_some(pipeline, *tables, alone=("ops.rejections",))


def made_at(folder, model, **settings: str) -> Pipeline:
    """The pipeline after the stage ran on twelve papers in two batches."""
    environment = ON | {f"AIMSCIQA_{name}": value for name, value in settings.items()}
    pipeline = pipeline_at(folder / "home", model=model, environment=environment)
    if not (folder / "papers").exists():
        write_corpus(folder / "papers", 12)
        pipeline.ingest(folder / "papers")
    assert made_anew(pipeline) == []
    return pipeline


def rows(pipeline: Pipeline, query: str) -> list[tuple]:
    return pipeline.warehouse.read(query).rows()


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Pipeline, HopModel]:
    model = HopModel(POLISH)
    return made_at(tmp_path_factory.mktemp("hopweaver"), model), model


def test_every_attempt_ends_as_an_item_with_its_reason(made):
    pipeline, _ = made
    items = "select split_part(first_paper_id, '.', 3)::int, status, rejection_reason, polisher_status"
    assert rows(pipeline, f"{items} from hopweaver.items order by 1") == [
        (1, "rejected", "unreadable_entity", None),
        (2, "accepted", None, "pass"),
        (3, "accepted", None, "pass"),
        (4, "accepted", None, "pass"),
        (5, "accepted", None, "pass"),
        (6, "accepted", None, "adjust"),
        (7, "rejected", "rejected_by_polisher", "rejected"),
        (8, "rejected", "unreadable_polishing", "error"),
        (9, "rejected", "entity_in_polished_question", "reworked"),
        (10, "accepted", None, "pass"),
        (11, "accepted", None, "pass"),
        (12, "rejected", "every_document_failed", None),
    ]


def test_the_rows_of_a_question_that_was_adjusted(made):
    pipeline, _ = made
    adjusted = f"first_paper_id = '{PAPER}6'"
    texts = "question, answer, reasoning_path, original_question, original_answer, original_reasoning_path"
    assert rows(pipeline, f"select {texts} from hopweaver.items where {adjusted}") == [
        (
            *("How much did the group with 3 mg rise?", "13 percent", "better"),
            *(
                "By how much did the group rise in which earlier work found 3 mg of zinc?",
                "13 percent",
                "way",
            ),
        )
    ]
    quotes = "select role, paper_id, name, answer, evidence from hopweaver.evidence where item_id = "
    assert rows(pipeline, f"{quotes}(select item_id from hopweaver.items where {adjusted}) order by 1") == [
        ("first", f"{PAPER}6", "segment", "cohort 3", "Earlier work on cohort 3 found zinc 3 mg [1]."),
        ("second", f"{PAPER}3", "segment", "13 percent", "Group 3 rose by 13 percent."),
    ]
    tried = "select count(*), max(rank), sum(tried::int) from hopweaver.candidates"
    attempt = f"select attempt_id, documents_tried from hopweaver.attempts where paper_id = '{PAPER}6'"
    ((attempt_id, documents_tried),) = rows(pipeline, attempt)
    assert rows(pipeline, f"{tried} where attempt_id = '{attempt_id}'") == [(11, 11, documents_tried)]
    chosen = "select paper_id, rank from hopweaver.candidates where outcome = 'chosen'"
    assert rows(pipeline, f"{chosen} and attempt_id = '{attempt_id}'") == [(f"{PAPER}3", documents_tried)]
    calls = "select count(*) from hopweaver.replies where attempt_id = "
    assert rows(pipeline, f"{calls}'{attempt_id}'") == [(documents_tried + 2,)]


def test_every_sql_check_holds(made):
    pipeline, _ = made
    checks = {
        name: query for name, query in queries_in("tests").items() if query.table.startswith("hopweaver.")
    }
    assert [name for name, query in checks.items() if rows(pipeline, query.text)] == []
    with pipeline.warehouse.get_connection() as connection:
        connection.execute("begin")
        connection.execute("update hopweaver.evidence set evidence_start = evidence_start + 1")
        connection.execute("update hopweaver.items set polisher_status = 'rejected'")
        connection.execute("update hopweaver.attempts set question_2 = 'What?'")
        found = {name: len(connection.execute(query.text).fetchall()) for name, query in checks.items()}
        connection.execute("rollback")
    assert found == {
        "hopweaver_bridges_keep_the_constraints": 7,
        "hopweaver_comparisons_keep_the_constraints": 0,
        "hopweaver_evidence_is_an_exact_quote": 20,
        "hopweaver_items_are_complete": 7,
    }


def test_documents_have_a_standing_and_a_vector(made):
    pipeline, _ = made
    assert rows(pipeline, "select status, count(*) from hopweaver.documents group by 1") == [("source", 12)]
    assert rows(pipeline, "select count(*), min(words) > 30, min(tokens) > 40 from hopweaver.documents") == [
        (12, True, True)
    ]
    assert rows(pipeline, "select count(*) from hopweaver.document_vectors") == [(12,)]


def test_accepted_items_have_a_split_and_are_evaluated(made):
    pipeline, _ = made
    assert rows(pipeline, "select count(*), count(distinct split) from hopweaver.splits") == [(7, 1)]
    query = queries_in("tests")
    assert "hopweaver_items_are_complete" in query
    reasons = "select table_name, rejection_reason, rows from ops.rejections"
    found = set(rows(pipeline, f"{reasons} where table_name = 'hopweaver.items'"))
    assert ("hopweaver.items", "unreadable_entity", 1) in found


def test_the_items_reach_benchmark_audit_release_and_report(made, tmp_path):
    home = copy_of(made[0].home.folder, tmp_path / "home")
    released = {"AIMSCIQA_RELEASE_ANY_LICENCE": "true", "AIMSCIQA_RELEASE_GATES": "single_document"}
    environment = ON | {"AIMSCIQA_HOPWEAVER_EVALUATED": "both"} | released
    pipeline = pipeline_at(home, model=HopModel(POLISH), environment=environment)
    assert pipeline.run() == []
    queries = (
        "select variant, count(*) from benchmark.queries where variant like 'bridge%' group by 1 order by 1"
    )
    assert rows(pipeline, queries) == [("bridge", 7), ("bridge_original", 7)]
    answered = "select distinct setting from benchmark.answers where variant = 'bridge' order by 1"
    assert rows(pipeline, answered) == [("closed_book",), ("first_only",), ("oracle",), ("second_only",)]
    measured = "select count(*) > 0 from benchmark.retrieval_scores where variant = 'bridge_original'"
    assert rows(pipeline, measured) == [(True,)]
    accessible = (
        "select distinct queries, without_gold from benchmark.evidence_access where variant = 'bridge'"
    )
    assert rows(pipeline, accessible) == [(7, 0)]
    answerable = "select count(*) > 0 from benchmark.answerability where variant = 'bridge'"
    assert rows(pipeline, f"{answerable} and measure = 'token_f1_bridge'") == [(True,)]
    for_judges = pipeline.warehouse.read(
        query_of("judging.rated").text,
        {"ids": [of for (of,) in rows(pipeline, "from hopweaver.versions select version_id")]},
    )
    segments = dict(
        rows(
            pipeline,
            "select item_id, [first_passage, second_passage] from hopweaver.items where status = 'accepted'",
        )
    )
    polished = [one for one in for_judges.to_dicts() if one["variant"] == "bridge"]
    assert len(polished) == 7
    for one in polished:
        assert [of["segment"] for of in one["documents"]] == segments[one["item_id"]]
        assert all(fact in of["paragraph"] for of in one["documents"] for fact in of["facts"])
    drawn = sample("hopweaver", 20, 1, pipeline.warehouse, AuditSettings())
    assert drawn.available == 14
    counted = "select variant, count(*) from release.items where released and variant like 'bridge%'"
    assert rows(pipeline, f"{counted} group by 1 order by 1") == [("bridge", 7), ("bridge_original", 7)]
    folder = home / "releases" / "aimsciqa-release"
    assert verify(folder).problems == ()
    first, *_ = map(json.loads, (folder / "data/hopweaver/dev.jsonl").read_text().splitlines())
    assert [document["role"] for document in first["documents"]] == ["first", "second"]
    assert [step["name"] for step in first["steps"]] == ["first_hop", "second_hop"]
    page = (home / "report.html").read_text()
    assert "How much did the group with 3 mg rise?" in page
    assert "Bridge question before it was polished" in page


def test_a_second_run_asks_nothing(made):
    pipeline, model = made
    asked = len(model.asked)
    assert made_anew(pipeline) == []
    assert len(model.asked) == asked


def computed(made, table: str, **settings: str):
    """What the step of a table makes of the same home under other settings; no row changes."""
    pipeline, _ = made
    environment = ON | {f"AIMSCIQA_{name}": value for name, value in settings.items()}
    other = pipeline_at(pipeline.home.folder, model=HopModel(POLISH), environment=environment)
    step = STEPS[table]
    parts = ["batch-0001", "batch-0002"]
    return pl.concat(step.compute(StepRun.of(step, part, other.resources))[table] for part in parts)


REASONS = "select rejection_reason, count(*) from rows group by 1 order by 1"
OF_ATTEMPTS = "hopweaver.attempts"
OF_CANDIDATES = "hopweaver.candidates"
OF_DOCUMENTS = "hopweaver.documents"
RELEVANCE = "select round(sum(relevance), 6) from rows"
BOTH = {"HOPWEAVER_RETRIEVER": "bm25+words"}
EFFECTS = [
    ("HOPWEAVER_KINDS", "", OF_DOCUMENTS, "select count(*) from rows", {}),
    ("HOPWEAVER_DOCUMENTS_PER_BATCH", "2", OF_ATTEMPTS, "select count(*) from rows", {}),
    ("HOPWEAVER_FEWEST_CHARACTERS", "100000", OF_DOCUMENTS, "select distinct status from rows", {}),
    ("HOPWEAVER_MOST_WORDS", "20", OF_DOCUMENTS, REASONS, {}),
    ("HOPWEAVER_MOST_TOKENS", "30", OF_DOCUMENTS, REASONS, {}),
    ("HOPWEAVER_SEGMENT_WORDS", "60", OF_ATTEMPTS, REASONS, {}),
    ("HOPWEAVER_RETRIEVER", "bm25", OF_CANDIDATES, RELEVANCE, {}),
    ("HOPWEAVER_FUSION", "dense_first", OF_CANDIDATES, RELEVANCE, BOTH),
    ("HOPWEAVER_LAMBDAS", "synthesizer", OF_CANDIDATES, "select round(sum(score), 6) from rows", {}),
    ("HOPWEAVER_TOP_K", "2", OF_CANDIDATES, "select max(rank) from rows", {}),
    ("HOPWEAVER_POOL", "1", OF_CANDIDATES, "select count(*) from rows", {}),
    (
        "HOPWEAVER_SOURCE_SIMILARITY",
        "segment",
        OF_CANDIDATES,
        "select round(sum(source_similarity), 6) from rows",
        {},
    ),
    ("HOPWEAVER_TRIES", "1", "hopweaver.replies", "select count(*) from rows", {}),
    ("HOPWEAVER_FAILURE", "code", OF_ATTEMPTS, REASONS, {}),
    ("HOPWEAVER_SHORTCUTS", "document", OF_CANDIDATES, REASONS, {}),
    ("HOPWEAVER_HOLDERS", "false", OF_CANDIDATES, "select paper_id, rank from rows order by all", {}),
    ("HOPWEAVER_MASKED_RANK", "1", OF_CANDIDATES, REASONS, {}),
    ("HOPWEAVER_QUESTION_RANK", "3", OF_CANDIDATES, REASONS, {}),
    ("HOPWEAVER_POLISH", "false", "hopweaver.items", "select distinct polisher_status from rows", {}),
    ("HOPWEAVER_EVALUATED", "both", "hopweaver.versions", "select count(*) from rows", {}),
    ("HOPWEAVER_EVALUATED", "original", "hopweaver.versions", "select question from rows order by 1", {}),
]


@pytest.mark.parametrize(("setting", "value", "table", "query", "beside"), EFFECTS)
def test_a_setting_changes_what_its_step_makes(made, setting, value, table, query, beside):
    before = seen(computed(made, table, **beside), query)
    assert seen(computed(made, table, **beside | {setting: value}), query) != before


def seen(rows: pl.DataFrame, query: str) -> list[tuple]:
    with duckdb.connect() as connection:
        connection.register("rows", rows.to_arrow())
        return connection.sql(query).fetchall()


def test_the_draw_of_sources_depends_on_the_seed(made):
    two = {"HOPWEAVER_DOCUMENTS_PER_BATCH": "2"}
    first, again, other = (
        sorted(computed(made, "hopweaver.attempts", **two, **more)["paper_id"])
        for more in ({}, {}, {"HOPWEAVER_SEED": "7"})
    )
    assert first == again
    assert first != other


def test_a_reranker_that_cannot_be_loaded_leaves_the_order(made, caplog):
    plain = computed(made, "hopweaver.candidates")
    assert computed(made, "hopweaver.candidates", HOPWEAVER_RERANKER="nobody/has-this").equals(plain)
    assert "Candidates keep the order" in caplog.text


def test_nothing_is_asked_while_no_kind_is_named(tmp_path):
    model = HopModel()
    pipeline = made_at(tmp_path, model, HOPWEAVER_KINDS="")
    assert not [request for request in model.asked if request.task.startswith("hopweaver")]
    assert rows(pipeline, "select count(*) from hopweaver.items") == [(0,)]
