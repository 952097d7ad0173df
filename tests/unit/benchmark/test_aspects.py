"""The judge of four aspects: how its numbers are read, whom it may judge, and what its rows are."""

import pytest
from aimsciqa_resources.language_model import ModelReply

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.benchmark.aspects.ratings import may_judge, rating_dialogues, rating_rows, refused_rows
from aimsciqa_assets.benchmark.aspects.task import ASPECT_JUDGE, Ratings, read_ratings
from aimsciqa_assets.platform.frames import frame_of

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


def test_the_overall_rating_is_the_mean_times_ten():
    assert Ratings(**SEVEN).overall == 77.5


def test_the_judge_is_of_another_family():
    assert not may_judge("meta-llama/Llama-3.1-70B-Instruct", "llama31_8b")
    assert may_judge("gpt-4o", "llama31_8b")


ANSWERS = [
    {"answer_id": name, "item_id": "q", "answerer": "m", "setting": name, "question": "Why?"}
    | {"answer": "A: Because.", "prediction": prediction, "rejection_reason": reason}
    for name, prediction, reason in (
        ("given", "So.", None),
        ("unread", "Thus.", None),
        ("declined", None, "declined"),
        ("without", None, "no_text"),
    )
]
REPLY = '{"relevance": 7, "accuracy": 8, "completeness": 6, "conciseness": 10}'


def test_what_the_judge_is_shown():
    assert ASPECT_JUDGE.name == "scidqa_aspect_judge"
    given, unread = rating_dialogues(ANSWERS, "j")
    expected = "Question: Why?\n\nAnswer of the authors: Because.\n\nAnswer of the candidate: So."
    assert next(given).messages[-1].text == expected
    assert next(unread).messages[-1].text.endswith("Thus.")


def test_every_answer_has_a_row_with_its_ratings_or_the_reason():
    keys = [next(dialogue).key for dialogue in rating_dialogues(ANSWERS, "j")]
    replies = zip(keys, (REPLY, "Good."), strict=True)
    outcomes = [ASPECT_JUDGE.outcome(ModelReply(key, text)) for key, text in replies]
    rows = frame_of("benchmark.aspect_ratings", rating_rows(outcomes, ANSWERS, "j"))
    told = ("answer_id", "relevance", "conciseness", "overall", "status", "rejection_reason", "reply")
    assert rows.select(told).rows() == [
        ("given", 7.0, 10.0, 77.5, "rated", None, REPLY),
        ("unread", None, None, None, "rejected", "malformed_reply", "Good."),
        ("declined", None, None, None, "rejected", "no_answer", None),
        ("without", None, None, None, "rejected", "no_text", None),
    ]


def test_a_judge_of_the_family_has_rows_that_say_so():
    rows = frame_of("benchmark.aspect_ratings", refused_rows(ANSWERS, "j"))
    assert set(rows.select("overall", "status", "rejection_reason").rows()) == {
        (None, "rejected", "same_family")
    }
