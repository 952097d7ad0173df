"""The scripted model: every task that it knows gets a reply of the right form with exact quotes."""

import json

import pytest
from aimsciqa_resources.language_model import ModelRequest, converse
from aimsciqa_resources.language_model.interface import ModelRefusedError

from aimsciqa_assets.aim_sciqa.multi_hop.replies import read_reply
from aimsciqa_assets.aim_sciqa.multi_hop.validation import decide
from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP
from aimsciqa_assets.scripted_model import REPLIES, ScriptedModel

PARAGRAPH = "Iron & zinc matter. Grain zinc was 21.5 mg per kg in dry plots. Yield was 2 t."
SENTENCE = "Grain zinc was 21.5 mg per kg in dry plots."
COMPOSED = {
    "source_question": "What is said of zinc?",
    "source_answer": "Zinc was < 2 mg.",
    "target_question": "What is said of iron?",
    "target_answer": "Iron was 3 mg.",
    "target_title": "Iron & rice in a field of the north",
    "retrieval_question": "What is said of pots?",
}


def reply(task, **told):
    return json.loads(REPLIES[task](told))


def test_the_first_sentence_with_a_number_is_asked_about():
    told = dict.fromkeys(("paper_title", "section_title", "subsection", "keywords"), "")
    outcomes = converse(
        ScriptedModel(),
        [SINGLE_HOP.ask("p", **told, paragraph=text) for text in (PARAGRAPH, "No number here.")],
    )
    pairs = [[(t.question, t.evidence, t.answer) for t in outcome.value.triplets] for outcome in outcomes]
    assert pairs == [[("What is said of Grain zinc was 21.5?", SENTENCE, SENTENCE)], []]


def test_two_answers_are_joined_into_an_accepted_item():
    composition = read_reply(REPLIES["multi_hop"](COMPOSED))
    assert composition.merged.question == "How do they differ: What is said of zinc? What is said of iron?"
    assert composition.merged.answer == "Zinc was < 2 mg. Iron was 3 mg."
    assert decide(composition, COMPOSED["target_title"], "Zinc of wheat").status == "accepted"


def test_it_is_no_judge_and_says_what_to_choose_instead():
    message = r"no rule for the task answer_judge: it needs a model, .* or recorded replies"
    with pytest.raises(ModelRefusedError, match=message):
        list(ScriptedModel().replies([ModelRequest("answer_judge", "k", {}, ())]))
