from dataclasses import replace

import pytest

from aimsciqa_assets.aim_sciqa.multi_hop.replies import Composition, Malformed, QuestionAnswer, Refusal
from aimsciqa_assets.aim_sciqa.multi_hop.validation import Fate, decide, same_title

TITLE = "Grain iron in pearl millet hybrids"
SOURCE_TITLE = "Iron status of schoolchildren"

GOOD = Composition(
    retrieval=QuestionAnswer(
        "Which paper reports the iron of 122 hybrids?", f"Identified target paper: '{TITLE}'."
    ),
    inter_document=QuestionAnswer("How does grain iron relate to ferritin?", "It does so closely."),
    merged=QuestionAnswer("In the paper on 122 hybrids, how does grain iron relate to ferritin?", "Closely."),
    verdicts={
        "fluency": True,
        "completeness": True,
        "cross_reference_necessity": True,
        "relational_appropriateness": True,
    },
    decision=True,
)


def fate(reply):
    return decide(reply, TITLE, SOURCE_TITLE)


def test_a_good_item_is_accepted():
    assert fate(GOOD) == Fate("accepted", "", decision=True, decision_agrees=True)


def test_a_refusal_is_pre_rejected_and_an_unreadable_reply_invalid():
    assert fate(Refusal()) == Fate("pre_rejected", "refused")
    assert fate(Malformed("no_components")) == Fate("invalid", "no_components")


def test_the_decision_is_recomputed_and_compared():
    verdicts = {**GOOD.verdicts, "relational_appropriateness": False, "fluency": False}
    assert fate(replace(GOOD, verdicts=verdicts)) == Fate(
        "rejected", "rejected:fluency+relational_appropriateness", decision=False, decision_agrees=False
    )
    assert fate(replace(GOOD, decision=False)) == Fate("accepted", "", decision=True, decision_agrees=False)
    assert fate(replace(GOOD, decision=None)).decision_agrees is None


@pytest.mark.parametrize(
    "named",
    [
        TITLE,
        TITLE.upper(),
        f"{TITLE}.",
        "Grain  iron in\npearl millet hybrids?",
        "Grain iron in pearl millet hybrids",
    ],
)
def test_the_title_may_be_written_otherwise(named):
    reply = replace(GOOD, retrieval=QuestionAnswer("Which paper?", f"Identified target paper: '{named}'."))
    assert fate(reply).status == "accepted"


@pytest.mark.parametrize(
    "answer",
    [
        f"Identified target paper: '{SOURCE_TITLE}'.",
        f"Identified target paper: '{TITLE} and rice'.",
        f"The target paper is '{TITLE}'.",
        "Identified target paper: ''.",
    ],
)
def test_another_title_or_another_shape_is_invalid(answer):
    reply = replace(GOOD, retrieval=QuestionAnswer("Which paper?", answer))
    assert (fate(reply).status, fate(reply).rejection_reason) == ("invalid", "wrong_target_title")


def test_quotes_and_dashes_of_a_title_are_interchangeable():
    assert same_title("The “Indian” diet – a review", 'the "Indian" diet - a review.')
    assert not same_title("Iron in millet", "Zinc in millet")


def test_papers_titled_alike_cannot_be_told_apart():
    assert decide(GOOD, TITLE, TITLE.lower()).rejection_reason == "ambiguous_title"


@pytest.mark.parametrize("nothing", ["", "...", " ? "])
def test_empty_parts_are_invalid(nothing):
    assert (
        fate(replace(GOOD, merged=QuestionAnswer(nothing, "Yes."))).rejection_reason
        == "empty:merged.question"
    )
    reply = replace(GOOD, inter_document=QuestionAnswer("How?", nothing))
    assert (fate(reply).status, fate(reply).rejection_reason) == ("invalid", "empty:inter_document.answer")


def test_a_question_must_not_hold_the_title():
    asked = f"In “{TITLE.upper()}”, how does grain iron relate to ferritin?"
    reply = replace(GOOD, merged=QuestionAnswer(asked, "Closely."))
    assert (fate(reply).status, fate(reply).rejection_reason) == ("rejected", "title_leak")


def test_a_title_of_three_words_is_no_leak():
    title = "Zika virus infection"
    retrieval = QuestionAnswer(f"Which paper explains {title}?", f"Identified target paper: '{title}'.")
    assert decide(replace(GOOD, retrieval=retrieval), title, SOURCE_TITLE).status == "accepted"


def test_a_merged_question_that_merges_nothing_is_rejected():
    reply = replace(GOOD, merged=QuestionAnswer(GOOD.inter_document.question.upper(), "Closely."))
    assert (fate(reply).status, fate(reply).rejection_reason) == ("rejected", "not_merged")
