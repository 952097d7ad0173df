"""Served models answer and judge: of which family, with which settings, each with its own key."""

import json

import pytest

from tests.answering_home import benchmark, resources_at, rows, scores
from tests.model_server import ModelServer, Status

pytestmark = pytest.mark.slow


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
