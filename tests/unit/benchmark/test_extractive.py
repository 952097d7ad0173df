"""The extractive reader answers from the papers that it is given, and from nothing else."""

import json

from aimsciqa_assets.benchmark.answering import extractive
from tests.dialogues import asked_about

SOURCE = (
    "Zinc of wheat\n\n# Abstract\n\nWe grew wheat. Grain zinc fell by 3 mg/kg in dry plots.\n\n[...]\n\n"
    "# Methods\n\nPlots were ten metres wide."
)
SECOND = (
    "Iron of rice\n\n# Results\n\nGrain iron rose by 5 mg/kg in wet plots. Rice was grown in pots (n = 4)."
)
QUESTION = "How did grain iron and grain zinc change?"


def answer(source_paper, second_paper, question=QUESTION):
    told = asked_about(question, source_paper=source_paper, second_paper=second_paper)
    return json.loads(extractive.answer_from_papers(told))["answer"]


def test_one_sentence_of_each_paper():
    assert answer(SOURCE, SECOND) == (
        "The paper in question is 'Iron of rice'. It reports: Grain iron rose by 5 mg/kg in wet plots. "
        "The source paper reports: Grain zinc fell by 3 mg/kg in dry plots."
    )


def test_what_it_was_not_given_it_does_not_say():
    assert answer(SOURCE, "") == "The source paper reports: Grain zinc fell by 3 mg/kg in dry plots."
    assert answer("", "") == "I cannot tell without the papers."
    assert answer("Title only", "") == "I cannot tell without the papers."
    assert answer(SOURCE, SECOND, "?") == "I cannot tell without the papers."


def test_of_all_that_airqa_shows_one_sentence():
    told = {"papers": [], "passages": [{"text": SECOND}, {"text": SOURCE}], "question": "Who grew wheat?"}
    assert json.loads(extractive.answer_from_passages(told)) == {"answer": "We grew wheat."}
    nothing = told | {"passages": []}
    assert json.loads(extractive.answer_from_passages(nothing)) == {
        "answer": "I cannot tell without the papers."
    }


def test_the_marker_of_the_citing_sentence_that_fits():
    lines = "[1]\tZinc was measured before [1].\n[2]\tIron of rice rose in pots [2]."

    def marker(question, citing_sentences=lines):
        told = {"question": question, "citing_sentences": citing_sentences}
        return json.loads(extractive.cited_marker(told))["marker"]

    assert marker("Which paper grew rice in pots?") == "[2]"
    assert marker("Which paper is on copper?") == ""
    assert marker("Which?", "") == ""


def test_the_answer_that_fits_or_the_first():
    answers = [{"number": 1, "text": "Iron."}, {"number": 2, "text": "Zinc fell by 3 mg."}]
    told = {"answers": answers, "question": "By how much did zinc fall?"}
    assert json.loads(extractive.selected_answer(told)) == {"number": 2}
    assert json.loads(extractive.selected_answer(told | {"question": "?"})) == {"number": 1}
