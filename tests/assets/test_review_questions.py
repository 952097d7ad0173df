"""Questions of reviews as items: which manuscript each rests on, and how models answer them."""

import json

import pytest
from aimsciqa_resources.language_model import ModelReply

from aimsciqa_assets.cli.later_requests import later_requests
from aimsciqa_assets.cli.phases import plan_of_a_run
from aimsciqa_assets.platform.progress import LogReporter, reported_by
from aimsciqa_assets.platform.queries import Query
from tests.review_questions import MANUSCRIPTS, make, review_questions
from tests.tiny_bleurt import write_bleurt

pytestmark = pytest.mark.slow


def test_accepted_pairs_with_a_manuscript_are_items(tmp_path):
    resources = review_questions(tmp_path)

    def rows(part: str, columns: str) -> list[tuple]:
        query = Query("a.b", f"-- One row: it.\nselect {columns} from item_{part} order by all\n")
        return resources["warehouse"].read(query.text).rows()

    assert rows("questions", "item_id, variant, split, question, query") == [
        ("q1", "review_question", "dev", "How many seeds?", None),
        ("q2", "review_question", "dev", "How long?", None),
        ("q4", "review_question", "dev", "Is it dense?", None),
    ]
    assert rows("documents", "item_id, position, role, paper_id, in_hand, gold") == [
        ("q1", 1, "manuscript", "M.final", True, False),
        ("q1", 2, "cited_1", "C", False, False),
        ("q2", 1, "manuscript", "M.initial", True, False),
        ("q4", 1, "manuscript", "N.initial", True, False),
    ]
    assert rows("quotes", "item_id, position, role, name, evidence") == [
        ("q1", 1, "manuscript", "support", "Each run had five seeds.")
    ]


class Reader:
    """Answers with the last word of what it is shown; chooses the second of several answers."""

    name, revision, sampling = "reader", "1", ""

    def __init__(self) -> None:
        self.asked = []

    def replies(self, requests):
        for request in requests:
            self.asked.append(request)
            if request.task == "scidqa_aspect_judge":
                right = request.variables["answer"] == request.variables["prediction"]
                marks = dict.fromkeys(("relevance", "accuracy", "completeness"), 9 if right else 2)
                yield ModelReply(request.key, json.dumps(marks | {"conciseness": 10}))
                continue
            if request.task == "answer_selection":
                yield ModelReply(request.key, '{"number": 2}')
                continue
            papers = request.variables["papers"]
            answer = papers[-1]["text"].split()[-1] if papers else "I cannot tell."
            yield ModelReply(request.key, json.dumps({"answer": answer}))


def test_questions_of_reviews_are_answered_in_four_settings(tmp_path):
    model = Reader()
    resources = review_questions(
        tmp_path, model, benchmark_answering_settings="closed_book title_abstract passages segments",
        benchmark_passages=1,
        benchmark_passages_retriever="words", benchmark_answerers="reader", benchmark_context_tokens=32768,
        model_base_url="http://localhost:9/v1",
    )  # fmt: skip
    make(resources, "benchmark.answers", "reader")
    answers = (
        "select item_id, setting, retriever, prediction, rejection_reason from benchmark.answers "
        "where item_id in ('q1', 'q4') order by all"
    )
    assert resources["warehouse"].read(answers).rows() == [
        ("q1", "closed_book", None, None, "declined"),
        ("q1", "passages", "words", "seeds.", None),
        ("q1", "segments", None, "half.", None),
        ("q1", "title_abstract", None, "long.", None),
        ("q4", "closed_book", None, None, "declined"),
        ("q4", "passages", "words", "dense.", None),
        ("q4", "segments", None, "dense.", None),
        ("q4", "title_abstract", None, "retrieval", None),
    ]
    shown = {
        tuple((paper["name"], paper["text"]) for paper in request.variables["papers"])
        for request in model.asked
        if request.variables["question"] == "How many seeds?"
    }
    assert shown == {
        (),
        (("source_paper", "Sparse attention\n\nEach run had five seeds."),),
        (
            ("source_paper", "Sparse attention\n\nWe make it sparse."),
            ("paper", "Long documents\n\nThey are long."),
        ),
        (
            (
                "source_paper",
                "Sparse attention\n\n# Results\n\nRuns took a day.\n\nEach run had five seeds.\n\n"
                "Memory fell by half.",
            ),
        ),
    }


