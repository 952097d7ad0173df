"""The polisher: what its replies mean, what becomes of a draft, and when it is asked again."""

from dataclasses import replace

import pytest
from aimsciqa_resources.language_model import ModelReply

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.deciding import LastSteps, decided, polished_once, rejection_of, unpolished
from aimsciqa_assets.hopweaver.drafts import Draft, drafts_by_pair, drafts_of
from aimsciqa_assets.hopweaver.items import item_rows
from aimsciqa_assets.hopweaver.polishing import (
    Polishing,
    polished,
    read_bridge_polishing,
    read_comparison_polishing,
)
from aimsciqa_assets.hopweaver.rows import empty_row
from tests.dialogues import held

HOPS_OF_DRAFT = ("Who planned?", "Ada Reed", "What did Ada Reed teach?", "maths")
DRAFT = Draft(
    *("a1", "bridge", "What did the planner teach?", "maths", "path", "seg a", "seg b", "Ada Reed"),
    hops=HOPS_OF_DRAFT,
)
COMPARISON = replace(DRAFT, kind="comparison", entity_b="Bo Lund", attribute="year", first_evidence="e")


def outcome(draft: Draft, *replies: str, tries: int = 3):
    asked, result = held(polished(draft, tries), *replies)
    return len(asked), result


def test_a_draft_that_passes_stays_as_it_is():
    assert outcome(DRAFT, "[PASS]")[1].draft == DRAFT
    assert rejection_of(outcome(DRAFT, "[PASS]")[1]) is None


@pytest.mark.parametrize("draft", [DRAFT, COMPARISON])
def test_an_adjustment_without_an_answer_keeps_the_answer_and_takes_the_question(draft):
    reply = "[ADJUST]\nREFINED_REASONING_PATH: way\nREFINED_QUESTION: What, then?"
    _, result = outcome(draft, reply)
    assert (result.status, result.draft.question, result.draft.answer) == ("adjust", "What, then?", "maths")
    assert rejection_of(result) == (None if draft is DRAFT else "polished_answer_misfit")


def test_an_adjusted_comparison_may_change_its_answer_alone():
    _, result = outcome(COMPARISON, "[ADJUST]\nREFINED_ANSWER: Bo Lund")
    assert (result.draft.question, result.draft.answer) == (COMPARISON.question, "Bo Lund")


def test_a_reworked_question_brings_all_its_parts():
    reply = "[REWORKED]\nREFINED_REASONING_PATH: way\nREFINED_QUESTION: Why?\nREFINED_ANSWER: so"
    _, result = outcome(DRAFT, reply)
    assert result.draft == replace(DRAFT, question="Why?", answer="so", reasoning_path="way")
    facts = "[REWORKED] REFINED_QUESTION: Why? REFINED_ANSWER: so REFINED_FACT_A: fa REFINED_FACT_B: fb"
    _, result = outcome(COMPARISON, facts)
    assert (result.draft.first_passage, result.draft.second_passage) == ("fa", "fb")


def test_an_adjusted_comparison_keeps_facts_and_attribute_and_a_reworked_one_names_what_it_compares():
    lines = "REFINED_ATTRIBUTE: length\nREFINED_QUESTION: Why?\nREFINED_ANSWER: so\nREFINED_FACT_A: fa"
    _, adjusted = outcome(COMPARISON, f"[ADJUST]\n{lines}")
    assert (adjusted.draft.attribute, adjusted.draft.first_passage) == ("year", "seg a")
    _, reworked = outcome(COMPARISON, f"[REWORKED]\n{lines}")
    assert (reworked.draft.attribute, reworked.draft.first_passage) == ("length", "fa")
    assert reworked.before == COMPARISON


def test_the_attribute_of_an_item_is_that_of_the_polished_question():
    attempt = _comparison(1, "d1", "d2", "year", ("A is 41 m long.", "B is 30 m long."))
    (draft,) = drafts_of([attempt])
    lines = "REFINED_QUESTION: Which is longer, A or B?\nREFINED_ANSWER: A"
    _, one = outcome(draft, f"[REWORKED]\nREFINED_ATTRIBUTE: length\n{lines}")
    (row,) = item_rows([attempt], [one], {"comparison": {"model": "m"}})
    assert (row["status"], row["attribute"]) == ("accepted", "length")


@pytest.mark.parametrize(
    ("steps", "years", "answer", "reason"),
    [
        (LastSteps(1, most_years=15), (1900, 1915), "A", None),
        (LastSteps(1, most_years=15), (1900, 1916), "A", "far_apart"),
        (LastSteps(1), (1900, 1916), "A", None),
        (LastSteps(1, ordered=True), (1900, 1900), "Yes", "yes_or_no"),
    ],
)
def test_a_reworked_comparison_may_not_be_guessed_either(steps, years, answer, reason):
    first, second = (f"{name} opened in {year}." for name, year in zip("AB", years, strict=True))
    (draft,) = drafts_of([_comparison(1, "d1", "d2", "length", (first, second))])
    question = "Did A and B open in the same year?" if answer == "Yes" else "Which opened first, A or B?"
    reply = (
        f"[REWORKED]\nREFINED_ATTRIBUTE: opening\nREFINED_QUESTION: {question}\nREFINED_ANSWER: {answer}\n"
        f"REFINED_FACT_A: {first}\nREFINED_FACT_B: {second}"
    )
    assert rejection_of(held(decided(draft, steps), reply)[1]) == reason


