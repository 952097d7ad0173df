"""The dialogue of a comparison with a scripted model: what it asks, and how each way of failing ends."""

import pytest
from aimsciqa_resources.language_model import ModelReply

from aimsciqa_assets.hopweaver.comparison.dialogue import compare
from aimsciqa_assets.hopweaver.comparison.queries import Diversified
from aimsciqa_assets.hopweaver.comparison.steps import Rules, Synthesis
from tests.dialogues import held
from tests.weirs import (
    DOCUMENTS,
    FAIL,
    HOLLIN,
    QUERIES,
    RECOMMENDATION,
    SALTER,
    SCORES,
    SUBJECT,
    Searching,
    passed,
)

SALTER_ONLY = {"stone weir": ["d1", "d2"]}
UNREADABLE = "I would rather talk about bridges."


def made(*replies, found=SALTER_ONLY, source=HOLLIN, **rules) -> Synthesis:
    """The synthesis that these replies lead to; nothing may be asked beyond them."""
    settings = Rules(**{"tries": 1} | rules)
    dialogue = compare(source, Searching(found), DOCUMENTS, settings)
    asked, result = held(dialogue, *replies)
    assert result is not None, f"it also asks {asked[-1].task}"
    return result


def requests(*replies, found=SALTER_ONLY, **rules):
    dialogue = compare(HOLLIN, Searching(found), DOCUMENTS, Rules(**rules))
    return held(dialogue, *replies)[0]


def test_what_can_be_guessed_is_asked_for_anew_or_rejected():
    same = passed(multi_hop_question="Are Hollin Weir and Salter's Weir equally old?", answer="No")
    assert made(SUBJECT, SCORES, QUERIES, same).reason is None
    assert made(SUBJECT, SCORES, QUERIES, same, ordered=True).reason == "yes_or_no"
    assert made(SUBJECT, SCORES, QUERIES, same, passed(), ordered=True, tries=2).reason is None
    told = requests(SUBJECT, SCORES, QUERIES, same, passed(), ordered=True, tries=2)
    assert "Only values that have an order and differ are a pair" in told[3].messages[0].text
    assert 'The answer is "yes" or "no"' not in told[3].messages[0].text
    assert "it is answered by yes or no" in told[4].messages[-1].text
    # 1823 and 1790.
    assert made(SUBJECT, SCORES, QUERIES, passed(), most_years=33).reason is None
    assert made(SUBJECT, SCORES, QUERIES, passed(), most_years=32).reason == "far_apart"


def test_four_replies_make_a_comparison_with_the_places_of_its_quotes():
    synthesis = made(SUBJECT, SCORES, QUERIES, passed())
    assert synthesis.reason is None
    found = synthesis.grounded
    assert found.document_id == "d2"
    assert (found.first.paragraph_id, found.first.start, found.first.end) == ("d1-p2", 0, 42)
    assert (found.second.paragraph_id, found.second.start, found.second.end) == ("d2-p1", 0, 67)
    assert found.comparison.answer == "Salter's Weir"
    assert [one.name for one in synthesis.kept] == ["year of construction", "length"]
    assert [one.task for one in synthesis.turns] == [
        "hopweaver_comparison_subject",
        "hopweaver_comparison_scores",
        "hopweaver_comparison_queries",
        "hopweaver_comparison_question",
    ]
    assert synthesis.tried == 1


