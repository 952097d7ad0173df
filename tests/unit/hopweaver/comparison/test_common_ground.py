"""What two compared subjects have in common besides their kind."""

from dataclasses import replace

import pytest

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.comparison.common_ground import common_ground
from aimsciqa_assets.hopweaver.comparison.dialogue import compare
from aimsciqa_assets.hopweaver.comparison.questions import Comparison
from aimsciqa_assets.hopweaver.comparison.rows import comparison_rows
from aimsciqa_assets.hopweaver.comparison.steps import Rules
from aimsciqa_assets.hopweaver.documents import Document
from tests.dialogues import held
from tests.weirs import DOCUMENTS, FIELDS, HOLLIN, QUERIES, SCORES, SUBJECT, Searching, passed

TARN = Document(
    "d6",
    "Salter's Weir",
    (
        ("d6-p1", "Salter's Weir, a weir on the Tarn, was restored in 1825. Work on it ended in 1790."),
        ("d6-p2", "The weir is 30 m long."),
    ),
)
HOLLIN_QUOTE = "Hollin Weir is a stone weir on the River Tarn at Ostley."
COMMON = {"in_common": "River Tarn", "common_quote_a": HOLLIN_QUOTE, "common_quote_b": "a weir on the Tarn"}
SIZES = {
    "in_common": "1820s",
    "fact_entity_a": "Hollin Weir is 41 m long.",
    "fact_entity_b": "Salter's Weir is 30 m long.",
    "common_quote_a": "built in 1823",
    "common_quote_b": "restored in 1825",
}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({}, None),
        ({"in_common": ""}, "nothing_in_common"),
        ({"in_common": "None"}, "nothing_in_common"),
        # Words of the kind and of what is compared are none of their own.
        ({"in_common": "stone weirs"}, "common_beyond_quote"),
        ({"in_common": "weir of known construction"}, "common_beyond_quote"),
        ({"in_common": "weirs"}, "nothing_in_common"),
        ({"in_common": "Ebb"}, "common_beyond_quote"),
        ({"common_quote_a": ""}, "inexact_common_quote"),
        ({"common_quote_b": "on the River Tarn"}, "inexact_common_quote"),
        ({"common_quote_b": "The weir is 30 m long."}, "common_beyond_quote"),
        # Years are in common where no years are compared.
        (SIZES, None),
        (SIZES | {"common_quote_b": "ended in 1790"}, "common_beyond_quote"),
        ({name: SIZES[name] for name in COMMON}, "common_beyond_quote"),
    ],
)
def test_both_documents_state_a_property_besides_the_kind(changed, reason):
    comparison = replace(Comparison(**FIELDS, **COMMON), **changed)
    found = common_ground(comparison, HOLLIN, TARN, "weir", 15)
    assert (found.reason if isinstance(found, Fault) else None) == reason


def made(*replies, **rules):
    dialogue = compare(
        HOLLIN, Searching({"stone weir": ["d6"]}), DOCUMENTS | {"d6": TARN}, Rules(in_common=True, **rules)
    )
    return held(dialogue, SUBJECT, SCORES, QUERIES, *replies)


def test_a_pair_with_nothing_in_common_is_refused_and_asked_about_again():
    asked, synthesis = made(passed(), passed(**COMMON), tries=2)
    assert asked[3].variables["in_common"] is True
    assert "Without such a property there is no pair" in asked[3].messages[0].text
    assert "it names nothing that both have in common" in asked[4].messages[-1].text
    (attempt,) = comparison_rows([synthesis], "b", {}, "scorer")["hopweaver.attempts"]
    assert (attempt["status"], attempt["in_common"]) == ("drafted", "River Tarn")
    assert attempt["first_common_evidence"] == HOLLIN_QUOTE
    second = [attempt[f"second_common_{name}"] for name in ("paragraph_id", "start", "end")]
    assert second == ["d6-p1", 15, 33]
    assert made(passed(), tries=1)[1].reason == "nothing_in_common"


def test_without_the_setting_nothing_of_it_is_asked():
    dialogue = compare(HOLLIN, Searching({"stone weir": ["d2"]}), DOCUMENTS, Rules())
    asked, synthesis = held(dialogue, SUBJECT, SCORES, QUERIES, passed())
    assert not {"in_common", "ask_for", "most_years"} & asked[3].variables.keys()
    assert "in_common" not in asked[3].messages[0].text
    assert synthesis.grounded.common is None


def test_the_question_may_say_what_the_two_have_in_common():
    question = "Which weir on the Tarn was completed first, Hollin Weir or Salter's Weir?"
    assert made(passed(**COMMON, multi_hop_question=question), tries=1)[1].reason is None