def test_segments_by_the_authors_code_lose_the_end_of_a_paper(tmp_path, monkeypatch):
    for paper, (title, abstract, texts) in list(MANUSCRIPTS.items()):
        filled = [f"{f'Run {number} took a day. ' * 70}{text}" for number, text in enumerate(texts)]
        monkeypatch.setitem(MANUSCRIPTS, paper, (title, abstract, filled))
    shown = {}
    for rules in ("meant", "released"):
        model = Reader()
        resources = review_questions(
            tmp_path / rules,
            model,
            benchmark_answering_settings="segments",
            benchmark_answerers="reader",
            benchmark_context_tokens=1000,
            benchmark_chunking=rules,
            model_base_url="http://localhost:9/v1",
        )
        make(resources, "benchmark.answers", "reader")
        asked = [request.variables for request in model.asked if request.task == "answering"]
        shown[rules] = [one["papers"][0]["text"] for one in asked if one["question"] == "How many seeds?"]
    assert [any("seeds." in text for text in shown[rules]) for rules in shown] == [True, True]
    assert [any("by half." in text for text in shown[rules]) for rules in shown] == [True, False]


def test_judges_of_other_families_rate_the_answers_in_four_aspects(tmp_path):
    model = Reader()
    resources = review_questions(
        tmp_path / "home",
        model,
        benchmark_answering_settings="closed_book segments",
        benchmark_answerers="qwen2.5-7b",
        benchmark_aspect_judges="gpt-4o qwen3-32b llama-3.1-70b",
        benchmark_bleurt_folder=write_bleurt(tmp_path / "bleurt", ["Memory fell by half. It is dense."]),
        model_base_url="http://localhost:9/v1",
    )
    for table in ("benchmark.answers", "benchmark.judgements", "benchmark.aspect_ratings"):
        make(resources, table, "qwen2.5-7b")
    make(resources, "benchmark.answering_scores")

    def rows(query: str) -> list[tuple]:
        return resources["warehouse"].read(query).rows()

    rated = (
        "select judge, setting, status, rejection_reason, count(*), any_value(accuracy), any_value(overall) "
        "from benchmark.aspect_ratings group by all order by all"
    )
    assert rows(rated) == [
        ("gpt-4o", "closed_book", "rejected", "no_answer", 3, None, None),
        ("gpt-4o", "segments", "rated", None, 3, 2.0, 40.0),
        ("llama-3.1-70b", "closed_book", "rejected", "no_answer", 3, None, None),
        ("llama-3.1-70b", "segments", "rated", None, 3, 2.0, 40.0),
        ("qwen3-32b", "closed_book", "rejected", "same_family", 3, None, None),
        ("qwen3-32b", "segments", "rejected", "same_family", 3, None, None),
    ]
    asked = [request for request in model.asked if request.task == "scidqa_aspect_judge"]
    questions = ["How long?", "How many seeds?", "Is it dense?"]
    assert sorted(request.variables["question"] for request in asked) == sorted(2 * questions)
    means = (
        "select judge, round(value, 9) from benchmark.answering_scores "
        "where measure = 'aspects' and setting = 'segments' order by all"
    )
    assert rows(means) == [("gpt-4o", 0.4), ("llama-3.1-70b", 0.4), ("mean of judges", 0.4)]
    measures = "select distinct measure from benchmark.answering_scores where setting = 'segments'"
    assert {("rouge1_recall",), ("rouge_mean",), ("bleurt",)} <= set(rows(measures))
    assert ("bert_score",) not in rows(measures)
    lacking = "select count(*) from benchmark.answers where bleurt is null or rouge2_precision is null"
    assert rows(lacking) == [(0,)]


def test_without_judges_nothing_is_rated_and_the_step_says_why(tmp_path):
    model, said = Reader(), []
    resources = review_questions(
        tmp_path,
        model,
        benchmark_answering_settings="segments",
        benchmark_answerers="reader",
        model_base_url="http://localhost:9/v1",
    )
    make(resources, "benchmark.answers", "reader")
    with reported_by(LogReporter(said.append)):
        make(resources, "benchmark.aspect_ratings", "reader")
    assert resources["warehouse"].read("from benchmark.aspect_ratings").is_empty()
    assert "scidqa_aspect_judge" not in {request.task for request in model.asked}
    assert any("none: AIMSCIQA_BENCHMARK_ASPECT_JUDGES names no judge" in line for line in said)


def test_what_judges_would_be_asked_is_told_beforehand(tmp_path):
    resources = review_questions(
        tmp_path,
        systems="",
        benchmark_answering_settings="closed_book segments",
        benchmark_answerers="qwen2.5-7b",
        benchmark_aspect_judges="gpt-4o qwen3-32b",
        model_base_url="http://localhost:9/v1",
    )
    later = later_requests(plan_of_a_run(resources), resources, evaluate=True)
    # Three questions in two settings; a judge of the answering model's family is not asked.
    assert [(one.model.name, one.to_send) for one in later if one.task == "scidqa_aspect_judge"] == [
        ("gpt-4o", 6)
    ]