def test_each_step_is_told_what_the_steps_before_gave():
    subject, scores, queries, question = requests(SUBJECT, SCORES, QUERIES)
    assert subject.variables == {"title": "Hollin Weir", "text": HOLLIN.text.removeprefix("Hollin Weir\n\n")}
    assert [one["name"] for one in scores.variables["attributes"]] == [
        "year of construction",
        "length",
        "builder",
    ]
    assert [one["name"] for one in queries.variables["attributes"]] == ["year of construction", "length"]
    assert question.variables["title_b"] == "Salter's Weir"
    assert question.variables["suggested_entity"] == ""
    assert "Suggested" not in question.messages[-1].text


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ([UNREADABLE], "no_subject"),
        (['("ambiguous_subject"<|>"a list of weirs")<|COMPLETE|>'], "ambiguous_subject"),
        (['("subject_entity"<|>"Hollin Weir"<|>"weir")<|COMPLETE|>'], "no_attributes"),
        ([SUBJECT, UNREADABLE], "no_entity_score"),
        ([SUBJECT, '("entity_score"<|>5)'], "no_attribute_scores"),
        ([SUBJECT, SCORES.replace("<|>5) ## ", "<|>4) ## ", 1)], "not_concrete"),
        (
            [SUBJECT, '("entity_score"<|>5) ## ("attribute_score"<|>"length"<|>"41 m"<|>3)'],
            "no_comparable_attribute",
        ),
        (
            [SUBJECT, '("entity_score"<|>5) ## ("attribute_score"<|>"width"<|>"41 m"<|>5)'],
            "no_comparable_attribute",
        ),
        ([SUBJECT, SCORES, QUERIES, FAIL], "no_comparable_pair"),
        ([SUBJECT, SCORES, QUERIES, UNREADABLE], "missing_field:entity_a"),
        ([SUBJECT, SCORES, QUERIES, passed(answer="")], "missing_field:answer"),
        ([SUBJECT, SCORES, QUERIES, passed(quote_a="")], "missing_field:quote_a"),
        ([SUBJECT, SCORES, QUERIES, passed(quote_a="The weir was built in 1824")], "inexact_quote"),
        ([SUBJECT, SCORES, QUERIES, passed(quote_b="Work on it Ended in 1790")], "inexact_target_quote"),
        ([SUBJECT, SCORES, QUERIES, passed(quote_a="by Edith Marrow")], "fact_a_beyond_quote"),
        ([SUBJECT, SCORES, QUERIES, passed(quote_b="near Quoyle")], "fact_b_beyond_quote"),
        ([SUBJECT, SCORES, QUERIES, passed(entity_b="The  Hollin Weir")], "same_entity"),
        ([SUBJECT, SCORES, QUERIES, passed(entity_a="Gantry Weir")], "other_entity_a"),
        ([SUBJECT, SCORES, QUERIES, passed(entity_b="Gantry Weir")], "entity_b_not_in_b"),
        (
            [SUBJECT, SCORES, QUERIES, passed(entity_a="Hollin Weir (old)", entity_b="Hollin Weir (new)")],
            "namesakes",
        ),
        ([SUBJECT, SCORES, QUERIES, passed(entity_a="Weir II", entity_b="Weir IV")], "numbered_title"),
        ([SUBJECT, SCORES, QUERIES, passed(entity_b="Ebb Dam", quote_b="at last")], "fact_b_beyond_quote"),
        (
            [
                SUBJECT,
                SCORES,
                QUERIES,
                passed(entity_a="Gantry Dam", quote_a="by Edith Marrow", fact_entity_a="It is."),
            ],
            "unnamed_entity",
        ),
        ([SUBJECT, SCORES, QUERIES, passed(entity_b="Gantry Dam")], "unnamed_target_entity"),
        (
            [
                SUBJECT,
                SCORES,
                QUERIES,
                passed(multi_hop_question="Which is older, Hollin Weir or Cyrus Weir?"),
            ],
            "question_beyond_evidence",
        ),
        ([SUBJECT, SCORES, QUERIES, passed(answer="1790")], "answer_misfit"),
        ([SUBJECT, SCORES, QUERIES, passed(answer="Yes")], "answer_misfit"),
        (
            [SUBJECT, SCORES, QUERIES, passed(multi_hop_question="Is Hollin Weir older than Salter's Weir?")],
            "answer_misfit",
        ),
        (
            [SUBJECT, SCORES, RECOMMENDATION, passed(attribute_compared="length")],
            "not_suggested_attribute",
        ),
        (
            [SUBJECT, SCORES, RECOMMENDATION.replace("Salter's Weir", "Gantry Weir"), passed()],
            "not_suggested_entity",
        ),
    ],
)
def test_every_way_of_failing_has_its_own_reason(replies, reason):
    synthesis = made(*replies)
    assert (synthesis.reason, synthesis.grounded) == (reason, None)


