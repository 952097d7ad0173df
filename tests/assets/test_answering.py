"""The answering benchmark as assets over three literal papers, by rules and with served models."""

import dagster as dg
import polars as pl
import pytest

from aimsciqa_assets.benchmark.answering import assets as answering
from aimsciqa_assets.benchmark.answering.tasks import ANSWERING
from aimsciqa_assets.settings import Settings
from tests.answering_home import PAPERS, QUERIES, READ, benchmark, resources_at, rows, scores
from tests.dialogues import asked_about
from tests.fakes import SentenceModel
from tests.model_server import ModelServer, Text, always, first_of

pytestmark = pytest.mark.slow


def test_the_extractive_reader_and_the_lexical_judge(tmp_path):
    resources = resources_at(tmp_path)
    benchmark(resources, "extractive")
    assert rows(
        resources,
        "select setting, found_target, read_paper_id, marker from benchmark.answers where item_id = 'i2' "
        "order by 1",
    ) == [
        ("citation", True, "T", "[1]"),
        ("closed_book", None, None, None),
        ("oracle", None, "T", None),
        ("realistic", True, "T", None),
        ("source_only", None, None, None),
        ("target_only", None, "T", None),
    ]
    accuracy = scores(resources, "accuracy", "lexical")
    assert accuracy["im", "oracle"] == accuracy["cim", "citation"] == accuracy["cim", "realistic"] == 1
    assert accuracy["im", "realistic"] == 0.5
    assert accuracy["im", "closed_book"] == 0
    assert scores(resources, "found_target") == {
        ("im", "realistic"): 0,
        ("cim", "realistic"): 1,
        ("cim", "citation"): 1,
    }
    assert scores(resources, "bert_score") == {}
    verdicts = rows(resources, "select item_id, gate, verdict from benchmark.gates order by all")
    assert verdicts == [
        ("i1", "closed_book", "pass"),
        ("i1", "no_duplicate", "pass"),
        ("i1", "single_document", "pass"),
        ("i1", "unique_retrieval", "fail"),
        ("i2", "closed_book", "pass"),
        ("i2", "no_duplicate", "fail"),
        ("i2", "single_document", "pass"),
        ("i2", "unique_retrieval", "pass"),
    ]


def test_items_settings_and_the_best_retriever_are_chosen(tmp_path):
    chosen = {
        "benchmark_answering_settings": "oracle realistic",
        "benchmark_realistic_retriever": "best",
        "benchmark_retrievers": "bm25 other",
    }
    resources = resources_at(tmp_path, **chosen)
    with resources["warehouse"].get_connection() as connection:
        connection.execute("update benchmark.rankings set papers = ['T', 'D'] where retriever = 'other'")
        connection.execute(
            "insert into benchmark.queries select * replace ('i3' as item_id) from benchmark.queries "
            "where item_id = 'i1'"
        )
        connection.execute(
            "insert into multi_hop.items select * replace ('i3' as item_id) from multi_hop.items "
            "where item_id = 'i1'"
        )
        connection.execute(
            "insert into benchmark.rankings select * replace ('i3' as item_id) from benchmark.rankings "
            "where item_id = 'i1'"
        )
    benchmark(resources, "extractive")
    answered = "select distinct setting, retriever from benchmark.answers order by 1"
    assert rows(resources, answered) == [("oracle", None), ("realistic", "other")]
    assert scores(resources, "found_target") == {("im", "realistic"): 1, ("cim", "realistic"): 1}
    sample = resources_at(tmp_path, **chosen, benchmark_answering_items=1)
    benchmark(sample, "extractive")
    assert rows(
        sample, "select variant, count(distinct item_id) from benchmark.answers group by all order by 1"
    ) == [
        ("cim", 1),
        ("im", 1),
    ]
    assert rows(sample, "select distinct answers from benchmark.answering_scores") == [(1,)]


