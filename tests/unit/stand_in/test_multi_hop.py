import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aimsciqa_assets.aim_sciqa.multi_hop.replies import (
    REFUSAL_SENTENCE,
    Composition,
    Refusal,
    read_reply,
)
from aimsciqa_assets.aim_sciqa.multi_hop.validation import decide
from aimsciqa_assets.stand_in.multi_hop import REFUSAL, compose

ADOLESCENTS = {
    "source_title": "Iron status in Maharashtra",
    "source_section": "Results",
    "source_question": "What was the prevalence of iron deficiency among Indian adolescents?",
    "source_answer": "The prevalence of iron deficiency among Indian adolescents was 43% [12].",
    "target_title": "Women's diets in rural Kenya",
    "target_section": "Results",
    "target_question": "What was the prevalence of iron deficiency among Kenyan women?",
    "target_answer": "The prevalence of iron deficiency among Kenyan women was 21% (Odera et al., 2012).",
    "retrieval_question": "What was the phytate content of maize flour from Busia?",
    "retrieval_answer": "The phytate content of maize flour from Busia was 812 mg per 100 g.",
}


def composed(**changes):
    reply = read_reply(compose({**ADOLESCENTS, **changes}))
    assert isinstance(reply, Composition)
    return reply


def test_two_values_of_one_kind_are_compared():
    reply = composed()
    assert reply.retrieval.question == (
        "Which paper reports that the phytate content of maize flour from Busia was 812 mg per 100 g?"
    )
    assert reply.retrieval.answer == "Identified target paper: 'Women's diets in rural Kenya'."
    assert reply.inter_document.question == (
        "How does the prevalence of iron deficiency among Indian adolescents in the source paper compare "
        "with the prevalence of iron deficiency among Kenyan women in the target paper?"
    )
    assert reply.inter_document.answer == (
        "The source paper reports that the prevalence of iron deficiency among Indian adolescents was"
        " 43%, whereas the target paper reports that the prevalence of iron deficiency among Kenyan "
        "women was 21%; the value is higher in the source paper."
    )
    assert reply.merged.question == (
        "Considering the paper that reports that the phytate content of maize flour from Busia was 812 mg "
        "per 100 g, how does the prevalence of iron deficiency among Kenyan women in that paper compare with "
        "the "
        "prevalence of iron deficiency among Indian adolescents in the source paper?"
    )
    assert reply.merged.answer.startswith(
        "The paper in question is 'Women's diets in rural Kenya'. It reports that"
    )
    assert decide(reply, ADOLESCENTS["target_title"], ADOLESCENTS["source_title"]).status == "accepted"


def test_two_effects_in_one_direction_are_said_to_agree():
    reply = composed(
        source_question="How did foliar zinc affect grain protein in wheat?",
        source_answer="Foliar zinc increased grain protein in wheat by 8%.",
        target_question="How did foliar zinc affect grain protein in maize?",
        target_answer="Foliar zinc raised grain protein in maize by 3%.",
    )
    assert reply.decision
    assert reply.inter_document.answer == (
        "The source paper reports that foliar zinc increased grain protein in wheat by 8%, and the target "
        "paper reports that foliar zinc raised grain protein in maize by 3%; the effect has the same "
        "direction in both papers."
    )


def test_the_source_is_named_by_its_title_where_its_question_does_not_say_in_whom():
    reply = composed(
        source_title="Nutrition of schoolchildren in the highlands: a survey",
        source_question="What was the prevalence of iron deficiency?",
        source_answer="The prevalence of iron deficiency was 43%.",
    )
    assert reply.decision
    assert reply.merged.question.endswith(
        "compare with the prevalence of iron deficiency in the source paper on nutrition of schoolchildren "
        "in the highlands?"
    )


