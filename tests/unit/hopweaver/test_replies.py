"""Replies on the way to a bridge question, in whatever form they come."""

import pytest

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.replies import (
    BridgeEntity,
    Declined,
    Fusion,
    SubQuestions,
    bridge_entities,
    read_entity,
    read_fusion,
    read_sub_questions,
)

ENTITY = (
    '("bridge_entity"<|>"Ada Reed"<|>"engineer") ## ("relevant_segments"<|>"Ada Reed"<|>"Ada Reed (born 1801)'
    ' called it "a toy" ## and left.") ## ("quote"<|>"Ada Reed"<|>"She left (in May) at p < 0.05.") ## '
    '("query"<|>"Ada Reed"<|>"Ada Reed school (not the weir)")<|COMPLETE|>'
)
READ = BridgeEntity(
    "Ada Reed",
    "engineer",
    'Ada Reed (born 1801) called it "a toy" ## and left.',
    "She left (in May) at p < 0.05.",
    "Ada Reed school (not the weir)",
)
SUB_QUESTIONS = """ANALYSIS:
Bridge connection: Reed planned it
and taught there.
Document A segments: Reed planned the weir.
Document B segments: Reed taught at the school.
Document B quote: Reed (the elder) taught: "maths".
Reasoning path: weir, Reed, school

SUB-QUESTIONS:
Sub-question 1: Who planned the weir?
Answer 1: Reed
Sub-question 2: What did Reed teach?
Answer 2: maths
<|COMPLETE|>"""
FUSION = "MULTI-HOP QUESTION: What did the planner teach?\nANSWER: maths\nREASONING PATH: a\nb\nSOURCES: A, B"


@pytest.mark.parametrize(
    "text",
    [
        ENTITY,
        f"Here it is:\n```text\n{ENTITY}\n```",
        ENTITY.replace(" ## (", "\n("),
        ENTITY.replace(" ## (", "##("),
        ENTITY.replace('"bridge_entity"', '"BRIDGE_ENTITY"').replace('"query"', "Query"),
        ENTITY.replace('("', "(“").replace('"<|>"', "”<|>“").replace('")', "”)"),
    ],
)
def test_an_entity_is_read_with_all_signs_of_its_fields(text):
    assert read_entity(text) == READ


def test_an_entity_without_quotation_marks_and_parentheses():
    text = "bridge_entity<|>X<|>Place ## relevant_segments<|>X<|>said (so) ## query<|>X<|>q"
    assert read_entity(text) == BridgeEntity("X", "Place", "said (so)", "", "q")


def test_records_of_another_entity_say_nothing_of_the_first():
    text = (
        '("bridge_entity"<|>"X"<|>"a") ## ("bridge_entity"<|>"Y"<|>"b") '
        '## ("relevant_segments"<|>"Y"<|>"of y") ## ("relevant_segments"<|>"Z"<|>"of z") '
        '## ("query"<|>"Y"<|>"q")'
    )
    assert bridge_entities(text) == [
        BridgeEntity("X", "a", "", "", ""),
        BridgeEntity("Y", "b", "of y", "", "q"),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "unreadable_entity"),
        ("There is no entity.", "unreadable_entity"),
        ('("bridge_entity"<|>"X")', "unreadable_entity"),
        ('("bridge_entity"<|>"X"<|>"a") ## ("query"<|>"X"<|>"q")', "no_segment"),
        ('("bridge_entity"<|>"X"<|>"a") ## ("relevant_segments"<|>"X"<|>"s")', "no_query"),
    ],
)
def test_an_entity_that_lacks_something_says_what(text, reason):
    read = read_entity(text)
    assert isinstance(read, Fault)
    assert read.reason == reason
    assert read.complaint


@pytest.mark.parametrize(
    "text",
    [
        SUB_QUESTIONS,
        f"```\n{SUB_QUESTIONS}\n```",
        SUB_QUESTIONS.replace("Answer 1:", "**Answer 1**:").lower(),
    ],
)
def test_sub_questions_with_values_over_lines(text):
    read = read_sub_questions(text)
    assert isinstance(read, SubQuestions)
    assert read.connection.lower() == "reed planned it\nand taught there."
    assert read.quote.lower() == 'reed (the elder) taught: "maths".'
    assert (read.question_1.lower(), read.answer_1.lower()) == ("who planned the weir?", "reed")
    assert (read.question_2.lower(), read.answer_2.lower()) == ("what did reed teach?", "maths")


def test_sub_questions_may_be_declined():
    assert read_sub_questions("INVALID_BRIDGE_CONNECTION\nReason: another Reed") == Declined("another Reed")


def test_sub_questions_that_lack_one():
    read = read_sub_questions(SUB_QUESTIONS.replace("Answer 2: maths", ""))
    assert read == Fault("unreadable_sub_questions", "it has nothing after Answer 2")


def test_a_fusion_is_read_or_declined():
    assert read_fusion(FUSION) == Fusion("What did the planner teach?", "maths", "a\nb", "A, B")
    assert read_fusion("NONE\nthe description fits two") == Declined("the description fits two")
    assert isinstance(read_fusion(f"NONETHELESS\n{FUSION}"), Fusion)
    assert read_fusion("What?") == Fault(
        "unreadable_fusion", "it has nothing after MULTI-HOP QUESTION, ANSWER"
    )
