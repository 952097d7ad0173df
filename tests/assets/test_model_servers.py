"""The pipeline with a model server on the loopback: what is kept, paid, told and hidden when things fail."""

import os
import re
from pathlib import Path

import dagster as dg
import pytest
from aimsciqa_resources.language_model.journal_exchange import export_journal, import_journal
from aimsciqa_resources.language_model.opening import OneModel
from rich.console import Console

from aimsciqa_assets.aim_sciqa.single_hop import assets as single_hop
from aimsciqa_assets.cli.phases import Failure
from aimsciqa_assets.cli.pipeline import Pipeline, open_instance
from aimsciqa_assets.corpus import assets as corpus
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from tests.aim_sciqa_alone import AIM_SCIQA
from tests.fakes import SentenceModel, WordEncoder, write_corpus
from tests.model_server import ModelServer, Seen, Status, Text, always, answer_from_prompt
from tests.small_home import copy_of
from tests.some_steps import run_some

pytestmark = pytest.mark.slow

KEY = "sk-this-must-stay-hidden-0123456789"
SMALL = AIM_SCIQA | {"AIMSCIQA_RELATIONS_CLUSTER_SIZE": "5", "AIMSCIQA_CORPUS_PAPERS_PER_BATCH": "12"}
TWO_BATCHES = {"corpus_papers_per_batch": 6}
MADE_BY = ("model", "model_revision")


def pipeline_at(folder: Path, url: str = "", *, instance=None, **settings: object) -> Pipeline:
    """A pipeline that asks the server at `url`, or a model of the tests' own."""
    environment = dict(SMALL)
    if url:
        environment |= {
            "AIMSCIQA_MODEL_BACKEND": "server",
            "AIMSCIQA_MODEL_NAME": "m",
            "AIMSCIQA_MODEL_BASE_URL": url,
            "AIMSCIQA_MODEL_IN_FLIGHT": "8",
            "AIMSCIQA_MODEL_MOST_IN_FLIGHT": "8",
        }
    environment |= {f"AIMSCIQA_{name}".upper(): str(value) for name, value in settings.items()}
    home = Home(folder)
    overrides = {} if url else {"language_models": OneModel(SentenceModel())}
    resources = build_resources(
        home, Settings.preset_of("demo", environment), encoder=WordEncoder(), **overrides
    )
    return Pipeline(home, resources, instance or dg.DagsterInstance.ephemeral(), Console(quiet=True))


def pairs_by(pipeline: Pipeline) -> list[Failure]:
    """Make single-hop QA and what is told of it; returns what failed."""
    return run_some(pipeline, "single_hop.qa_pairs", alone=("ops.rejections",))


def items_by(pipeline: Pipeline) -> list[Failure]:
    """Make items; returns what failed."""
    return run_some(pipeline, "multi_hop.items")


@pytest.fixture(scope="module")
def direct(tmp_path_factory) -> Pipeline:
    """The items of twelve papers by a model of the tests' own; for reading."""
    folder = tmp_path_factory.mktemp("direct")
    write_corpus(folder / "papers", 12)
    pipeline = pipeline_at(folder / "home")
    pipeline.ingest(folder / "papers")
    assert items_by(pipeline) == []
    return pipeline


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> tuple[Path, list[Seen]]:
    """A home with the same items by a server, to be copied, and the requests that they took."""
    folder = tmp_path_factory.mktemp("served")
    write_corpus(folder / "papers", 12)
    with ModelServer() as server:
        pipeline = pipeline_at(folder / "home", server.url)
        pipeline.ingest(folder / "papers")
        assert items_by(pipeline) == []
    return folder / "home", server.seen


@pytest.fixture
def papers(tmp_path):
    write_corpus(tmp_path / "papers", 12)
    return tmp_path / "papers"


def content(pipeline: Pipeline, schemas: str = "(?!ops)") -> dict[str, list[tuple]]:
    """All rows of the tables of the method, or of some schemas, without the name of who wrote them."""
    query = "select schema_name || '.' || table_name as name from duckdb_tables() order by 1"
    with pipeline.warehouse.one_state():
        frames = {
            name: pipeline.warehouse.read(f"select * from {name} order by all")
            for name in pipeline.warehouse.read(query)["name"]
            if re.match(schemas, name)
        }
    return {name: frame.drop(MADE_BY, strict=False).rows() for name, frame in frames.items()}


