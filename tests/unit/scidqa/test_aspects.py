import pytest

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.scidqa.aspects import (
    ASPECT_JUDGE,
    Ratings,
    SixColumns,
    als,
    may_judge,
    ratings_of,
    read_ratings,
)

SEVEN = {"relevance": 7, "accuracy": 8, "completeness": 6, "conciseness": 10}


@pytest.mark.parametrize(
    "reply",
    [
        '{"relevance": 7, "accuracy": 8, "completeness": 6, "conciseness": 10}',
        "Relevance: 7/10\nAccuracy: **8**\nCompleteness - 6 out of 10\nConciseness score: 10",
        "| Relevance | 7 |\n| Accuracy | 8.0 |\n| Completeness | 6 |\n| Conciseness | 10 |",
    ],
)
def test_four_numbers_are_read(reply):
    assert read_ratings(reply) == Ratings(**SEVEN)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Relevance: 7, accuracy: 8, completeness: 6",
        '{"relevance": 7, "accuracy": 11, "completeness": 6, "conciseness": 10}',
        "Relevance: 7, accuracy: 8, accuracy: 3, completeness: 6, conciseness: 10",
    ],
)
def test_other_replies_are_malformed(reply):
    assert isinstance(read_ratings(reply), Fault)


def test_overall_als_and_average():
    assert Ratings(**SEVEN).overall == 77.5
    table = SixColumns(rouge=20, bleurt=40, bert_score=60, judges=(70, 80, 90))
    assert (table.als, table.average) == (80, 60)
    assert als({"a": [10, 20], "b": [45], "c": []}) == 30
    assert als({}) is None


def test_the_judge_is_of_another_family():
    assert not may_judge("meta-llama/Llama-3.1-70B-Instruct", "llama31_8b")
    assert may_judge("gpt-4o", "llama31_8b")


def test_what_the_judge_is_shown():
    request = next(ratings_of("k", "Why?", "A: Because.", "So."))
    expected = "Question: Why?\n\nAnswer of the authors: Because.\n\nAnswer of the candidate: So."
    assert request.messages[-1].text == expected
    assert next(ratings_of("k", "Why?", "A: Because.", "So.", keep_mark=True)) != request
    assert ASPECT_JUDGE.name == "scidqa_aspect_judge"
