"""What the prompts refuse, as it was found in questions that models made of real documents."""

import pytest

from aimsciqa_assets.asking.prompts import original_prompt


@pytest.mark.parametrize(
    ("prompt", "rule"),
    [
        ("bridge_polisher", "an undated count that changes"),
        ("bridge_polisher", "[REJECTED]: one of the five fails, and no wording mends it"),
        ("comparison_question", "both are of the same measure and unit"),
        ("comparison_question", "no category that a name shows"),
        ("comparison_question", "no textbook knowledge"),
        ("comparison_question", "it names no artist, work or event whose time a reader knows"),
        ("comparison_question", "describes an entity only by what the paragraph of that entity's quote says"),
        ("comparison_polisher", "in the same measure and unit"),
        ("comparison_polisher", "from the names or from textbook knowledge"),
        ("comparison_polisher", "names no artist, work or event that betrays when one of them was"),
        ("comparison_polisher", "a descriptor that neither has is struck out"),
        ("comparison_polisher", "The question asks for the attribute that is given below"),
        ("comparison_polisher", "a wording that adds a fact, says one otherwise or compares something else"),
        ("comparison_reader", "somebody who knows both would plausibly ask exactly this"),
        ("comparison_reader", "It is more than two dates or numbers beside each other"),
        ("comparison_subject", "without subgenus and author"),
        ("bridge_entity", "a listed name as it is listed; that goes before a longer or shorter form"),
        ("bridge_polisher", "You may add no name and no number"),
        ("bridge_polisher", "no fact, and no detail of quote B that the question does not have already"),
        ("bridge_sub_questions", "a finding that it attributes to the entity by name"),
        ("bridge_sub_questions", "not what a gene, species or virus is"),
    ],
)
def test_a_rule_stands_in_its_prompt(prompt, rule):
    assert rule in original_prompt(f"hopweaver_{prompt}").text
