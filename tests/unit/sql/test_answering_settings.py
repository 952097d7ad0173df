"""The settings of the answering benchmark: every one has its place in each list that people see."""

import re

import pytest

from aimsciqa_assets.benchmark.answering.facts import PRECISION, RECALL
from aimsciqa_assets.benchmark.answering.measuring import MEASURED, ROUGE
from aimsciqa_assets.benchmark.answering.rag.methods import BASELINES
from aimsciqa_assets.benchmark.answering.scores import ASPECTS, ROUGE_MEAN, SCIDQA_AVG
from aimsciqa_assets.cli.later_requests import PAPERS_READ
from aimsciqa_assets.items import kinds
from aimsciqa_assets.platform.queries import query_of, sql_folder
from aimsciqa_assets.release.report.accessibility import MEASURES as NAMES
from aimsciqa_assets.release.report.answers import OF_LONG_ANSWERS
from aimsciqa_assets.settings.benchmark import BenchmarkSettings
from tests.report_warehouse import insert
from tests.unit.sql.querying import run

IN_ORDER = [
    *("oracle", "realistic", "citation", "segments", "passages", "title_abstract"),
    *("source_only", "target_only", "closed_book", "rag_standard"),
]
"""A setting of each sort, as people see them."""


def chosen_settings() -> set[str]:
    """The settings that `benchmark.answering_settings` takes."""
    told = BenchmarkSettings.model_fields["answering_settings"].metadata
    return set(re.findall(r"[a-z_]+", next(one.pattern for one in told if hasattr(one, "pattern"))))


def test_every_setting_of_a_kind_can_be_chosen_is_counted_beforehand_and_has_a_place():
    of_kinds = {setting for kind in kinds().values() for setting in kind.settings}
    assert chosen_settings() == of_kinds == set(PAPERS_READ)
    assert {setting.replace("alone", "%_only") for setting in of_kinds} | {"rag_%"} == set(
        re.findall(r"\('(\S+)', \d\)", query_of("shared.answering_settings").text)
    )


def test_every_setting_is_found_once(connection):
    settings = [one for one in (*chosen_settings(), "source_only", "cited_1_only") if one != "alone"]
    settings += [f"rag_{name}" for name in BASELINES]
    listed = query_of("shared.answering_settings").statement
    for setting in settings:
        found = connection.execute(
            f"select count(*) from ({listed}) where $1 like named", [setting]
        ).fetchone()
        assert found == (1,), setting


@pytest.mark.parametrize("query", ["cli.answering", "report.answering_scores", "show.answers"])
def test_lists_of_settings_are_in_this_order(connection, query):
    for setting in sorted(IN_ORDER, reverse=True):
        answer = {"answerer": "m", "setting": setting}
        insert(connection, "benchmark.answers", answer | {"answer_id": setting, "item_id": "i"})
        insert(connection, "benchmark.answering_scores", answer | {"measure": "accuracy"})
    found = run(connection, query, **({"id": "i"} if query == "show.answers" else {}))
    assert [setting.split()[-1] for setting in found["setting"]] == IN_ORDER


def test_every_measure_has_its_place_in_the_report_and_a_name():
    measures = {"accuracy", RECALL, PRECISION, *MEASURED, ROUGE_MEAN, ASPECTS, SCIDQA_AVG}
    assert measures == set(NAMES)
    assert measures == set(re.findall(r"'(\w+)'", query_of("report.answering_scores").written)) - {"lexical"}
    assert {*ROUGE, ROUGE_MEAN, ASPECTS, SCIDQA_AVG} == OF_LONG_ANSWERS


def test_long_answers_are_told_with_their_judges(connection):
    scores = [
        {"answerer": "m", "setting": setting, "measure": measure, "judge": judge, "value": value}
        for setting in ("closed_book", "segments")
        for measure, judge, value in (
            *(("rouge1_f1", "", 0.5), ("aspects", "gpt-4o", 0.25), ("aspects", "llama", 0.75)),
            *(("aspects", "mean of judges", 0.5), ("accuracy", "lexical", 1.0)),
        )
    ]
    insert(connection, "benchmark.answering_scores", *scores, {"answerer": "n", "measure": "accuracy"})
    found = run(connection, "cli.long_answers").select("setting", "R-1", "ALS", "judges", "Avg").rows()
    assert found == [
        ("im segments", "0.50", "0.50", "gpt-4o 0.25, llama 0.75", None),
        ("im closed_book", "0.50", "0.50", "gpt-4o 0.25, llama 0.75", None),
    ]


def test_no_query_has_an_order_of_its_own():
    own = [
        path.name
        for path in sql_folder().rglob("*.sql")
        if re.search(r"list_position\(\s*\[[^\]]*'(oracle|closed_book)'", path.read_text())
    ]
    assert own == []
