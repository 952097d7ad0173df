"""The 24 examples of AirQA's demo: sound, and each with an evaluator that knows the right answer."""

from collections import Counter
from pathlib import Path

import pytest

from aimsciqa_assets.airqa import score
from aimsciqa_assets.airqa.evaluation.judges import LexicalJudge
from aimsciqa_assets.airqa.examples.checks import problems_of
from aimsciqa_assets.airqa.examples.files import read_examples

EXAMPLES, BAD = read_examples(Path(__file__).parents[3] / "examples" / "airqa_demo" / "examples.jsonl")
ANSWERS = [
    231,
    "8.3",
    ["Drought, zinc spray", 49.6],
    "['Normal', 'Recovery']",
    17.2,
    r"R=\frac{P/660}{Z/65.4}",
    2.4,
    "Rafael Quintão",
    "They think of dilution by starch, the simpler explanation: root depth itself did not explain it.",
    [2, 5],
    [78.6, 65.5],
    "[35, 33]",
    [13, 2.3],
    [228.28, 228],
    ["Elif Karaca", 2.7],
    "Alternate-day versus daily iron supplementation in pregnancy: a randomised non-inferiority trial",
    "Fast forward or slow backward? A crossover trial of two shift rotations in steelworkers with sleep, "
    "sleepiness and morning blood pressure as outcomes",
    "Five nights of sleep restriction, inflammation and endothelial function in healthy adults: a laboratory "
    "crossover study with recovery sleep",
    "Daily steps, sitting bouts and glucose time in range in adults with type 2 diabetes: a cross-sectional "
    "study with thigh-worn accelerometers",
    44,
    "Drought, water",
    ["Stool propionate", "Matsuda index"],
    "yes",
    "d stands for the steps that a device counted, and v for the steps counted from video.",
]


def test_nothing_is_wrong_with_them():
    assert BAD == []
    assert problems_of(EXAMPLES) == []


def test_all_types_and_elements_are_there():
    tags = Counter(tag for example in EXAMPLES for tag in example.tags)
    assert tags == {
        "single": 10,
        "multiple": 5,
        "retrieval": 4,
        "comprehensive": 5,
        "text": 10,
        "table": 7,
        "image": 4,
        "formula": 4,
        "metadata": 3,
        "objective": 21,
        "subjective": 3,
    }
    assert len({example.evaluator.eval_func for example in EXAMPLES}) == 12


@pytest.mark.parametrize(("example", "answer"), list(zip(EXAMPLES, ANSWERS, strict=True)))
def test_the_right_answer_passes_and_an_empty_one_fails(example, answer):
    assert score(example.evaluator_shape, answer, LexicalJudge()) == 1.0
    assert score(example.evaluator_shape, "", LexicalJudge()) == 0.0
