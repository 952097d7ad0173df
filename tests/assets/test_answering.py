"""The answering benchmark as assets over three literal papers, by rules and with served models."""

import json

import dagster as dg
import polars as pl
import pytest
from aimsciqa_resources.language_model.opening import OneModel

from aimsciqa_assets.benchmark.answering import assets as answering
from aimsciqa_assets.benchmark.answering.tasks import ANSWERING
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.judging import assets as quality
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES
from tests.dialogues import asked_about
from tests.fakes import SentenceModel, WordEncoder
from tests.model_server import ModelServer, Status, Text, always, first_of

pytestmark = pytest.mark.slow

DEFAULTS = {
    "VARCHAR": "x",
    "VARCHAR[]": [],
    "DOUBLE[]": [],
    "INTEGER": 0,
    "BIGINT": 0,
    "DOUBLE": 0.5,
    "BOOLEAN": False,
}
PAPERS = {
    "S": (
        "Zinc of wheat",
        ["Grain zinc fell by 3 mg.", "Iron rose in rice [1].", "Copper stayed in oat [2]."],
    ),
    "T": ("Iron of rice", ["Grain iron rose by 5 mg.", "Pots held ten litres."]),
    "D": ("Lead of barley", ["Leaf lead was not measured."]),
}
QUERIES = [
    {
        "item_id": item_id,
        "variant": variant,
        "source_paper_id": "S",
        "target_paper_id": "T",
        "query": "Which paper reports that iron rose in rice?",
        "question": f"In the paper on rice, how did iron change, and what fell in the source paper? ({n})",
        "answer": "Grain iron rose by 5 mg. Grain zinc fell by 3 mg.",
        "cluster": ["D", "T"],
        "random_cluster": ["D", "T"],
    }
    for n, (item_id, variant) in enumerate([("i1", "im"), ("i2", "cim")])
]

READ = {"source_paper": "S", "second_paper": "T"}


def rows_of_the_corpus():
    yield "corpus.papers", [{"paper_id": paper, "title": title} for paper, (title, _) in PAPERS.items()]
    yield "corpus.sections", [{"section_id": f"{paper}s", "paper_id": paper} for paper in PAPERS]
    yield (
        "corpus.paragraphs",
        [
            {
                "paragraph_id": f"{paper}{n}",
                "paper_id": paper,
                "section_id": f"{paper}s",
                "position": n,
                "text": text,
            }
            for paper, (_, texts) in PAPERS.items()
            for n, text in enumerate(texts)
        ],
    )
    yield (
        "corpus.citation_mentions",
        [
            {
                "mention_id": f"m{n}",
                "paper_id": "S",
                "paragraph_id": f"S{n}",
                "sentence": PAPERS["S"][1][n],
                "markers": [f"[{n}]"],
                "reference_ids": [f"r{n}"],
                "is_single": True,
            }
            for n in (1, 2)
        ],
    )
    yield (
        "corpus.references",
        [{"reference_id": f"r{n}", "paper_id": "S", "position": n, "label": f"[{n}]"} for n in (1, 2)],
    )
    yield (
        "corpus.citation_edges",
        [{"citing_paper_id": "S", "cited_paper_id": "T", "reference_ids": ["r1"], "method": "doi"}],
    )
    yield (
        "multi_hop.items",
        [
            {name: query[name] for name in ("item_id", "variant", "source_paper_id", "target_paper_id")}
            for query in QUERIES
        ],
    )
    yield "benchmark.queries", QUERIES
    yield (
        "benchmark.rankings",
        [
            {
                "retriever": retriever,
                "item_id": item_id,
                "setting": "cluster",
                "rank": papers.index("T") + 1,
                "papers": papers,
                "scores": [2.0, 1.0],
            }
            for retriever in ("bm25", "other")
            for item_id, papers in (("i1", ["D", "T"]), ("i2", ["T", "D"]))
        ],
    )


def resources_at(folder, *, model=None, **settings):
    environment = {f"AIMSCIQA_{name}".upper(): str(value) for name, value in settings.items()}
    overrides = {"language_models": OneModel(model)} if model else {}
    resources = build_resources(
        Home(folder), Settings.preset_of("demo", environment), encoder=WordEncoder(), **overrides
    )
    create_tables(resources["warehouse"])
    if resources["warehouse"].read("from corpus.papers").is_empty():
        with resources["warehouse"].get_connection() as connection:
            for table, rows in rows_of_the_corpus():
                connection.register("incoming", frame_of(table, map(full_row(table), rows)).to_arrow())
                connection.execute(f"insert into {table} by name from incoming")
                connection.unregister("incoming")
    return resources


def full_row(table):
    def default(column):
        return None if column.null else column.values[0] if column.values else DEFAULTS[column.type]

    return lambda row: {
        column.name: row.get(column.name, default(column)) for column in TABLES[table].columns
    }


def benchmark(resources, answerer):
    """Run the benchmark for an answerer, and what is made of all answerers."""
    instance = dg.DagsterInstance.ephemeral()
    instance.add_dynamic_partitions("answerer", [answerer])
    for assets, part in (
        ([answering.answers, answering.judgements], answerer),
        ([answering.answering_scores, quality.gates], None),
    ):
        assert dg.materialize(assets, resources=resources, instance=instance, partition_key=part).success


def rows(resources, query):
    return resources["warehouse"].read(query).rows()


def scores(resources, measure, judge=""):
    found = rows(
        resources,
        f"select variant, setting, value from benchmark.answering_scores where measure = '{measure}' "
        f"and judge = '{judge}'",
    )
    return {(variant, setting): value for variant, setting, value in found}


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