def count(pipeline: Pipeline, table: str, where: str = "true") -> int:
    return pipeline.warehouse.read(f"select count(*) as n from {table} where {where}")["n"][0]


def test_the_pipeline_through_a_server_makes_what_it_makes_without(tmp_path, served, direct):
    home, seen = served
    made = pipeline_at(copy_of(home, tmp_path / "home"), "http://127.0.0.1:9/v1")
    assert len(seen) == count(made, "ops.llm_calls", "not from_journal") == len({one.key for one in seen})
    assert content(made) == content(direct)
    assert made.run(evaluate=False) == [], "nobody is asked"
    forms = {one.body["response_format"]["type"] for one in seen if "response_format" in one.body}
    assert forms == {"json_schema"}


def test_one_permanent_error_costs_one_row_and_says_why(tmp_path, papers):
    with ModelServer(plan=always("Zinc matters in cohort 4", Status(400))) as server:
        pipeline = pipeline_at(tmp_path / "home", server.url)
        pipeline.ingest(papers)
        assert pairs_by(pipeline) == []
    asked = count(pipeline, "corpus.paragraphs")
    assert count(pipeline, "single_hop.extractions", "status = 'answered'") == asked - 1
    assert count(pipeline, "single_hop.extractions", "rejection_reason = 'http_400'") == 1
    (call,) = pipeline.warehouse.read("select * from ops.llm_calls where outcome != 'ok'").rows(named=True)
    assert (call["outcome"], call["detail"], call["attempts"]) == ("http_400", "Bad Request", 1)
    assert sum(seen.status == 400 for seen in server.seen) == 1
    reasons = pipeline.warehouse.read("select rows from ops.rejections where rejection_reason = 'http_400'")
    assert reasons.rows() == [(1,)]


def test_what_failed_in_passing_is_asked_again_by_the_next_run_and_nothing_else(tmp_path, papers, direct):
    with ModelServer(plan=always("Zinc matters in cohort 4", Status(500))) as server:
        pipeline = pipeline_at(tmp_path / "home", server.url, model_attempts=1)
        pipeline.ingest(papers)
        assert pairs_by(pipeline) == []
        assert count(pipeline, "single_hop.extractions", "rejection_reason = 'http_500'") == 1
        assert count(pipeline, "ops.llm_calls", "passing") >= 1
        server.plan = lambda _seen: None
        before = len(server.seen)
        again = pipeline_at(tmp_path / "home", server.url, model_attempts=1)
        assert pairs_by(again) == []
        assert "Zinc matters in cohort 4" in server.seen[before].text
        assert content(again, "corpus|single_hop") == content(direct, "corpus|single_hop")
        settled = len(server.seen)
        assert pairs_by(pipeline_at(tmp_path / "home", server.url, model_attempts=1)) == []
        assert len(server.seen) == settled


def test_what_fails_twice_in_passing_is_left_alone(tmp_path, papers):
    with ModelServer(plan=always("Zinc matters in cohort 4", Status(500))) as server:
        pipeline = pipeline_at(tmp_path / "home", server.url, model_attempts=1)
        pipeline.ingest(papers)
        sent = []
        for _ in range(4):
            assert pairs_by(pipeline_at(tmp_path / "home", server.url, model_attempts=1)) == []
            sent.append(sum(seen.status == 500 for seen in server.seen))
    assert sent[1] > sent[0]
    assert sent[3] == sent[2] == sent[1]
    assert count(pipeline, "single_hop.extractions", "rejection_reason = 'http_500'") == 1


def test_a_run_that_fails_leaves_the_calls_of_the_rows_that_stay(tmp_path, served):
    home, _ = served
    copy_of(home, tmp_path / "home")
    with ModelServer(plan=lambda _seen: Status(401)) as server:
        pipeline = pipeline_at(tmp_path / "home", server.url, model_temperature=0.5)
        calls = count(pipeline, "ops.llm_calls")
        assert pairs_by(pipeline) != []
    assert calls > 0
    assert count(pipeline, "ops.llm_calls") == calls


