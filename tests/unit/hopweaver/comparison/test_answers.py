"""The shapes of questions and answers of a comparison, and what a polisher may make of them."""

from dataclasses import replace

import pytest

from aimsciqa_assets.hopweaver.comparison.answers import answer_fits
from aimsciqa_assets.hopweaver.comparison.constraints import tells
from aimsciqa_assets.hopweaver.comparison.names import are_namesakes, differ_by_number
from aimsciqa_assets.hopweaver.deciding import rejection_of
from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.drafts import Draft
from aimsciqa_assets.hopweaver.polishing import Polished

WEIRS = ("Hollin Weir", "Salter's Weir")
FACTS = ("Hollin Weir is made of granite.", "Salter's Weir is made of granite.")


@pytest.mark.parametrize(
    ("question", "answer", "fits"),
    [
        ("Which is older, Hollin Weir or Salter's Weir?", "Salter's Weir", True),
        ("Which is older, Hollin Weir or Salter's Weir?", "salter’s weir.", True),
        ("Which is older, Hollin Weir or Salter's Weir?", "Hollin", True),
        ("Which is older, Hollin Weir or Salter's Weir?", "Weir", False),
        ("Which is older, Hollin Weir or Salter's Weir?", "both", False),
        ("Which is older, Hollin Weir or Salter's Weir?", "no", False),
        ("Are Hollin Weir and Salter's Weir made of the same stone?", "Yes", True),
        ("Are Hollin Weir and Salter's Weir made of the same stone?", "granite", False),
        ("In terms of length, is Hollin Weir longer than Salter's Weir?", "no", True),
        ("In terms of length, is Hollin Weir longer than Salter's Weir?", "Hollin Weir", False),
        ("Was Hollin Weir or Salter's Weir built first?", "Salter's Weir", True),
        ("Of Hollin Weir and Salter's Weir, which has been longer in use?", "Hollin Weir", True),
        ("What stone are both Hollin Weir and Salter's Weir made of?", "granite", True),
        ("What stone are both Hollin Weir and Salter's Weir made of?", "slate", False),
        ("What stone is Hollin Weir made of?", "granite", False),
        ("Which is older, Hollin Weir or Salter's Weir?", " ", False),
    ],
)
def test_the_answer_has_the_shape_that_the_question_asks_for(question, answer, fits):
    assert answer_fits(question, answer, WEIRS, FACTS) is fits


@pytest.mark.parametrize(
    ("title", "text", "told"),
    [
        ("Weirs", "Hollin Weir was built in 1823 by Edith Marrow.", True),
        ("Weirs", "Edith Marrow built the Hollin Weir, in 1823.", True),
        ("Weirs", "Edith Marrow was born in 1823. Hollin Weir is near.", False),
        ("Weirs", "The weir was built in 1823 by Edith Marrow.", False),
        ("Hollin Weir", "The weir was built in 1823 by Edith Marrow.", True),
        ("Weirs", "Hollin Weir was built in 1824 by Edith Marrow.", False),
    ],
)
def test_a_document_tells_a_fact_if_it_names_the_entity_with_it(title, text, told):
    document = Document("d9", title, (("p", text),))
    assert tells(document, "Hollin Weir", "The weir was built in 1823 by Edith Marrow") is told


DRAFT = Draft(
    *("a1", "comparison", "Which was built first, Hollin Weir or Salter's Weir?", "Salter's Weir", ""),
    *("Hollin Weir was built in 1823.", "Salter's Weir was built in 1790.", *WEIRS, "year"),
    first_evidence="The weir, 41 m long, was built on 4 May 1823",
    second_evidence="Work on it, 30 m long, ended in 1790",
)
BEYOND = "polished_beyond_evidence"
LENGTHS = {
    "question": "Which is longer, Hollin Weir or Salter's Weir?",
    "answer": "Hollin Weir",
    "first_passage": "Hollin Weir is 41 m long.",
    "second_passage": "Salter's Weir is 30 m long.",
}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({}, None),
        ({"question": "Is Hollin Weir older than Salter's Weir?", "answer": "No"}, None),
        ({"question": "Is Hollin Weir older than Salter's Weir?"}, "polished_answer_misfit"),
        ({"second_passage": "Salter's Weir was built in 1791."}, "polished_fact_beyond_quote"),
        ({"attribute": "length and width"}, "two_attributes"),
        ({"question": "Which was built first for Edith, Hollin Weir or Salter's Weir?"}, BEYOND),
        (LENGTHS, "polished_other_attribute"),
        (LENGTHS | {"attribute": "length"}, None),
        # A date in a more exact form is the same value.
        ({"first_passage": "Hollin Weir was built on 4 May 1823."}, None),
    ],
)
def test_a_polished_comparison_keeps_the_rules(changed, reason):
    draft = replace(DRAFT, **changed)
    assert rejection_of(Polished("reworked", draft, before=DRAFT)) == reason


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Louis XV", "Louis XVI", True),
        ("Bo Reed, 3rd Baron Reed", "Cy Reed, 5th Baron Reed", True),
        ("Bo Reed, 3rd Baronet", "Cy Lund, 5th Baronet", False),
        ("the 3rd Division", "the 5th Division", True),
        ("Louis XV", "Henry IV", False),
        ("Hollin Weir", "Salter's Weir", False),
    ],
)
def test_bearers_of_one_numbered_title(one, other, expected):
    assert differ_by_number(one, other) is expected


def test_namesakes_differ_in_brackets_alone():
    assert are_namesakes("Two Women (1960 film)", "Two Women")
    assert not are_namesakes("Two Women (1960 film)", "Two Men (1960 film)")
