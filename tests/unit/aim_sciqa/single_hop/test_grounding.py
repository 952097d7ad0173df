import pytest

from aimsciqa_assets.aim_sciqa.single_hop.grounding import ground_triplet
from aimsciqa_assets.aim_sciqa.single_hop.replies import Triplet
from aimsciqa_assets.text.grounding import Grounding, ground
from tests.reference_cases import cases

PARAGRAPH = "Grain zinc rose by 12 % – a lot. “Good” soils gave more."


def test_evidence_is_found_with_its_offsets():
    found = ground("Grain zinc rose", PARAGRAPH)
    assert found == Grounding(0, 15, normalised_match=True, reason=None)
    assert PARAGRAPH[found.start : found.end] == "Grain zinc rose"


@pytest.mark.parametrize("evidence", ["", "  ", "\n\t"])
def test_empty_evidence_is_dropped_and_not_found_everywhere(evidence):
    assert ground(evidence, PARAGRAPH) == Grounding(
        None, None, normalised_match=False, reason="empty_evidence"
    )


@pytest.mark.parametrize(
    ("evidence", "normalised"),
    [
        ("Grain zinc rose by 12 % - a lot.", True),
        ('"Good" soils', True),
        ("Grain  zinc\nrose", True),
        ("grain zinc rose", False),
        ("Grain iron rose", False),
    ],
)
def test_the_strict_match_decides_and_the_normalised_one_is_recorded(evidence, normalised):
    assert ground(evidence, PARAGRAPH) == Grounding(None, None, normalised, "evidence_not_found")


def test_a_triplet_needs_a_question_and_an_answer():
    assert ground_triplet(Triplet(" ", "Grain", "Yes."), PARAGRAPH).reason == "empty_question"
    assert ground_triplet(Triplet("What?", "Grain", ""), PARAGRAPH).reason == "empty_answer"
    assert ground_triplet(Triplet("What?", "Grain", "Grain."), PARAGRAPH).reason is None


@pytest.mark.parametrize("case", cases("evidence_exact_match"))
def test_the_reference_cases_are_kept_or_dropped_as_expected(case):
    reason = ground(case["input"]["evidence"], case["input"]["section"]).reason
    assert (reason is None) == case["expected"]["keep"]