def test_nothing_found_is_a_reason():
    assert made(SUBJECT, SCORES, QUERIES, found={"stone weir": ["d1"]}).reason == "no_candidates"


@pytest.mark.parametrize("number", range(4))
def test_a_model_without_a_reply_ends_the_synthesis_with_its_failure(number):
    replies = [SUBJECT, SCORES, QUERIES, passed()][:number]
    synthesis = made(*replies, ModelReply("k", None, "not_recorded"))
    assert (synthesis.reason, synthesis.failure) == ("not_recorded", "not_recorded")
    assert len(synthesis.turns) == number + 1


def test_one_document_with_both_facts_is_no_second_document_and_spoils_a_pair():
    quote = "Salter's Weir was finished in 1790"
    alone = passed(quote_b=quote, relevant_paragraph_b=quote)
    assert made(SUBJECT, SCORES, QUERIES, alone, found={"stone weir": ["d5"]}).reason == "fact_a_in_b"
    named = Searching({"stone weir": ["d2", "d5"]}).found
    synthesis = made(SUBJECT, SCORES, QUERIES, passed(), FAIL, found=named)
    assert synthesis.candidates[0].violations == ("one_document_has_both",)
    assert synthesis.reason == "every_document_failed"


def test_the_source_may_not_tell_the_other_fact():
    told = "It is younger than Salter's Weir, which was finished in 1790."
    source = type(HOLLIN)("d1", "Hollin Weir", (*HOLLIN.paragraphs, ("d1-p3", told)))
    assert made(SUBJECT, SCORES, QUERIES, passed(), source=source).reason == "fact_b_in_a"


def test_the_next_document_is_tried_after_any_failure_and_the_first_that_works_wins():
    found = {"stone weir": ["d3", "d4"], "old dam": ["d2"], "village river": ["d5"]}
    synthesis = made(SUBJECT, SCORES, QUERIES, FAIL, UNREADABLE, passed(answer="1790"), FAIL, found=found)
    assert [(one.found.document_id, one.reason) for one in synthesis.candidates] == [
        ("d3", "no_comparable_pair"),
        ("d2", "missing_field:entity_a"),
        ("d5", "inexact_target_quote"),
        ("d4", "no_comparable_pair"),
    ]
    assert synthesis.reason == "every_document_failed"
    second = made(SUBJECT, SCORES, QUERIES, FAIL, passed(), found=found | {"village river": []})
    assert [one.outcome for one in second.candidates] == ["rejected", "chosen", "not_tried"]
    assert [one.reason for one in second.candidates] == ["no_comparable_pair", None, None]
    assert second.tried == 2


def test_every_query_contributes_documents_and_the_authors_truncation_is_a_setting():
    found = {"stone weir": ["d2", "d1", "d3"], "old dam": ["d4", "d2"], "village river": ["d5"]}
    search = Searching(found)
    _, result = held(
        compare(HOLLIN, search, DOCUMENTS, Rules(top_k=2)),
        SUBJECT,
        SCORES,
        QUERIES,
        passed(),
    )
    assert result is None
    assert search.asked == [("stone weir", None, 4), ("old dam", None, 4), ("village river", None, 4)]
    every = made(SUBJECT, SCORES, QUERIES, *[FAIL] * 4, found=found, top_k=2)
    assert [one.found.document_id for one in every.candidates] == ["d2", "d4", "d5", "d3"]
    assert every.candidates[0].queries == ("stone weir", "old dam")
    cut = made(SUBJECT, SCORES, QUERIES, FAIL, FAIL, found=found, top_k=2, merging="truncated")
    assert [one.found.document_id for one in cut.candidates] == ["d2", "d3"]


