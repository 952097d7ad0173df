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
    assert composition.merged.question == "Where, and how do they differ: What is said of iron?"
    assert composition.merged.answer == "Zinc was < 2 mg. Iron was 3 mg."
    assert decide(composition, COMPOSED["target_title"], "Zinc of wheat").status == "accepted"


def test_sentences_and_rows_that_give_a_measure_one_value_are_findings():
    text = (
        f"# Results\n[P1] {PARAGRAPH}\n[T1] Trait | Value\nGrain zinc | 21.5 mg per kg\n"
        "[C1] Height was 3 m.\n# Discussion\n[P2] Grain zinc was 20 mg per kg before [4]."
    )
    read = reply("findings_reading", title="Zinc of dry wheat, 2001", text=text, most=40, earlier=0)
    assert read["card"] == {"description": "a paper on 2001, wheat, zinc"}
    assert [
        (one["number"], one["place"], one["quote"], one["measure"], one["value"], one["unit"], one["repeats"])
        for one in read["findings"]
    ] == [
        (1, "P1", SENTENCE, "grain zinc", "21.5", "mg per kg", 0),
        (2, "P1", "Yield was 2 t.", "yield", "2", "t", 0),
        (3, "T1", "Grain zinc | 21.5 mg per kg", "grain zinc", "21.5", "mg per kg", 1),
        (4, "P2", "Grain zinc was 20 mg per kg before [4].", "grain zinc", "20", "mg per kg before", 0),
    ]
    assert [one["cited"] for one in read["findings"]] == ["", "", "", "[4]"]


def test_values_of_one_measure_with_one_unit_are_compared_over_two_papers():
    group = (
        'Group 1: zinc\nF1 (A) Grain zinc was 21.5 mg. [21.5 mg] "q"\n'
        'F2 (A) Grain zinc was 3 mg. [3 mg] "q"\n'
        'F3 (B) Grain zinc was 2 %. [2 %] "q"\nF4 (B) Grain zinc was 21 mg. [21 mg] "q"'
    )
    papers = ["Paper A: a paper on wheat\ndesign: trial", "Paper B: a paper on rice"]
    (draft,) = reply("findings_drafting", papers=papers, groups=["Group 1: iron", group])["drafts"]
    assert (draft["group"], draft["type"]) == (2, "value_comparison")
    assert draft["question"] == "How does grain zinc compare between a paper on wheat and a paper on rice?"
    assert [(fact["paper"], fact["finding"], fact["value"]) for fact in draft["facts"]] == [
        ("A", "F1", "21.5"),
        ("B", "F4", "21"),
    ]
    assert draft["computations"] == [{"expression": "f2 - f1", "result": "-0.5", "unit": "mg"}]


def test_terms_join_the_existing_name_or_get_that_of_the_first():
    terms = ["1. grain zinc [mg]; for example: x", "2. zinc in grain [mg]; for example: y"]
    (new,) = reply("findings_vocabulary", existing=[], terms=terms)["names"]
    assert (new["existing"], new["name"], new["unit"]) == (0, "grain zinc", "mg")
    assert new["members"] == [{"term": 1}, {"term": 2}]
    (known,) = reply("findings_vocabulary", existing=["1. zinc [mg]: d"], terms=terms)["names"]
    assert (known["existing"], known["name"]) == (1, "zinc")


def test_it_is_no_judge_and_says_what_to_choose_instead():
    message = r"no rule for the task answer_judge: it needs a model, .* or recorded replies"
    with pytest.raises(ModelRefusedError, match=message):
        list(ScriptedModel().replies([ModelRequest("answer_judge", "k", {}, ())]))
