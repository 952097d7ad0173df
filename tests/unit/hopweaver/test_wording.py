"""What the questions of a bridge may say."""

import pytest

from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.replies import Declined, Fusion, SubQuestions
from aimsciqa_assets.hopweaver.wording import fault_of_fusion, fault_of_hops, masked

QUOTE_A = "In 1823 Ada Reed drew a curved crest for Hollin Weir."
QUOTE_B = "Ada Reed entered the Lantern School in 1801."
SCHOOL = Document("d2", "Lantern School of Quoyle", ())
FIRST, SECOND = "Who drew the crest of Hollin Weir in 1823?", "When did Ada Reed enter school?"
FUSED = "When did the one who drew the crest of Hollin Weir in 1823 enter school?"


def said(first: str = FIRST, second: str = SECOND) -> SubQuestions:
    return SubQuestions("", "", "", QUOTE_B, "", first, "Ada Reed", second, "1801")


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (FIRST, SECOND, None),
        ("Who drew the crest of Hollin Weir at Ostley?", SECOND, "unquoted_first_question"),
        ("Who drew a crest in 1824?", SECOND, "unquoted_first_question"),
        (FIRST, "When did Ada Reed enter the Lantern School?", None),
        (FIRST, "When did Ada Reed leave Quoyle?", "unquoted_second_question"),
        ("Who drew the crest in this weir?", SECOND, "deictic_question"),
        (FIRST, "When did Ada Reed enter the study?", "deictic_question"),
    ],
)
def test_sub_questions_say_what_their_quotes_say(first, second, reason):
    fault = fault_of_hops(said(first, second), "Ada Reed", (QUOTE_A, QUOTE_B))
    assert (fault and fault.reason) == reason


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        (FUSED, "1801", None),
        (FUSED, "1802", "wrong_fused_answer"),
        ("When did Ada Reed enter school?", "1801", "entity_in_question"),
        (FUSED.replace("1823", "1824"), "1801", "question_beyond_evidence"),
        (FUSED.replace("school", "a school of Bo Lund"), "1801", "question_beyond_evidence"),
        (FUSED.replace("the one", "the one in the study"), "1801", "deictic_question"),
    ],
)
def test_the_fused_question_keeps_to_the_quote_and_question_2(question, answer, reason):
    fault = fault_of_fusion(Fusion(question, answer, "", ""), said(), "Ada Reed", QUOTE_A, SCHOOL)
    assert (fault and fault.reason) == reason


def test_names_of_the_second_title_give_the_document_away():
    hops = said(second="When did Ada Reed enter the Lantern School?")
    fused = Fusion(FUSED.replace("school", "the Lantern School"), "1801", "", "")
    fault = fault_of_fusion(fused, hops, "Ada Reed", QUOTE_A, SCHOOL)
    assert (fault.reason, "says Lantern, School, which" in fault.complaint) == ("second_document_named", True)
    assert fault_of_fusion(Declined("two"), hops, "Ada Reed", QUOTE_A, SCHOOL) is None


def test_a_question_without_a_name():
    assert masked("When was the Lantern School's tower, of Quoyle, built?", "Lantern School of Quoyle") == (
        "When was the tower, built?"
    )
    assert masked("Who is Bo?", "Ada Reed") == "Who is Bo?"


def test_a_common_word_of_the_second_title_gives_nothing_away():
    title = Document("d2", "Salter's Weir", (("p1", "Ada Reed drew the plans of the weir in 1801."),))
    quote = "Ada Reed drew the crest of Hollin Weir, a stone weir."
    hops = said(second="When did Ada Reed draw?")
    fused = Fusion("When did the one who drew the crest of Hollin Weir draw?", "1801", "", "")
    assert fault_of_fusion(fused, hops, "Ada Reed", quote, title) is None
