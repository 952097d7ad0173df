"""The extractive reader answers from the papers it is given, and from nothing else."""

import json

import pytest
from aimsciqa_resources.language_model import ModelRequest
from aimsciqa_resources.language_model.interface import ModelRefusedError

from aimsciqa_assets.stand_in import StandInModel
from aimsciqa_assets.stand_in.answering import question_parts
from tests.dialogues import asked_about

SOURCE = (
    "Zinc of wheat\n\n# Abstract\n\nWe grew wheat. Grain zinc fell by 3 mg/kg in dry plots.\n\n[...]\n\n"
    "# Methods\n\nPlots were ten metres wide."
)
SECOND = (
    "Iron of rice\n\n# Results\n\nGrain iron rose by 5 mg/kg in wet plots. Rice was grown in pots (n = 4)."
)
QUESTION = (
    "In the paper that reports that rice was grown in pots, by how much did grain iron rise in wet plots, "
    "and how does this relate to the change in grain zinc in the source paper?"
)


def replied(task="answering", **variables):
    (reply,) = StandInModel().replies([ModelRequest(task, "k", variables, ())])
    assert reply.failure is None
    return json.loads(reply.text)


def answer(source_paper, second_paper, question=QUESTION):
    return replied(**asked_about(question, source_paper=source_paper, second_paper=second_paper))["answer"]


def test_one_sentence_of_each_paper():
    assert answer(SOURCE, SECOND) == (
        "The paper in question is 'Iron of rice'. It reports: Grain iron rose by 5 mg/kg in wet plots. "
        "The source paper reports: Grain zinc fell by 3 mg/kg in dry plots."
    )


def test_what_it_was_not_given_it_does_not_say():
    assert answer(SOURCE, "") == "The source paper reports: Grain zinc fell by 3 mg/kg in dry plots."
    assert "zinc" not in answer("", SECOND)
    assert answer("", "") == "I cannot tell without the papers."
    assert answer("Title only", "") == "I cannot tell without the papers."
    assert answer(SOURCE, SECOND, "?") == "I cannot tell without the papers."


def test_one_sentence_of_each_of_several_papers():
    third = "Iron of barley\n\n# Results\n\nGrain iron rose by 2 mg/kg. Barley was grown in fields."
    question = "By how much did grain iron rise?"
    papers = [{"name": "paper", "text": text} for text in (SECOND, third)]
    assert replied(question=question, pair=False, papers=papers)["answer"] == (
        "The paper in question is 'Iron of rice'. It reports: Grain iron rose by 5 mg/kg in wet plots. "
        "The paper in question is 'Iron of barley'. It reports: Grain iron rose by 2 mg/kg."
    )


@pytest.mark.parametrize(
    ("question", "second", "source"),
    [
        (
            "Considering the paper on rice, how does its yield compare with the yield of wheat in the source "
            "paper on zinc and dry plots?",
            "how does its yield",
            "the yield of wheat in the",
        ),
        (
            "In the paper on salt, what is oral iron, and, according to the source paper, what does "
            "oral iron depend on?",
            "what is oral iron",
            "according to the , what does oral iron depend on?",
        ),
        (
            "How does the yield of wheat in the source paper compare with that of rice in the other paper?",
            "that of rice in the other paper?",
            "How does the yield of wheat in the",
        ),
        ("What fell?", "What fell?", "What fell?"),
        (
            "In the paper on rice, what was anaemia defined as, and how does this compare with the answer in "
            "the source paper?",
            "what was anaemia defined as",
            "what was anaemia defined as",
        ),
    ],
)
def test_the_parts_of_a_question(question, second, source):
    found_second, found_source = question_parts(question)
    assert found_second.strip(" ,").startswith(second)
    assert source in found_source


def test_the_marker_of_the_citing_sentence_that_fits():
    lines = "[1]\tZinc was measured before [1].\n[2]\tIron of rice rose in pots [2]."
    told = {"source_paper": SOURCE, "citing_sentences": lines}
    assert replied("citation_marker", question="Which paper grew rice in pots?", **told) == {"marker": "[2]"}
    assert replied("citation_marker", question="Which paper is on copper?", **told) == {"marker": ""}
    assert replied("citation_marker", question="Which?", source_paper="", citing_sentences="") == {
        "marker": ""
    }


def test_it_is_no_judge_and_says_what_to_choose_instead():
    with pytest.raises(
        ModelRefusedError, match=r"task answer_judge: it needs a model, .* or recorded replies"
    ):
        list(StandInModel().replies([ModelRequest("answer_judge", "k", {}, ())]))
