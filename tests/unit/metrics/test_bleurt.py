"""BLEURT by a tiny RemBERT, checked against its logits."""

import pytest

from aimsciqa_assets.metrics.bleurt import Bleurt, NoBleurtError, why_none
from tests.tiny_bleurt import write_bleurt

pytestmark = pytest.mark.slow
ANSWERS = ["Five seeds were used.", "Runs took a day."]
PREDICTIONS = ["Three seeds", "Runs took a long day."]


def test_a_score_is_the_output_for_answer_and_prediction_whatever_stands_beside_them(tmp_path):
    import torch

    folder = write_bleurt(tmp_path, [*ANSWERS, *PREDICTIONS])
    measure, told = Bleurt(folder), []
    found = measure.scores(ANSWERS, PREDICTIONS, told.append)
    for answer, prediction, score in zip(ANSWERS, PREDICTIONS, found, strict=True):
        with torch.inference_mode():
            encoded = measure._tokenizer(answer, prediction, return_tensors="pt")
            assert float(measure._model(**encoded).logits) == pytest.approx(score, abs=1e-5)
    assert found[0] != pytest.approx(found[1], abs=1e-3)
    assert (told, why_none(folder)) == ([2], "")


def test_a_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(NoBleurtError, match="it has no config"):
        Bleurt(tmp_path)
