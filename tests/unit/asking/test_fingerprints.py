"""Journals of earlier versions stay valid: a request of each task has the fingerprint that it always had."""

import pytest
from aimsciqa_resources.language_model import PROMPT_TOO_LONG, ModelReply
from aimsciqa_resources.language_model.engine import fingerprint

from aimsciqa_assets.aim_sciqa.multi_hop.task import MULTI_HOP
from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP
from aimsciqa_assets.benchmark.answering.tasks import ANSWER_JUDGE, ANSWERING, CITATION_MARKER
from aimsciqa_assets.judging.task import QUALITY
from tests.dialogues import asked_about

PARAGRAPH = {
    "paper_title": "Zinc & iron",
    "section_title": "Results",
    "subsection": "",
    "keywords": "zinc; rice {{ x }}",
    "paragraph": "Zinc fell (p < 0.05). Iron rose.",
}
RELATION = {
    "source_title": "Iron & zinc",
    "source_section": "Results",
    "source_question": "Was p < 0.05?",
    "source_answer": "Yes.",
    "target_title": "It's {{ source_title }}",
    "target_section": "Methods",
    "target_question": "Was p > 0.05?",
    "target_answer": 'No, "less".',
    "retrieval_question": "What is 'X'?",
    "retrieval_answer": "It is X.",
}
ITEM = {
    "question": "Q?",
    "answer": "A.",
    "documents": [{"title": "S", "text": "One."}, {"title": "T", "text": "Two."}],
    "shown": "paragraphs",
    "compares": False,
}
PAPERS = asked_about("Q?", source_paper="S\n\np < 0.05\n\nTwo iron.")
NO_PAPERS = asked_about("Q?")
MARKERS = {"question": "Q?", "source_paper": "S", "citing_sentences": "[1]\tOne [1]."}
ANSWER = {"question": "Q?", "answer": "A.", "prediction": "P."}


@pytest.mark.parametrize(
    ("task", "told", "run", "unreadable", "first", "repair"),
    [
        (
            SINGLE_HOP,
            PARAGRAPH,
            1,
            "no",
            "bb154acf511481584bfa821394f10a6e",
            "34deed8c4c50039d866a8db6b0f8d249",
        ),
        (
            MULTI_HOP,
            RELATION,
            1,
            "<outputs>",
            "6c69a7e7bc005f3090a314ec27025bab",
            "8f9417981229192ae62735bc95adb432",
        ),
        (QUALITY, ITEM, 1, "no", "1a1394ed42a6f86a692dd1baa0ec750d", "75a86c7619c5de292b303c8e8b318e1e"),
        (QUALITY, ITEM, 2, "no", "44c10a82dbb235d6d05ac7dc6b1e2ad9", None),
        (ANSWERING, PAPERS, 1, "no", "fa9735063b60bef5197f8291905ce618", "e2de7948ebf76566ddd4fa3ae771d7d5"),
        (ANSWERING, NO_PAPERS, 1, "no", "c1f1bc6c3039e3b1ce06102a40946a8d", None),
        (
            CITATION_MARKER,
            MARKERS,
            1,
            "no",
            "f0f7cdef9a9365ea119aefec0708b6b5",
            "09e81ba205142925ef23f2d9581db1ce",
        ),
        (
            ANSWER_JUDGE,
            ANSWER,
            1,
            "no",
            "2a8e8c8b20acd6502ec16b05222d282b",
            "8da0e6ea3dc8f449e2174575e9d1654a",
        ),
    ],
)
def test_a_request_and_its_repair_have_the_fingerprint_that_they_always_had(
    task, told, run, unreadable, first, repair
):
    dialogue = task.ask("k", run=run, **told)
    assert fingerprint("m", next(dialogue)) == first
    again = dialogue.send(ModelReply("k", unreadable))
    assert repair is None or fingerprint("m", again) == repair
    assert (again.purpose, again.run) == ("repair", run)


@pytest.mark.parametrize(
    ("task", "told", "parts"),
    [
        (SINGLE_HOP, PARAGRAPH, [None, "62026be9f011c29547c9be940fedfa88"]),
        (ANSWERING, PAPERS, ["1a838e7a866428777abd0a2f2ca9a873"]),
    ],
)
def test_the_parts_of_a_long_prompt_too(task, told, parts):
    dialogue = task.ask("k", **told)
    next(dialogue)
    part = dialogue.send(ModelReply("k", None, PROMPT_TOO_LONG))
    for expected in parts:
        assert part.purpose == "part"
        assert expected is None or fingerprint("m", part) == expected
        if expected is None:
            part = dialogue.send(ModelReply("k", "[]"))