def test_the_polisher_is_told_the_limit_of_years_and_what_two_subjects_share():
    shared = {
        "in_common": "River Tarn",
        "first_common": "A is on the River Tarn.",
        "second_common": "So is B.",
    }
    asked, _ = held(decided(replace(COMPARISON, **shared), LastSteps(1, most_years=15)))
    system, user = (message.text for message in asked[0].messages)
    assert "years more than 15 apart are guessed" in system
    assert "In common: River Tarn\nQuote A on it: A is on the River Tarn.\nQuote B on it: So is B." in user
    asked, _ = held(decided(COMPARISON, LastSteps(1)))
    assert "most_years" not in asked[0].variables
    assert "dates more than about a century apart are guessed" in asked[0].messages[0].text


def test_an_entity_is_used_once_by_the_accepted_comparisons_of_a_batch():
    attempts = [_comparison(number, f"d{number}", f"e{number}", "year") for number in (1, 2, 3)]
    attempts[1] |= {"entity_a": "a", "entity_b": "C"}
    attempts[2] |= {"entity_a": "D", "entity_b": "E"}
    decisions = list(map(unpolished, drafts_of(attempts)))
    rows = item_rows(attempts, decisions, {}, entities_once=True)
    reasons = {row["attempt_id"]: row["rejection_reason"] for row in rows}
    assert {reasons["a1"], reasons["a2"]} == {None, "entity_used"}
    assert reasons["a3"] is None
    assert {row["rejection_reason"] for row in item_rows(attempts, decisions, {})} == {None}


def test_a_rejection_keeps_its_reason():
    asked, result = outcome(DRAFT, "[REJECTED]\nREASON: two planners")
    assert (asked, result.status, result.reason) == (1, "rejected", "two planners")
    assert rejection_of(result) == "rejected_by_polisher"


def test_a_reply_that_cannot_be_read_is_asked_for_again_until_the_tries_are_over():
    asked, result = outcome(DRAFT, "Fine.", "[pass]", "Very well.")
    assert (asked, result.status, result.reply) == (3, "error", "Very well.")
    assert rejection_of(result) == "unreadable_polishing"
    assert outcome(DRAFT, "Fine.", "[PASS]")[1].status == "pass"


def test_the_question_after_polishing_must_not_name_the_bridge():
    reply = (
        "[REWORKED]\nREFINED_REASONING_PATH: way\nREFINED_QUESTION: What did ada  reed teach?\n"
        "REFINED_ANSWER: so"
    )
    assert rejection_of(outcome(DRAFT, reply)[1]) == "entity_in_polished_question"
    swapped = reply.replace("ada  reed", "she").replace(": so", ": Ada Reed")
    assert rejection_of(outcome(DRAFT, swapped)[1]) == "polished_answer_is_entity"


@pytest.mark.parametrize("read", [read_bridge_polishing, read_comparison_polishing])
def test_the_first_of_several_tags_counts(read):
    assert read("[REJECTED]\nREASON: no [PASS] for it") == Polishing("REJECTED", reason="no [PASS] for it")


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_bridge_polishing, "[ADJUST]\nREFINED_QUESTION: q\nREFINED_ANSWER: a"),
        (read_bridge_polishing, "[REWORKED]\nREFINED_REASONING_PATH: p\nREFINED_QUESTION: q"),
        (read_bridge_polishing, "[adjust]"),
        (read_comparison_polishing, "[REWORKED]\nREFINED_QUESTION: q"),
        (read_comparison_polishing, "[ADJUST]"),
        (read_comparison_polishing, "[ADJUST]\nREFINED_QUESTION:\n"),
        (read_comparison_polishing, ""),
    ],
)
def test_a_reply_that_lacks_a_part_is_not_read(read, text):
    found = read(text)
    assert isinstance(found, Fault)
    assert found.reason == "unreadable_polishing"


def test_the_polisher_of_a_bridge_sees_both_quotes():
    asked, _ = held(polished(replace(DRAFT, first_evidence="She drew it.", second_evidence="It is old."), 1))
    shown = asked[0].messages[-1].text
    assert "Document A says: seg a\nQuote A: She drew it." in shown
    assert "Document B says: seg b\nQuote B: It is old." in shown


def _comparison(number: int, first: str, second: str, attribute: str, quotes=("x", "y")) -> dict:
    return empty_row("hopweaver.attempts") | {
        "attempt_id": f"a{number}",
        "batch": "b",
        "kind": "comparison",
        "status": "drafted",
        "paper_id": first,
        "second_paper_id": second,
        "attribute": attribute,
        "entity_a": "A",
        "entity_b": "B",
        "question": "Which?",
        "answer": "A",
        "first_passage": "A",
        "second_passage": "B",
        "first_evidence": quotes[0],
        "second_evidence": quotes[1],
    }


