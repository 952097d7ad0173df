"""Long answers: ROUGE with stemmer, judges in four aspects, and the mean of the six columns of SciDQA."""

import polars as pl
import pytest

from aimsciqa_assets.benchmark.answering.measuring import MEASURED, ROUGE, by_words
from aimsciqa_assets.benchmark.answering.scores import score_rows
from aimsciqa_assets.platform.frames import frame_of

READ = {"answerer": "m", "variant": "review_question", "setting": "segments"}


@pytest.mark.slow
def test_rouge_is_taken_of_long_answers_with_stems_and_without_the_mark():
    # NLTK takes a second to load.
    found = by_words("A: Runs took five days.", "The runs take five weeks.", long_answers=True)
    # "run" and "five" of four words, and of five that were said.
    assert (found["rouge1_precision"], found["rouge1_recall"]) == (pytest.approx(0.4), pytest.approx(0.5))
    assert found["rouge1_f1"] == found["rouge_l_f1"] == pytest.approx(4 / 9)
    assert found["rouge2_f1"] == 0
    assert {name: by_words("A day.", None, long_answers=True)[name] for name in ROUGE} == dict.fromkeys(
        ROUGE, 0
    )


def test_other_answers_have_none():
    assert {by_words("A day.", "A day.", long_answers=False)[name] for name in ROUGE} == {None}


def answer(number: int, rouge: float | None, model: float | None, reason: str | None = None) -> dict:
    columns = dict.fromkeys(MEASURED) | dict.fromkeys(ROUGE, rouge)
    given = {"answer_id": f"a{number}", "item_id": f"q{number}", "rejection_reason": reason}
    return READ | columns | {"bert_score": model, "bleurt": model} | given


ANSWERS = [
    answer(1, 0.6, 0.9),
    answer(2, 0.3, 0.3),
    answer(3, 0.0, 0.0, "declined"),
    answer(4, None, None, "no_text"),
]
RATINGS = {
    "j": [(90.0, None), (50.0, None), (None, "no_answer"), (None, "no_text")],
    "k": [(60.0, None), (None, "malformed_reply"), (None, "no_answer"), (None, "no_text")],
    "l": [(30.0, None), (40.0, None), (None, "no_answer"), (None, "no_text")],
    "own": [(None, "same_family")] * 4,
}


def scores(*judges: str, unusable="wrong", answers=ANSWERS):
    ratings = [
        {"answer_id": f"a{number}", "judge": judge, "overall": overall, "rejection_reason": reason}
        for judge in judges
        for number, (overall, reason) in enumerate(RATINGS[judge], start=1)
    ]
    types = {"answer_id": pl.String, "judge": pl.String, "overall": pl.Float64, "rejection_reason": pl.String}
    rows = list(
        score_rows(
            pl.DataFrame(answers, schema_overrides=dict.fromkeys(MEASURED, pl.Float64)),
            frame_of("benchmark.judgements", []),
            pl.DataFrame(ratings, schema=types),
            frame_of("benchmark.fact_scores", []),
            unusable=unusable,
            clusters={},
            resamples=200,
            seed=1,
        )
    )
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows)
    return {
        (row["measure"], row["judge"]): row for row in frame_of("benchmark.answering_scores", rows).to_dicts()
    }


def test_each_judge_and_als_have_a_mean_with_an_interval():
    found = scores("j", "k", "own")
    values = {judge: row["value"] for (measure, judge), row in found.items() if measure == "aspects"}
    assert values == {
        "j": pytest.approx(1.4 / 4),
        "k": pytest.approx(0.6 / 4),
        "mean of judges": pytest.approx(1.0 / 4),
    }
    assert (found["aspects", "k"]["unreadable"], found["aspects", "j"]["no_text"]) == (1, 1)
    assert found["rouge1_recall", ""]["value"] == found["rouge_mean", ""]["value"] == pytest.approx(0.9 / 4)
    assert ("scidqa_avg", "") not in found


def test_avg_is_the_mean_of_six_columns_where_all_are_there():
    found = scores("j", "k", "l")
    columns = [
        ("rouge_mean", ""),
        ("bert_score", ""),
        ("bleurt", ""),
        *(("aspects", judge) for judge in "jkl"),
    ]
    mean = sum(found[column]["value"] for column in columns) / 6
    assert found["scidqa_avg", ""]["value"] == pytest.approx(mean)
    assert (found["scidqa_avg", ""]["answers"], found["scidqa_avg", ""]["unreadable"]) == (4, 1)
    without = [row | {"bleurt": None} for row in ANSWERS]
    assert ("scidqa_avg", "") not in scores("j", "k", "l", answers=without)
    assert ("scidqa_avg", "") not in scores("j", "k")


def test_what_lacks_a_column_may_be_left_out_of_avg():
    found = scores("j", "k", "l", unusable="left_out")["scidqa_avg", ""]
    # The second answer lacks the rating of k, the last one all columns.
    assert (found["answers"], found["value"]) == (
        2,
        pytest.approx((0.6 + 0.9 + 0.9 + 0.9 + 0.6 + 0.3) / 6 / 2),
    )
