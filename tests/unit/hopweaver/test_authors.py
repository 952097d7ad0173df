"""Replies in the shapes of HopWeaver's authors, against the reference cases where they are at hand."""

import pytest

from aimsciqa_assets.hopweaver import authors
from tests.reference_cases import all_cases

READERS = {
    "bridge_entity": authors.bridge_entity,
    "sub_questions": authors.sub_questions,
    "multi_hop_question": authors.multi_hop_question,
    "bridge_polisher": authors.bridge_polishing,
    "comparison_polisher": authors.comparison_polishing,
}


CASES = [
    case
    for case in all_cases("hopweaver-parsers")
    if case.values[0] is None or case.values[0]["parser"] in READERS
]


@pytest.mark.parametrize("row", CASES)
def test_a_reference_case(row):
    """A result that a case recommends beside the authors' own is right: their parser loses text there."""
    assert READERS[row["parser"]](row["response"]) == row.get("recommended", row["expected"])


REWORKED = "[REWORKED]\nREFINED_REASONING_PATH: p\nREFINED_QUESTION: q\nREFINED_ANSWER: a"


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("[REJECTED]\nREASON: no", {"status": "REJECTED"}),
        (REWORKED.replace("REFINED_QUESTION: q\n", ""), "Could not find REFINED_QUESTION"),
        # The authors drop such a reply; `polishing.py` keeps question and answer.
        (
            REWORKED.replace("\nREFINED_ANSWER: a", "").replace("REWORKED", "ADJUST"),
            "Could not find REFINED_ANSWER",
        ),
        (
            f"{REWORKED}\n\nThe old one was no [PASS].",
            {
                "status": "REWORKED",
                "refined_reasoning_path": "p",
                "refined_question": "q",
                "answer": "a\n\nThe old one was no [PASS].",
            },
        ),
    ],
)
def test_a_polished_bridge_question(text, shape):
    expected = {"status": "ERROR", "message": shape} if isinstance(shape, str) else shape
    assert authors.bridge_polishing(text) == expected


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("[REJECTED] REASON: no pair", {"status": "REJECTED", "reason": "no pair"}),
        ("well", {"status": "UNKNOWN", "raw_response": "well"}),
        (
            "[REWORKED]\nREFINED_QUESTION: q\nREFINED_ANSWER: a\nREFINED_FACT_A: x\nREFINED_FACT_B: y\n",
            {
                "status": "REWORKED",
                "refined_question": "q",
                "refined_answer": "a",
                "refined_fact_a": "x",
                "refined_fact_b": "y",
            },
        ),
        (
            "[ADJUST]\nREFINED_QUESTION: q\nREFINED_ANSWER: a",
            {"status": "ADJUST", "refined_question": "q", "refined_answer": "a"},
        ),
    ],
)
def test_a_polished_comparison(text, shape):
    assert authors.comparison_polishing(text) == shape


def test_an_empty_part_of_the_analysis_counts_unless_it_is_the_last():
    text = (
        "Bridge connection:\nDocument A segments: x\n\n y\nReasoning path:\nSUB-QUESTIONS: Sub-question 1: a"
    )
    assert authors.sub_questions(text) == {
        "analysis": {"bridge_connection": "", "doc_a_seg": "x\ny"},
        "sub_questions": [],
    }


def test_a_fusion_without_sources_is_none():
    assert authors.multi_hop_question("MULTI-HOP QUESTION: q ANSWER: a REASONING PATH: r") is None


def test_a_segment_keeps_its_parentheses():
    text = '("bridge_entity"<|>"X"<|>"Place") ## ("relevant_segments"<|>"X"<|>"a (b) c")'
    assert authors.bridge_entity(text) == [
        {"name": "X", "type": "Place", "segments": ["a (b) c"], "query": ""}
    ]
