"""Judges on a small corpus, through a model server on the loopback."""

import json
from collections import Counter

import dagster as dg
import pytest

from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.judging import assets as quality
from aimsciqa_assets.judging.dimensions import DIMENSIONS, LIKERT
from aimsciqa_assets.platform.queries import query_of
from tests.fakes import write_corpus
from tests.model_server import ModelServer, answer_from_prompt
from tests.small_home import copy_of, pipeline_at

pytestmark = pytest.mark.slow

JUDGES = {
    "AIMSCIQA_BENCHMARK_QUALITY_JUDGES": "gpt-a claude-b qwen-large",
    "AIMSCIQA_BENCHMARK_QUALITY_ITEMS": "4",
    "AIMSCIQA_BENCHMARK_QUALITY_RUNS": "3",
}
WORDS = "AIMSCIQA_BENCHMARK_QUALITY_DOCUMENT_WORDS"
GOOD = {"multi_hop": "Yes"} | dict.fromkeys(LIKERT, "Good")


class Judges:
    """Says Good, once in three times Fair, and leaves out what it was told to until it is asked again.

    If it `varies`, every second question is very poor, and claude-b says Fair of all the third time.
    """

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.leaves_out: set[str] = set()
        self.learns = True
        self.varies = False
        self.questions: list[str] = []

    def __call__(self, body: dict) -> str:
        messages = body["messages"]
        if "You review questions" not in messages[0]["content"]:
            return answer_from_prompt(body)
        question = f"{body['model']} {messages[1]['content']}"
        self.asked[question] += len(messages) == 2
        scores = GOOD | {"clarity": "Fair" if self.asked[question] % 3 == 0 else "Good"}
        if self.varies:
            told = messages[1]["content"]
            self.questions += [told] if told not in self.questions else []
            poor = self.questions.index(told) % 2
            fair = body["model"] == "claude-b" and self.asked[question] % 3 == 0
            scores |= dict.fromkeys(LIKERT, "Fair" if fair else "Very Poor" if poor else "Good")
        repaired = self.learns and len(messages) > 2
        return json.dumps(
            {name: word for name, word in scores.items() if repaired or name not in self.leaves_out}
        )


@pytest.fixture
def server():
    with ModelServer(answer=Judges()) as server:
        yield server


@pytest.fixture
def pipeline(items_home, tmp_path, server) -> Pipeline:
    """Twelve papers with their items."""
    return pipeline_at(copy_of(items_home, tmp_path / "home"), server.url, **JUDGES)


def rate(pipeline: Pipeline, *judges: str) -> dg.ExecuteInProcessResult:
    pipeline.instance.add_dynamic_partitions("judge", list(judges))
    for judge in judges:
        result = dg.materialize(
            [quality.ratings],
            partition_key=judge,
            resources=pipeline.resources,
            instance=pipeline.instance,
        )
        assert result.success
    return dg.materialize(
        [quality.reliability, quality.judge_choice, quality.rating_scores],
        resources=pipeline.resources,
        instance=pipeline.instance,
    )


def rows(pipeline: Pipeline, query: str) -> list[tuple]:
    return pipeline.warehouse.read(query).rows()


def test_each_judge_rates_each_item_anew_in_every_run(pipeline, server):
    before = len(server.seen)
    assert rate(pipeline, "gpt-a", "claude-b").success
    assert len(server.seen) - before == 2 * 4 * 3
    assert set(server.answer.asked.values()) == {3}
    assert rows(
        pipeline,
        "select judge, count(*), count(distinct item_id), count(score) from benchmark.ratings "
        "group by judge order by judge",
    ) == [("claude-b", 132, 4, 132), ("gpt-a", 132, 4, 132)]
    assert rows(
        pipeline,
        "select raters, items, mean, average_sd, krippendorff_alpha from benchmark.reliability "
        "where judge = 'gpt-a' and dimension in ('fluency', 'clarity') order by dimension",
    ) == [
        (3, 4, pytest.approx(11 / 3), pytest.approx((1 / 3) ** 0.5), pytest.approx(-0.375)),
        (3, 4, 4.0, 0.0, None),
    ]
    assert rows(pipeline, "select count(*) from benchmark.reliability where judge = 'all'") == [(12,)]
    # Nothing is asked or paid again.
    assert rate(pipeline, "gpt-a", "claude-b").success
    assert len(server.seen) - before == 24


def test_another_benchmark_setting_pays_nothing_again(tmp_path, pipeline, server):
    rate(pipeline, "gpt-a")
    before = len(server.seen)
    more = pipeline_at(tmp_path / "home", server.url, **JUDGES | {"AIMSCIQA_BENCHMARK_QUALITY_RUNS": "4"})
    rate(more, "gpt-a")
    assert len(server.seen) - before == 4
    assert rows(more, "select count(*) from benchmark.ratings") == [(4 * 4 * 11,)]


def test_what_judges_are_shown_is_in_the_rows_and_another_form_asks_anew(tmp_path, pipeline, server):
    rate(pipeline, "gpt-a")
    before = len(server.seen)
    shown = "select distinct shown, shown_words from benchmark.ratings"
    assert rows(pipeline, shown) == [("paragraphs", None)]

    def told(form: str, **more: str) -> list[str]:
        chosen = JUDGES | {"AIMSCIQA_BENCHMARK_QUALITY_SHOWN": form} | more
        changed = pipeline_at(tmp_path / "home", server.url, **chosen)
        asked = len(server.seen)
        rate(changed, "gpt-a")
        assert rows(changed, shown) == [(form, int(words) if (words := more.get(WORDS)) else None)]
        return [seen.body["messages"][1]["content"] for seen in server.seen[asked:]]

    facts = told("facts")
    assert len(facts) == len(server.seen) - before == 12
    quotes = rows(
        pipeline,
        "select evidence from single_hop.qa_pairs inner join multi_hop.items on qa_id = core_source_qa_id",
    )
    assert all(any(quote in asked for (quote,) in quotes) for asked in facts)
    few, many = told("documents", **{WORDS: "50"}), told("documents", **{WORDS: "60"})
    assert len(few) == len(many) == 12
    assert sum(map(len, facts)) < sum(map(len, few)) < sum(map(len, many))
    # What was asked before is in the journal.
    assert told("facts") == []