@pytest.mark.parametrize(
    "changes",
    [
        {
            "target_question": "What is the colour of maize?",
            "target_answer": "The colour of maize is yellow.",
        },
        {
            "source_question": "What was the mean age of the patients in the study?",
            "source_answer": "The mean age of the patients was 34 years.",
            "target_question": "What was the mean age of the patients in the trial?",
            "target_answer": "The mean age of the patients was 57 years.",
        },
        {"source_answer": "It was 43%."},
        {"retrieval_question": "Tell me about Busia."},
        {"source_question": "How common was iron deficiency among girls?"},
    ],
    ids=[
        "nothing shared",
        "only study words shared",
        "answer leans on its question",
        "no question",
        "no name",
    ],
)
def test_what_cannot_be_composed_is_refused(changes):
    refused, _, reason = compose({**ADOLESCENTS, **changes}).partition(". ")
    assert f"{refused}." == REFUSAL == REFUSAL_SENTENCE
    assert reason in {
        "The core questions name nothing in common.",
        "One of the pairs is not one question with a full statement.",
        "A core question cannot be told within another sentence.",
    }


@pytest.mark.parametrize(
    ("changes", "failed"),
    [
        ({"target_question": ADOLESCENTS["source_question"], "target_answer": ADOLESCENTS["source_answer"]},
         "cross_reference_necessity"),
        ({"target_question": "What was the prevalence of iron deficiency among 21% of Kenyan women?"},
         "cross_reference_necessity"),
        ({"target_answer": "The prevalence of iron deficiency among Kenyan women was 21 mg."},
         "relational_appropriateness"),
        ({"retrieval_question": "How was flour sampled?",
          "retrieval_answer": "Samples of maize flour were collected from twelve villages."}, "completeness"),
        ({"target_section": "Materials and Methods"}, "relational_appropriateness"),
        ({"source_answer": "The the prevalence of iron deficiency among Indian adolescents was 43%."},
         "fluency"),
        ({"source_question": "How did yams expressing Or exhibit affect carotenoids?",
          "source_answer": "Yams expressing Or exhibit increased carotenoids.",
          "target_question": "How did PSY affect carotenoids of yams?",
          "target_answer": "PSY increased carotenoids of yams."}, "fluency"),
    ],
    ids=["same answer", "answer given away", "other unit", "searched by a routine", "methods",
         "doubled word", "a verb too many"],
)  # fmt: skip
def test_a_poor_item_fails_the_criterion_that_it_should(changes, failed):
    reply = composed(**changes)
    assert not reply.verdicts[failed]
    assert reply.decision is False


def test_equal_values_need_both_papers():
    reply = composed(target_answer="The prevalence of iron deficiency among Kenyan women was 43%.")
    assert reply.verdicts["cross_reference_necessity"]
    assert reply.inter_document.answer.endswith("; the value is the same in both papers.")


def test_a_long_part_of_the_title_is_not_used_to_search_the_paper():
    asked = "In the study of diets of rural women, what was the phytate content of maize flour from Busia?"
    reply = composed(target_title="Diets of rural women in Kenya", retrieval_question=asked)
    assert reply.retrieval.question.startswith("Which paper reports that the phytate content of maize flour")


def test_a_rejection_says_why():
    assert "Reject: a fact is no result of its paper: it does not stand in its results" in compose(
        {**ADOLESCENTS, "source_section": "Introduction"}
    )


SCRAPS = st.sampled_from(
    """
    In the study of what which how who why whose by many was were did does can have not and that been used to
    measured iron yield change affect higher mosquitoes significantly , . 3% ( ) [1] It we reports
    """.split()
)
WILD = st.one_of(st.text(), st.lists(SCRAPS, max_size=12).map(lambda scraps: " ".join(scraps) + "?"))


@settings(max_examples=300)
@given(st.fixed_dictionaries(dict.fromkeys(ADOLESCENTS, WILD)))
def test_any_input_gives_a_readable_reply(variables):
    reply = compose(variables)
    assert isinstance(read_reply(reply), Composition | Refusal)
    assert compose(variables) == reply


@given(st.text(min_size=1))
def test_the_target_is_named_whatever_its_title(title):
    fate = decide(read_reply(compose({**ADOLESCENTS, "target_title": f"Iron {title} millet"})),
                  f"Iron {title} millet", "Another title")  # fmt: skip
    assert fate.status == "accepted"
