"""What goes with what: asked of a sentence, and compared where two papers correlate the same things."""

import pytest

from aimsciqa_assets.stand_in.composition.codes import explained, spelled_out
from aimsciqa_assets.stand_in.composition.standings import sign
from aimsciqa_assets.stand_in.multi_hop import compose
from aimsciqa_assets.stand_in.single_hop import questions

TITLE = "Iron and zinc in the grain of pearl millet"
FILLER = " The plots of the second season stood beside the fields of a school."


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        (
            "Grain iron was significantly and positively correlated with grain zinc.",
            "What correlation was found between grain iron and grain zinc?",
        ),
        (
            "There was a negative association between grain yield and grain iron.",
            "What association was found between grain yield and grain iron?",
        ),
        (
            "Grain yield showed a weak negative correlation with kernel zinc in the inbred lines.",
            "What correlation was found between grain yield and kernel zinc in the inbred lines?",
        ),
        (
            "The map spanned 1210.5 cM, with an average distance of 2.4 cM between adjacent microsatellites.",
            "What was the average distance between adjacent microsatellites?",
        ),
        (
            "The assay of saliva showed a diagnostic sensitivity of 87.5%.",
            "What was the diagnostic sensitivity of the assay of saliva?",
        ),
    ],
)
def test_a_sentence_is_asked_what_it_tells(sentence, question):
    variables = {"paragraph": sentence + FILLER, "paper_title": TITLE, "keywords": "pearl millet"}
    assert question in [found.question for found in questions(variables)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Grain iron was correlated with grain zinc.",
        "A positive correlation was found between these two traits.",
        "Grain iron was not correlated with grain zinc.",
    ],
)
def test_no_direction_and_no_names_give_no_correlation(sentence):
    variables = {"paragraph": sentence + FILLER, "paper_title": TITLE, "keywords": ""}
    assert not [one for one in questions(variables) if one.kind == "correlation"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Iron was positively correlated with zinc.", "positive"),
        ("An inverse association was seen.", "negative"),
        ("Iron was positively correlated with zinc and negatively with yield.", None),
        ("No positive correlation was seen.", None),
    ],
)
def test_the_sign_of_a_correlation(text, told):
    assert sign(text) == told


def _request(source, target):
    return {
        "source_title": "Biofortified wheat lines in two seasons",
        "source_question": f"What correlation was found between {source}?",
        "source_answer": "Grain iron was positively correlated with grain zinc.",
        "source_section": "Results",
        "target_title": "Hybrids of pearl millet for dry regions",
        "target_question": f"What correlation was found between {target}?",
        "target_answer": "A negative correlation was found between zinc content and iron content.",
        "target_section": "Results",
        "retrieval_question": "By how much did leaf rust lower the kernel weight in Tifton hybrids?",
        "retrieval_answer": "Leaf rust lowered the kernel weight by 3.7 mg in Tifton hybrids.",
    }


def test_two_correlations_of_the_same_things_are_compared_in_either_order():
    reply = compose(_request("grain iron and grain zinc", "grain zinc content and grain iron content"))
    assert "the correlations have opposite directions" in reply
    assert '<score type="Relational Appropriateness">Accept</score>' in reply


def test_correlations_of_different_things_are_not_compared():
    reply = compose(_request("grain iron and grain zinc", "grain zinc content and plant height"))
    assert "the two questions ask for correlations of different things" in reply


def test_abbreviations_are_written_out_where_first_letters_spell_them():
    codes = explained("The total phenolic content (TPC) and the thousand-grain weight (TGW) rose (ABC).")
    assert codes == {"TPC": "total phenolic content", "TGW": "thousand-grain weight"}
    assert spelled_out("the TPC and two TGWs of ABC", codes) == (
        "the total phenolic content and two thousand-grain weights of ABC"
    )