def test_a_wrong_key_stops_the_run_and_what_was_answered_is_not_paid_again(tmp_path, papers, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    refusal = Status(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})
    with ModelServer(plan=lambda seen: refusal if seen.number >= 9 else None) as server:
        home = Home(tmp_path / "home")
        pipeline = pipeline_at(home.folder, server.url, instance=open_instance(home), **TWO_BATCHES)
        pipeline.ingest(papers)
        failures = pipeline.run(evaluate=False)
        assert failures[0].part == "batch-0001"
        assert failures[0].message.startswith("m at http")
        assert "environment variable OPENAI_API_KEY" in failures[0].message
        assert not any(failure.part == "batch-0002" for failure in failures)
        assert len(server.seen) < 30
        server.plan = lambda _seen: None
        assert pipeline_at(home.folder, server.url).run(evaluate=False) == []
    answered = [seen.key for seen in server.seen if seen.status == 200]
    assert len(answered) == len(set(answered))
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    hidden = [path for path in home.folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert hidden == []
    assert KEY not in repr(failures)


def test_too_many_failures_fail_the_step_and_keep_the_replies(tmp_path, papers):
    with ModelServer(plan=always("Zinc matters", Status(422))) as server:
        pipeline = pipeline_at(tmp_path / "home", server.url)
        pipeline.ingest(papers)
        failures = pairs_by(pipeline)
        assert "had no reply (http_422" in failures[0].message
        assert count(pipeline, "single_hop.extractions") == 0
        assert count(pipeline, "ops.llm_calls", "outcome = 'http_422'") > 0
        server.plan = lambda _seen: None
        again = pipeline_at(tmp_path / "home", server.url)
        assert pairs_by(again) == []
    answered = [seen.key for seen in server.seen if seen.status == 200]
    assert len(answered) - len(set(answered)) <= 8  # what was in flight when the step gave up
    assert count(again, "ops.llm_calls", "from_journal") > 0
    assert count(again, "ops.llm_calls", "outcome != 'ok'") == 0


def test_what_a_batch_cost_is_one_query_and_stands_in_the_metadata(tmp_path, papers):
    (tmp_path / "prices.csv").write_text("model,input,cached_input,output\nm,1000000,100000,2000000\n")
    instance = dg.DagsterInstance.ephemeral()
    with ModelServer() as server:
        prices = {"model_prices": tmp_path / "prices.csv"}
        pipeline = pipeline_at(tmp_path / "home", server.url, instance=instance, **prices, **TWO_BATCHES)
        pipeline.ingest(papers)
        assert items_by(pipeline) == []
    costs = pipeline.warehouse.read(
        "select part, table_name, sum(cost) as cost, sum(prompt_tokens - cached_tokens)::double as fresh, "
        "sum(cached_tokens)::double as cached, sum(reply_tokens)::double as reply "
        "from ops.llm_calls where not from_journal group by all"
    )
    assert costs.height == 4
    for row in costs.rows(named=True):
        expected = row["fresh"] + 0.1 * row["cached"] + 2 * row["reply"]
        assert row["cost"] == pytest.approx(expected)
    event = instance.get_latest_materialization_event(dg.AssetKey(["single_hop", "extractions"]))
    told = event.asset_materialization.metadata
    last = costs.filter(part="batch-0002", table_name="single_hop.extractions").row(0, named=True)
    assert told["model/cost"].value == pytest.approx(last["cost"])
    assert told["model/reply tokens"].value == last["reply"]
    assert told["model/calls from the journal"].value == 0


def test_tasks_may_have_models_of_their_own(tmp_path, papers):
    with ModelServer() as small, ModelServer(model="large") as large:
        pipeline = pipeline_at(
            tmp_path / "home",
            small.url,
            multi_hop_model_name="large",
            multi_hop_model_base_url=large.url,
            multi_hop_model_temperature=0.7,
        )
        pipeline.ingest(papers)
        assert items_by(pipeline) == []
    assert {seen.body["model"] for seen in small.seen} == {"m"}
    assert {(seen.body["model"], seen.body["temperature"]) for seen in large.seen} == {("large", 0.7)}
    made = pipeline.warehouse.read("select distinct model from multi_hop.items")["model"].to_list()
    assert made == ["large"]


def test_the_launchpad_chooses_the_model_of_a_run(tmp_path, papers):
    instance = dg.DagsterInstance.ephemeral()
    with ModelServer() as server:
        pipeline = pipeline_at(tmp_path / "home", server.url, instance=instance)
        batch = pipeline.ingest(papers).batches[0]
        create_tables(pipeline.warehouse)
        chosen = {"backend": "server", "name": "chosen", "base_url": server.url, "temperature": 0.25}
        result = dg.materialize(
            [corpus.parsed_papers, single_hop.extractions],
            partition_key=batch,
            resources=pipeline.resources,
            instance=instance,
            run_config={"resources": {"settings": {"config": {"single_hop_model": chosen}}}},
        )
    assert result.success
    assert {(seen.body["model"], seen.body["temperature"]) for seen in server.seen} == {("chosen", 0.25)}
    assert count(pipeline, "single_hop.extractions", "model = 'chosen'") == len(server.seen) > 10


def test_another_temperature_asks_again_and_another_server_does_not(tmp_path, served):
    home, paid = served
    copy_of(home, tmp_path / "home")
    with ModelServer() as other:
        assert pairs_by(pipeline_at(tmp_path / "home", other.url)) == []
        assert len(other.seen) == 0
        warmer = pipeline_at(tmp_path / "home", other.url, single_hop_model_temperature=0.5)
        assert pairs_by(warmer) == []
    assert 0 < len(other.seen) < len(paid)


def test_a_team_shares_its_journal(tmp_path, papers, served):
    home, paid = served
    with ModelServer() as server:
        assert export_journal(Home(home).journal, tmp_path / "replies.jsonl.gz") == len(paid)
        assert import_journal(Home(tmp_path / "two").journal, tmp_path / "replies.jsonl.gz").new == len(paid)
        two = pipeline_at(tmp_path / "two", server.url)
        two.ingest(papers)
        assert items_by(two) == []
    assert server.seen == []
    assert content(two) == content(pipeline_at(home, "http://127.0.0.1:9/v1"))


def test_a_malformed_reply_is_repaired_or_rejected(tmp_path, papers):
    def answer(body):
        asked = body["messages"][1]["content"]
        if "Zinc matters in cohort 3" in asked and len(body["messages"]) == 2:
            return "I would rather not."
        if "Zinc matters in cohort 5" in asked:
            return "Never."
        return answer_from_prompt(body | {"messages": body["messages"][:2]})

    with ModelServer(answer=answer) as server:
        pipeline = pipeline_at(tmp_path / "home", server.url)
        pipeline.ingest(papers)
        assert pairs_by(pipeline) == []
    rejected = pipeline.warehouse.read(
        "select rejection_reason, reply from single_hop.extractions where status = 'rejected'"
    )
    assert rejected.rows() == [("malformed_reply", "Never.")]
    assert count(pipeline, "ops.llm_calls", "purpose = 'repair' and task = 'single_hop'") == 2


def test_thinking_and_cut_replies_on_their_way_through_the_pipeline(tmp_path, papers):
    cut = Text('<think>Hm.</think>{"pairs": [{"question": "q", "evi', "length")
    thought = Text("<think>I will never come to an end", "length")

    def plan(seen):
        if "Zinc matters in cohort 3" in seen.text:
            return cut
        return thought if "Zinc matters in cohort 5" in seen.text else None

    with ModelServer(plan=plan) as server:
        pipeline = pipeline_at(tmp_path / "home", server.url, model_failure_share=0.2)
        pipeline.ingest(papers)
        assert pairs_by(pipeline) == []
    rejected = pipeline.warehouse.read(
        "select rejection_reason, reply from single_hop.extractions where status = 'rejected' order by reply"
    )
    assert rejected.rows() == [
        ("length_limit", '{"pairs": [{"question": "q", "evi'),
        ("length_limit", None),
    ]


def test_settings_of_the_environment_reach_the_definitions(monkeypatch):
    from aimsciqa_assets.definitions import build_definitions

    for name, value in {"BACKEND": "server", "NAME": "m", "BASE_URL": "http://localhost:1/v1"}.items():
        monkeypatch.setitem(os.environ, f"AIMSCIQA_MODEL_{name}", value)
    dg.Definitions.validate_loadable(build_definitions())
