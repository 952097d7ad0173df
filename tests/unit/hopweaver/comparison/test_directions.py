"""Which of two values a comparison asks for."""

from dataclasses import replace

import pytest

from aimsciqa_assets.hopweaver.comparison.dialogue import compare
from aimsciqa_assets.hopweaver.comparison.directions import drawn_direction, other_direction
from aimsciqa_assets.hopweaver.comparison.questions import Comparison
from aimsciqa_assets.hopweaver.comparison.steps import Rules
from tests.dialogues import held
from tests.weirs import DOCUMENTS, FIELDS, HOLLIN, QUERIES, SCORES, SUBJECT, Searching, passed

COMPARISON = Comparison(**FIELDS)
LATER = "Which was completed later, Hollin Weir or Salter's Weir?"


@pytest.mark.parametrize(
    ("question", "lower", "higher"),
    [
        (COMPARISON.multi_hop_question, True, False),
        (LATER, False, True),
        ("Which is larger, Hollin Weir or Salter's Weir?", False, True),
        ("Which first opened later, Hollin Weir or Salter's Weir?", True, True),
        # Who is older was born earlier, and words of a name say nothing.
        ("Who was older, Hollin Weir or Salter's Weir?", True, True),
    ],
)
def test_a_question_asks_for_the_lower_or_the_higher_value(question, lower, higher):
    asked = replace(COMPARISON, multi_hop_question=question)
    assert (other_direction(asked, "lower") is None, other_direction(asked, "higher") is None) == (
        lower,
        higher,
    )
    assert other_direction(asked, None) is None


def test_words_of_a_name_are_no_direction():
    asked = replace(COMPARISON, entity_a="First Weir", multi_hop_question="Which is longer, First Weir or B?")
    assert other_direction(asked, "lower").reason == "other_direction"


def test_the_seed_draws_both_directions():
    drawn = [drawn_direction(41, f"d{number}") for number in range(6)]
    assert drawn == ["lower", "higher", "lower", "lower", "lower", "higher"]
    assert [drawn_direction(42, f"d{number}") for number in range(6)] != drawn


def test_the_model_is_told_the_direction_and_asked_again_for_the_other_one():
    rules = Rules(tries=2, directed=True, seed=5)
    dialogue = compare(HOLLIN, Searching({"stone weir": ["d2"]}), DOCUMENTS, rules)
    later = passed(multi_hop_question=LATER, answer="Hollin Weir")
    asked, made = held(dialogue, SUBJECT, SCORES, QUERIES, passed(), later)
    assert asked[3].variables["ask_for"] == "higher"
    assert "Ask for the higher value here" in asked[3].messages[0].text
    assert "it asks for the lower value" in asked[4].messages[-1].text
    assert made.grounded.comparison.answer == "Hollin Weir"