@pytest.mark.parametrize("reading", ["tolerant", "released"])
def test_a_reply_without_queries_gets_three_by_rule_and_says_so(reading):
    found = {"Other weir similar to Hollin Weir": ["d2"]}
    synthesis = made(SUBJECT, SCORES, UNREADABLE, passed(), found=found, reading=reading)
    assert isinstance(synthesis.queries, Diversified)
    assert synthesis.queries.templated
    assert synthesis.queries.queries == (
        "Other weir similar to Hollin Weir",
        "Famous weir with characteristics like Hollin Weir",
        "Notable weir in the same field as Hollin Weir",
    )
    assert synthesis.query_fault == ("no_queries" if reading == "tolerant" else None)
    assert synthesis.grounded


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (RECOMMENDATION.replace("Salter's Weir", "hollin  weir"), "recommends_the_subject"),
        (RECOMMENDATION.replace("year of construction", "beauty"), "unknown_attribute"),
    ],
)
def test_a_recommendation_that_cannot_be_used_is_replaced_by_three_queries(reply, fault):
    found = {"Other weir similar to Hollin Weir": ["d2"]}
    synthesis = made(SUBJECT, SCORES, reply, passed(), found=found)
    assert (synthesis.query_fault, synthesis.reason) == (fault, None)


def test_a_recommendation_is_shown_to_the_builder_unless_a_setting_hides_it():
    shown = requests(SUBJECT, SCORES, RECOMMENDATION)[-1].messages[-1].text
    assert "Suggested entity B: Salter's Weir\nSuggested attribute: year of construction" in shown
    hidden = requests(SUBJECT, SCORES, RECOMMENDATION, guided=False)[-1].messages[-1].text
    assert "Suggested" not in hidden
    other = passed(attribute_compared="age")
    assert made(SUBJECT, SCORES, RECOMMENDATION, other, guided=False).reason is None


def test_a_wrong_quote_goes_back_to_the_model_once():
    wrong = passed(quote_b="Work on it was over in 1790")
    asked = requests(SUBJECT, SCORES, QUERIES, wrong)
    assert "quote_b does not stand in one paragraph of document B" in asked[-1].messages[-1].text
    assert made(SUBJECT, SCORES, QUERIES, wrong, passed(), tries=3).grounded
    twice = made(SUBJECT, SCORES, QUERIES, wrong, wrong, tries=3)
    assert twice.reason == "inexact_target_quote"
    assert [one.reason for one in twice.turns[3:]] == ["inexact_target_quote"] * 2


def test_thresholds_are_settings():
    low = SCORES.replace('"entity_score"<|>5', '"entity_score"<|>"4.5"')
    assert made(SUBJECT, low).reason == "not_concrete"
    assert made(SUBJECT, low, QUERIES, passed(), least_concreteness=4).reason is None
    strict = made(SUBJECT, SCORES, QUERIES, passed(), least_comparability=5)
    assert [one.name for one in strict.kept] == ["year of construction"]


def test_the_released_reading_loses_a_quoted_score():
    quoted = SCORES.replace('"entity_score"<|>5', '"entity_score"<|>"5"')
    assert made(SUBJECT, quoted, reading="released").reason == "not_concrete"
    assert made(SUBJECT, quoted, QUERIES, passed()).grounded
    assert made(SUBJECT, SCORES, QUERIES, passed(), reading="released").grounded


def test_a_document_that_is_too_long_leads_to_the_next_one():
    too_long = ModelReply("k", None, "too_long")
    found = {"stone weir": ["d3", "d2"]}
    synthesis = made(SUBJECT, SCORES, QUERIES, too_long, passed(), found=found)
    assert [one.reason for one in synthesis.candidates] == ["too_long", None]
    assert synthesis.reason is None


def test_white_space_in_a_quote_is_that_of_the_paragraph():
    broken = type(SALTER)("d2", "Salter's Weir", (("p", "Salter's Weir. Work on it\n ended in 1790."),))
    dialogue = compare(HOLLIN, Searching(SALTER_ONLY), {"d2": broken}, Rules())
    _, result = held(dialogue, SUBJECT, SCORES, QUERIES, passed())
    assert result.grounded.second.text == "Salter's Weir. Work on it\n ended in 1790"