def test_unreadable_replies_are_rows_with_their_reason(tmp_path):
    plan = first_of(
        always("Prediction:", Text("I would give it a one.")),
        always("<citing_sentences>", Text('{"marker": "[2]"}')),
        always("No paper is given.", Text("Iron rose.")),
    )
    with ModelServer(plan=plan) as server:
        settings = {
            "answering_model_base_url": server.url,
            "judge_model_base_url": server.url,
            "benchmark_answerers": "Qwen/tiny",
            "benchmark_judges": "gpt-5",
        }
        resources = resources_at(tmp_path, **settings)
        benchmark(resources, "Qwen/tiny")
    reasons = rows(
        resources,
        "select setting, rejection_reason, token_f1 from benchmark.answers where prediction is null "
        "and item_id = 'i2' order by 1",
    )
    assert reasons == [("citation", "marker_not_in_corpus", 0.0), ("closed_book", "malformed_reply", 0.0)]
    marks = rows(
        resources,
        "select score, rejection_reason, count(*) from benchmark.judgements where judge = 'gpt-5' "
        "group by all order by 2",
    )
    assert marks == [(None, "malformed_reply", 8), (0.0, "no_answer", 3)]
    assert set(scores(resources, "accuracy", "gpt-5").values()) == {0}
    counted = (
        "select answers, unreadable from benchmark.answering_scores where judge = 'gpt-5' and variant = 'im'"
    )
    assert sorted(set(rows(resources, counted))) == [(1, 0), (1, 1)]
    left_out = resources_at(tmp_path, **settings, benchmark_unusable="left_out")
    instance = dg.DagsterInstance.ephemeral()
    assert dg.materialize([answering.answering_scores], resources=left_out, instance=instance).success
    assert scores(left_out, "accuracy", "gpt-5").keys() == {
        ("im", "closed_book"),
        ("cim", "closed_book"),
        ("cim", "citation"),
    }
    # The lexical judge alone could read the rest.
    verdicts = rows(resources, "select distinct verdict from benchmark.gates where gate = 'closed_book'")
    assert verdicts == [("unknown",)]


def test_a_paper_without_text_counts_as_wrong_and_passes_no_gate(tmp_path):
    resources = resources_at(tmp_path)
    with resources["warehouse"].get_connection() as connection:
        connection.execute("delete from corpus.paragraphs where paper_id = 'T'")
    benchmark(resources, "extractive")
    found = rows(
        resources,
        "select value, answers, no_text from benchmark.answering_scores "
        "where setting = 'oracle' and variant = 'im' and measure in ('accuracy', 'token_f1')",
    )
    assert found == [(0, 1, 1), (0, 1, 1)]
    verdicts = rows(resources, "select distinct verdict from benchmark.gates where gate = 'single_document'")
    assert verdicts == [("unknown",)]


def test_papers_that_do_not_fit_are_read_in_part_and_that_is_recorded(tmp_path):
    reply_tokens = Settings.preset_of("demo").answering_model.reply_tokens
    oracle = ANSWERING.request(
        "k",
        **asked_about(
            QUERIES[0]["question"],
            **{name: "\n\n".join([PAPERS[paper][0], *PAPERS[paper][1]]) for name, paper in READ.items()},
        ),
    )
    fits = sum(len(message.content.split()) for message in oracle.messages) - 1
    with ModelServer(context=reply_tokens + fits) as server:
        resources = resources_at(
            tmp_path, answering_model_base_url=server.url, benchmark_answerers="Qwen/tiny"
        )
        benchmark(resources, "Qwen/tiny")
    shortened = rows(
        resources, "select setting, shortened from benchmark.answers where item_id = 'i1' order by 1"
    )
    assert dict(shortened)["oracle"] == 1
    assert dict(shortened)["closed_book"] == 0
    assert {seen.status for seen in server.seen} == {200, 400}


def test_without_a_ranking_the_realistic_setting_is_not_put_and_does_not_count(tmp_path):
    resources = resources_at(tmp_path, model=SentenceModel(), benchmark_realistic_retriever="none-such")
    benchmark(resources, "extractive")
    realistic = (
        "from benchmark.answers select rejection_reason, token_f1, found_target where setting = 'realistic'"
    )
    assert rows(resources, realistic) == [("no_ranking", None, None)] * 2
    assert ("im", "realistic") not in scores(resources, "token_f1")
    assert ("im", "realistic") not in scores(resources, "accuracy", "lexical")


def test_no_items_make_no_rows_and_no_failure(tmp_path):
    resources = resources_at(tmp_path)
    with resources["warehouse"].get_connection() as connection:
        connection.execute("delete from benchmark.queries")
    benchmark(resources, "extractive")
    tables = ("answers", "judgements", "answering_scores", "gates")
    found = [resources["warehouse"].read(f"select count(*) as n from benchmark.{table}") for table in tables]
    assert pl.concat(found)["n"].to_list() == [0, 0, 0, 0]


def test_a_second_run_asks_nothing(tmp_path):
    first = SentenceModel()
    benchmark(resources_at(tmp_path, model=first), "extractive")
    assert len(first.asked) == 12
    again = SentenceModel()
    benchmark(resources_at(tmp_path, model=again), "extractive")
    assert again.asked == []