def test_the_rule_chooses_whose_ratings_count(tmp_path, pipeline, server):
    server.answer.varies = True
    rate(pipeline, "gpt-a", "claude-b", "qwen-large")
    found = (
        "select judge, place, chosen, counts, rejection_reason from benchmark.judge_choice "
        "order by place nulls last"
    )
    assert rows(pipeline, found) == [
        ("gpt-a", 1, True, True, None),
        ("claude-b", 2, True, True, None),
        ("qwen-large", None, False, True, "own_family"),
    ]
    together = "select distinct judges from benchmark.rating_scores"
    assert rows(pipeline, together) == [(2,)]
    one = JUDGES | {"AIMSCIQA_BENCHMARK_JUDGES_CHOSEN": "1"}
    rate(pipeline_at(tmp_path / "home", server.url, **one))
    assert rows(pipeline, found)[1] == ("claude-b", 2, False, True, "less_reliable")
    assert rows(pipeline, together) == [(2,)]
    counting = one | {"AIMSCIQA_BENCHMARK_JUDGES_COUNTING": "chosen"}
    rate(pipeline_at(tmp_path / "home", server.url, **counting))
    assert rows(pipeline, found)[1] == ("claude-b", 2, False, False, "less_reliable")
    assert rows(pipeline, together) == [(1,)]
    multi_hop = (
        "select avg(value), sum(items)::int from benchmark.rating_scores where dimension = 'multi_hop'"
    )
    assert rows(pipeline, multi_hop) == [(1.0, 4)]


def test_a_judge_of_the_writers_family_is_not_asked(pipeline, server):
    before = len(server.seen)
    assert rate(pipeline, "qwen-large").success
    assert len(server.seen) == before
    assert rows(
        pipeline, "select rejection_reason, count(*), count(score) from benchmark.ratings group by 1"
    ) == [("own_family", 4 * 3 * len(DIMENSIONS), 0)]
    assert rows(pipeline, "select count(*) from benchmark.reliability") == [(0,)]


def test_a_dimension_that_is_missing_is_asked_for_once_more_and_then_null(pipeline, server):
    server.answer.leaves_out = {"relevance"}
    rate(pipeline, "gpt-a")
    assert "no rating that can be read for relevance" in server.seen[-1].text
    assert rows(pipeline, "select count(*) from benchmark.ratings where score is null") == [(0,)]
    server.answer.learns = False
    rate(pipeline, "claude-b")
    assert rows(
        pipeline,
        "select judge, dimension, rejection_reason, count(*) from benchmark.ratings "
        "where score is null group by all",
    ) == [("claude-b", "relevance", "missing_dimension", 12)]
    assert rows(
        pipeline,
        "select count(*) from benchmark.reliability where judge = 'claude-b' and dimension = 'relevance'",
    ) == [(0,)]


def test_the_check_finds_a_rating_off_its_scale(pipeline):
    rate(pipeline, "gpt-a")
    check = query_of("tests.ratings_are_on_their_scale").text
    assert rows(pipeline, check) == []
    with pipeline.warehouse.get_connection() as connection:
        connection.execute("update benchmark.ratings set score = 0 where dimension = 'fluency' and run = 1")
        connection.execute("update benchmark.ratings set score = null where dimension = 'clarity'")
    assert len(rows(pipeline, check)) == 4 + 12


def test_a_seed_is_another_in_every_run(tmp_path, pipeline, server):
    seeded = pipeline_at(tmp_path / "home", server.url, **JUDGES, AIMSCIQA_JUDGE_MODEL_SEED="40")
    before = len(server.seen)
    rate(seeded, "gpt-a")
    assert Counter(seen.body["seed"] for seen in server.seen[before:]) == {40: 4, 41: 4, 42: 4}


def test_without_items_and_judges_the_tables_are_empty(tmp_path, server):
    write_corpus(tmp_path / "papers", 1)
    alone = pipeline_at(tmp_path / "home", server.url)
    alone.ingest(tmp_path / "papers")
    assert rate(alone).success
    assert rows(alone, "select count(*) from benchmark.reliability") == [(0,)]
    assert rate(alone, "gpt-a").success
    assert rows(alone, "select count(*) from benchmark.ratings") == [(0,)]


def test_coverage_of_every_section(pipeline):
    result = dg.materialize(
        [quality.evidence_coverage], resources=pipeline.resources, instance=pipeline.instance
    )
    assert result.success
    assert rows(pipeline, "select count(*), count(coverage) from benchmark.evidence_coverage") == [(36, 36)]
    assert rows(
        pipeline,
        "select count(*) from benchmark.evidence_coverage "
        "where evidence_sentences > sentences or (pairs > 0) < (evidence_sentences > 0)",
    ) == [(0,)]
    (metadata,) = [
        materialization.metadata
        for materialization in result.asset_materializations_for_node("evidence_coverage")
    ]
    assert "evidence coverage by section kind" in metadata
