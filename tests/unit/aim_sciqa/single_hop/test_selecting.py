import pytest

from aimsciqa_assets.aim_sciqa.single_hop.selecting import why_left_out, why_unwanted

TWO = "Larks ate snails at Lake Orm. Seeds were eaten at Lake Tves."


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        (TWO, "results", None),
        (TWO, "conclusion", "closing_section"),
        ("Larks ate snails at Lake Orm.", "results", "one_sentence"),
        (
            "Plasmids pLK101, pLK102, pLK103, pLK104 were here. Strains LKA201, LKA202, LKA203, LKA204 too.",
            "methods",
            "material_list",
        ),
        ("The first was ACGTACGTACGTAA. The second was TTGACCGTAACGTT.", "methods", "material_list"),
        ("Larks weighed 41g, 40g, 39g, 38g, 37g, 36g, 35g and 34g. They ate.", "results", None),
    ],
)
def test_a_paragraph_that_is_not_worth_asking_is_left_out_with_a_reason(text, kind, reason):
    assert why_left_out(text, kind) == reason


@pytest.mark.parametrize(
    ("question", "position", "reason"),
    [
        ("What did larks eat?", 4, None),
        ("What did larks eat?", 5, "beyond_the_best"),
        ("Did larks eat snails?", 0, "yes_no_question"),
        ("At Lake Orm, were larks heavier?", 0, "yes_no_question"),
        ("Were larks heavier at Lake Orm or at Lake Tves?", 0, None),
        ("Under which conditions did larks eat snails?", 0, None),
    ],
)
def test_a_pair_that_should_not_have_been_written_is_refused(question, position, reason):
    assert why_unwanted(question, position) == reason
