import csv
from pathlib import Path

import pytest

from aimsciqa_assets.metrics.rouge import rouge

pytestmark = pytest.mark.slow  # NLTK takes seconds to load.

CASES = Path(__file__).parents[4] / "shared/reference-cases/scidqa-rouge.csv"


@pytest.mark.skipif(not CASES.exists(), reason="needs ../shared/reference-cases/scidqa-rouge.csv")
def test_the_published_precisions_and_their_recall_and_f1():
    with CASES.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        found = rouge(row["reference"], row["prediction"])
        assert found is not None
        expected = [
            (found.rouge1, "rouge1", "r1_recall", "r1_f1"),
            (found.rouge2, "rouge2", "r2_recall", "r2_f1"),
            (found.rouge_l, "rougeL", "rl_recall", "rl_f1"),
        ]
        for overlap, *names in expected:
            values = (overlap.precision, overlap.recall, overlap.f1)
            assert values == pytest.approx([float(row[name]) for name in names], abs=0.001)


def test_a_missing_prediction_is_missing_unless_asked_to_be_the_text_nan():
    assert rouge("A: nan.", None) is None
    scored = rouge("A: nan.", None, missing_as_nan=True)
    assert scored is not None
    assert (scored.rouge1.precision, scored.rouge1.recall) == (100.0, 50.0)
    assert scored.mean_precision == pytest.approx(200 / 3)


def test_the_mark_of_an_answer_can_be_left_out():
    scored = rouge("A: stemmed words", "stemming word", without_mark=True)
    assert scored is not None
    assert (scored.rouge1.f1, scored.rouge2.f1, scored.rouge_l.f1) == (100.0, 100.0, 100.0)