def test_a_served_model_is_judged_by_another_family_and_never_by_its_own(tmp_path):
    with ModelServer() as server:
        settings = {
            "answering_model_base_url": server.url,
            "judge_model_base_url": server.url,
            "benchmark_answerers": "Qwen/tiny",
            "benchmark_judges": "qwen2.5-max gpt-5 claude-4",
        }
        resources = resources_at(tmp_path, **settings)
        benchmark(resources, "Qwen/tiny")
    asked = {(seen.body["model"], "Prediction:" in seen.text) for seen in server.seen}
    assert asked == {("Qwen/tiny", False), ("gpt-5", True), ("claude-4", True)}
    judged = rows(
        resources,
        "select judge, kind, count(*), count(score), any_value(rejection_reason) from benchmark.judgements "
        "group by all order by 1",
    )
    assert judged == [
        ("claude-4", "model", 11, 11, None),
        ("gpt-5", "model", 11, 11, None),
        ("lexical", "lexical", 11, 11, None),
        ("qwen2.5-max", "model", 11, 0, "same_family"),
    ]
    # Each paper's first paragraph is the answer, where both are the right ones.
    assert scores(resources, "accuracy", "mean of judges")["im", "oracle"] == 1
    assert scores(resources, "accuracy", "gpt-5")["im", "source_only"] == 0.5
    assert scores(resources, "accuracy", "gpt-5")["im", "closed_book"] == 0
    assert scores(resources, "accuracy", "qwen2.5-max") == {}
    assert scores(resources, "exact_match")["cim", "citation"] == 1
    calls = rows(
        resources,
        "select part, table_name, task, model, count(*) from ops.llm_calls group by all order by all",
    )
    assert calls == [
        ("Qwen/tiny", "benchmark.answers", "answering", "Qwen/tiny", 11),
        ("Qwen/tiny", "benchmark.answers", "citation_marker", "Qwen/tiny", 1),
        ("Qwen/tiny", "benchmark.judgements", "answer_judge", "claude-4", 9),
        ("Qwen/tiny", "benchmark.judgements", "answer_judge", "gpt-5", 9),
    ]
    detail = rows(resources, "select distinct detail from benchmark.gates where gate = 'closed_book'")
    assert detail == [("without papers: 0 by claude-4, gpt-5",)]


def test_a_judge_of_the_same_family_judges_where_the_settings_let_it(tmp_path):
    with ModelServer() as server:
        settings = {
            "answering_model_base_url": server.url,
            "judge_model_base_url": server.url,
            "benchmark_answerers": "gpt-5",
            "benchmark_judges": "gpt-5",
            "benchmark_same_family": True,
            "benchmark_models": '{"gpt-5": {"temperature": 1, "extra_body": {"reasoning_effort": "low"}}}',
        }
        resources = resources_at(tmp_path, **settings)
        benchmark(resources, "gpt-5")
    assert scores(resources, "accuracy", "gpt-5")["im", "oracle"] == 1
    assert {(seen.body["temperature"], seen.body["reasoning_effort"]) for seen in server.seen} == {(1, "low")}


def test_a_named_answerer_and_a_named_judge_are_asked_as_they_want_it_each_with_its_own_key(
    tmp_path, monkeypatch
):
    for name in ("FIRST_KEY", "SECOND_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, f"what-{name}-holds")

    def refuses_a_temperature(seen):
        said = {"error": {"message": "Unsupported parameter: 'temperature'."}}
        return Status(400, said) if "temperature" in seen.body else None

    with ModelServer() as first, ModelServer(plan=refuses_a_temperature) as second:
        models = {
            "reader": {
                "name": "Qwen/tiny",
                "base_url": first.url,
                "api_key_variable": "FIRST_KEY",
                "temperature": 0.7,
                "extra_body": {"reasoning_effort": "low"},
            },
            "referee": {
                "name": "gpt-5",
                "base_url": second.url,
                "api_key_variable": "SECOND_KEY",
                "in_flight": 1,
                "most_in_flight": 1,
                "reply_tokens": 99,
                "extra_body": {"service_tier": "flex"},
            },
        }
        resources = resources_at(
            tmp_path,
            benchmark_answerers="reader",
            benchmark_judges="referee",
            benchmark_models=json.dumps(models),
        )
        benchmark(resources, "reader")

    def arrived(server, *fields):
        keys = {(seen.headers["authorization"], seen.body["model"]) for seen in server.seen}
        return keys, {
            tuple(seen.body.get(field) for field in fields) for seen in server.seen if seen.status == 200
        }

    assert arrived(first, "temperature", "reasoning_effort", "service_tier", "max_tokens") == (
        {("Bearer what-FIRST_KEY-holds", "Qwen/tiny")},
        {(0.7, "low", None, 2048)},
    )
    assert arrived(second, "temperature", "reasoning_effort", "service_tier", "max_tokens") == (
        {("Bearer what-SECOND_KEY-holds", "gpt-5")},
        {(None, None, "flex", 99)},
    )
    assert {"Prediction:" in seen.text for seen in first.seen} == {False}
    assert {"Prediction:" in seen.text for seen in second.seen} == {True}
    assert scores(resources, "accuracy", "referee")["im", "oracle"] == 1
    assert rows(resources, "select distinct model, sampling from ops.llm_calls order by 1") == [
        ("Qwen/tiny", '{"reasoning_effort": "low", "reply_tokens": 2048, "temperature": 0.7}'),
        ("gpt-5", '{"reply_tokens": 99, "service_tier": "flex"}'),
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
