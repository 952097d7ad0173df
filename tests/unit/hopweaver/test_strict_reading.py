"""The strict reader: which replies pass a question, which reject it, and what is searched before."""

from dataclasses import replace

import pytest
from aimsciqa_resources.language_model import ModelReply

from aimsciqa_assets.hopweaver.deciding import LastSteps, decided, rejection_of
from aimsciqa_assets.hopweaver.drafts import Draft
from tests.dialogues import held
from tests.hop_model import passed_by_reader

DRAFT = Draft(
    *("a1", "bridge", "What did the planner teach?", "maths", "path", "seg a", "seg b", "Ada Reed"),
    hops=("Who planned?", "Ada Reed", "What did Ada Reed teach?", "maths"),
    first_evidence="Ada Reed planned it.",
    second_evidence="Ada Reed taught maths.",
    first_paper_id="d1",
    second_paper_id="d2",
)
COMPARISON = replace(DRAFT, kind="comparison", entity_b="Bo Lund", attribute="year")
READ = LastSteps(1, polish=False, read=True, titles={"d1": "Weir", "d2": "School"})
CHANGED = "[ADJUST]\nREFINED_REASONING_PATH: way\nREFINED_QUESTION: What did the one who planned it teach?"


def test_a_question_that_passes_every_check_is_accepted():
    asked, one = held(decided(DRAFT, READ), passed_by_reader("bridge"))
    assert (rejection_of(one), one.reading.status, one.reading.solution) == (
        None,
        "passed",
        "by both quotes",
    )
    assert "Document A: Weir\nQuote A: Ada Reed planned it." in asked[0].messages[-1].text
    assert "Document B: School\nQuote B: Ada Reed taught maths." in asked[0].messages[-1].text


@pytest.mark.parametrize(
    ("draft", "failed", "reason"),
    [
        (DRAFT, ("ANSWERABLE",), "reader_unanswerable"),
        (DRAFT, ("RIGHT",), "reader_wrong_or_other_answer"),
        (DRAFT, ("BOTH_NEEDED", "PLAUSIBLE"), "reader_one_document_enough"),
        (DRAFT, ("IDENTIFIED",), "reader_unidentified_name"),
        (DRAFT, ("PLAUSIBLE",), "reader_nobody_asks"),
        (COMPARISON, ("COMPARABLE",), "reader_not_comparable"),
        (COMPARISON, ("KIN",), "reader_no_kin"),
    ],
)
def test_any_no_rejects_by_the_first_check_that_failed(draft, failed, reason):
    _, one = held(decided(draft, READ), passed_by_reader(draft.kind, *failed))
    assert (rejection_of(one), one.reading.failed, one.reading.status) == (reason, failed, "failed")


def test_a_malformed_reading_goes_back_once():
    good = passed_by_reader("bridge")
    asked, one = held(decided(DRAFT, READ), good.replace("RIGHT: yes", "RIGHT: perhaps"), good)
    assert (len(asked), rejection_of(one)) == (2, None)
    _, one = held(decided(DRAFT, READ), "Fine.", "Very well.")
    assert (rejection_of(one), one.reading.status) == ("reader_unreadable", "error")
    _, one = held(decided(DRAFT, READ), ModelReply("k", None, "http_500"))
    assert (rejection_of(one), one.reading.status) == ("http_500", "error")


def test_the_reader_reads_the_polished_question_and_nothing_that_was_rejected():
    steps = replace(READ, polish=True)
    asked, _ = held(decided(DRAFT, steps), CHANGED, passed_by_reader("bridge"))
    assert asked[1].variables["question"] == "What did the one who planned it teach?"
    asked, one = held(decided(DRAFT, steps), "[REJECTED]\nREASON: no")
    assert (len(asked), one.reading) == (1, None)


def test_a_bridge_question_that_was_changed_is_searched_for_again():
    searched = []
    steps = LastSteps(1, finds=lambda draft: bool(searched.append(draft.question)) or True)
    assert rejection_of(held(decided(DRAFT, steps), CHANGED)[1]) == "polished_found_by_question"
    assert rejection_of(held(decided(DRAFT, steps), "[PASS]")[1]) is None
    assert searched == ["What did the one who planned it teach?"]