def test_of_mirrored_comparisons_one_is_kept():
    attempts = [
        _comparison(1, "d1", "d2", "year"),
        _comparison(2, "d2", "d1", "Year", ("v", "w")),
        _comparison(3, "d5", "d6", "age"),
        _comparison(4, "d6", "d5", "length", ("y", "x")),
        _comparison(5, "d1", "d3", "year"),
        _comparison(6, "d2", "d1", "depth", ("m", "n")),
    ]
    rows = item_rows(attempts, map(unpolished, drafts_of(attempts)), {})
    reasons = {row["attempt_id"]: row["rejection_reason"] for row in rows}
    assert {reasons["a1"], reasons["a2"]} == {reasons["a3"], reasons["a4"]} == {None, "mirrored"}
    assert (reasons["a5"], reasons["a6"]) == (None, None)


def test_a_bridge_that_goes_back_by_the_same_entity_is_mirrored():
    def hop(number: int, first: str, second: str, entity: str, quotes: tuple[str, str]) -> dict:
        return _comparison(number, first, second, "", quotes) | {"kind": "bridge", "entity_a": entity}

    attempts = [
        hop(1, "d1", "d2", "Ada Reed", ("a", "b")),
        hop(2, "d2", "d1", "Ada  reed", ("c", "d")),
        hop(3, "d1", "d3", "Ada Reed", ("a", "e")),
        hop(4, "d1", "d2", "Bo Lund", ("f", "g")),
        _comparison(5, "d1", "d2", "Ada Reed", ("h", "i")),
    ]
    rows = item_rows(attempts, map(unpolished, drafts_of(attempts)), {})
    reasons = {row["attempt_id"]: row["rejection_reason"] for row in rows}
    assert {reasons["a1"], reasons["a2"]} == {None, "mirrored"}
    assert [reasons[name] for name in ("a3", "a4", "a5")] == [None] * 3


def test_a_mirrored_question_is_not_polished_unless_the_first_one_is_rejected():
    attempts = [
        _comparison(1, "d1", "d2", "year", ("a", "b")),
        _comparison(2, "d2", "d1", "Year", ("c", "d")),
        _comparison(3, "d2", "d1", "length", ("e", "f")),
        _comparison(4, "d1", "d3", "year", ("g", "h")),
    ]
    pairs = drafts_by_pair(attempts)
    assert sorted(len(pair) for pair in pairs) == [1, 3]
    pair = next(pair for pair in pairs if len(pair) == 3)
    asked, made = held(polished_once(pair, LastSteps(1)), "[PASS]", "[PASS]")
    assert sorted(one.status for one in made.polishings) == ["not_polished", "pass", "pass"]
    assert (len(asked), made.failure) == (2, None)
    rows = item_rows(attempts[:3], made.polishings, {"comparison": {"model": "m"}})
    assert sorted((row["status"], row["polisher_model"]) for row in rows) == [
        ("accepted", "m"),
        ("accepted", "m"),
        ("rejected", None),
    ]
    mirror = next(row for row in rows if row["status"] == "rejected")
    assert (mirror["rejection_reason"], mirror["polisher_reply"]) == ("mirrored", None)
    asked, _ = held(polished_once(pair, LastSteps(1)), *["[REJECTED]\nREASON: unclear"] * 3)
    assert len(asked) == 3
    failed = ModelReply("k", None, "http_500")
    assert held(polished_once(pair, LastSteps(1)), failed, "[PASS]", "[PASS]")[1].failure == "http_500"


HOPS = ("Who drew the crest in 1823?", "Ada Reed", "When did Ada Reed enter school?", "1801")


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("When did the one who drew the crest of Hollin Weir enter school?", "in 1801", None),
        (
            "When did the one who drew the crest in 1824 enter?",
            "1801",
            "polished_beyond_evidence",
        ),
        ("When did the one who drew the crest enter the Lantern School?", "1801", "polished_beyond_evidence"),
        ("When did the one who drew the crest of the study enter school?", "1801", "deictic_question"),
        ("Where did the one who drew the crest go to school?", "Quoyle", "polished_answer_not_in_quote"),
    ],
)
def test_a_changed_bridge_keeps_to_its_evidence(question, answer, reason):
    quotes = {
        "first_evidence": "Ada Reed drew the crest of Hollin Weir.",
        "second_evidence": "Reed came to the Lantern School in 1801.",
    }
    reply = f"[REWORKED]\nREFINED_REASONING_PATH: way\nREFINED_QUESTION: {question}\nREFINED_ANSWER: {answer}"
    draft = replace(DRAFT, entity_a="Ada Reed", hops=HOPS, **quotes)
    assert rejection_of(outcome(draft, reply)[1]) == reason
