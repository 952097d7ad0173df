"""From a reply of the model to accepted and rejected pairs: quotes, references, versions, wording, edits."""

import json
from dataclasses import replace

import pytest
from aimsciqa_resources.language_model import ModelReply

from aimsciqa_assets.scidqa.pairs.deciding import edited, without_duplicates
from aimsciqa_assets.scidqa.pairs.discussions import Turn, filtered
from aimsciqa_assets.scidqa.pairs.extraction import EXTRACTION, ExtractedPair, divided, extraction_variables
from aimsciqa_assets.scidqa.pairs.quotes import Place, ground_pair
from aimsciqa_assets.scidqa.pairs.references import Renumbering, cited, references_in, with_references
from aimsciqa_assets.scidqa.pairs.versions import version_by_rule
from aimsciqa_assets.scidqa.pairs.wording import addresses_somebody, text_reason
from tests.review_discussion import DISCUSSION, REPLY, REVIEW

PAIR = ExtractedPair(
    question="How many seeds did you use?",
    question_quote="How many seeds were used?",
    answer="We used five seeds for each setting.",
    answer_quote="We used five seeds for each setting.",
)
OTHER = ExtractedPair(
    question="Is [1] faster?",
    question_quote="It is unclear whether [1] is faster.",
    answer="[A] is slower by half.",
    answer_quote="[A] is slower than ours by half",
)
EDIT = {
    "pair": 1,
    "relevance": "relevant",
    "why": "It asks about the experiments.",
    "question": "How many seeds are used in the experiments?",
    "answer": "Five seeds are used for each setting.",
    "added": ["in the experiments"],
    "version": "initial",
    "multi_document": False,
}


def answered(dialogue, *replies):
    """The result of a dialogue that is given these replies, and what it asked."""
    asked, given = [], iter(replies)
    try:
        request = next(dialogue)
        while True:
            asked.append(request)
            text = next(given)
            request = dialogue.send(
                ModelReply(request.key, text)
                if isinstance(text, str)
                else ModelReply(request.key, None, failure="refused")
            )
    except StopIteration as end:
        return end.value, asked


def decided(*edits, pairs=(PAIR,)):
    result, _ = answered(edited(DISCUSSION, pairs), *[json.dumps({"edits": list(edits)})] * 2)
    return result.pairs


def test_a_pair_is_found_in_the_notes_of_its_writers():
    found = ground_pair(PAIR, DISCUSSION)
    assert (found.question.turn.note_id, found.answer.turn.note_id, found.reason) == ("R1", "A1", None)
    assert REVIEW[found.question.start : found.question.end] == PAIR.question_quote
    assert REPLY[found.answer.start : found.answer.end] == PAIR.answer_quote
    assert Place(DISCUSSION.replies[0], 28, 34).context(0) == "We used five seeds for each setting."


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"question": " "}, "empty_question"),
        ({"answer": ""}, "empty_answer"),
        ({"question_quote": ""}, "empty_question_quote"),
        ({"answer_quote": "\n"}, "empty_answer_quote"),
        ({"question_quote": "how many seeds were used?"}, "question_quote_not_found"),
        ({"question_quote": "Why only five seeds?"}, "question_quote_of_another_writer"),
        ({"question_quote": "We used five seeds"}, "question_quote_of_another_writer"),
        ({"answer_quote": "We used five  seeds"}, "answer_quote_not_found"),
        ({"answer_quote": "How many seeds were used?"}, "answer_quote_of_another_writer"),
        ({"answer_quote": "Why only five seeds?"}, "answer_quote_of_another_writer"),
    ],
)
def test_a_quote_that_is_not_exact_or_another_writers_rejects_the_pair(changed, reason):
    assert ground_pair(PAIR.model_copy(update=changed), DISCUSSION).reason == reason


def test_a_discussion_needs_a_reply_of_the_authors_and_a_cue():
    assert filtered(DISCUSSION).reason is None
    assert filtered(DISCUSSION).cues == {"please": 1, "question_mark": 1, "quoted_in_reply": 1, "unclear": 1}
    assert filtered(replace(DISCUSSION, turns=DISCUSSION.turns[1:])).reason == "no_reply"
    plain = replace(
        DISCUSSION, review=Turn("R1", "reviewer", "Nice."), turns=(Turn("A1", "authors", "Thanks."),)
    )
    assert filtered(plain).reason == "no_request"


def test_a_long_discussion_is_divided_without_losing_text_or_parting_questions_from_answers():
    told = extraction_variables(replace(DISCUSSION, turns=DISCUSSION.turns[1:]))
    first, second = divided(told)
    assert first["review"] + second["review"] == REVIEW
    assert first["turns"] == second["turns"] == told["turns"]
    short = {**extraction_variables(DISCUSSION), "review": "Why?"}
    turns = divided(short)
    assert [len(part["turns"]) for part in turns] == [1, 1]
    halves = divided(turns[0])
    assert "".join(part["turns"][0]["text"] for part in halves) == REPLY
    assert list(divided({**short, "turns": [{"writer": "authors", "text": "So."}]})) == []


def test_pairs_of_both_parts_are_joined_once():
    one = json.dumps({"pairs": [PAIR.model_dump()]})
    both = json.dumps({"pairs": [PAIR.model_dump(), OTHER.model_dump()]})
    dialogue = EXTRACTION.ask("d", **extraction_variables(DISCUSSION))
    next(dialogue)
    dialogue.send(ModelReply("d", None, failure="too_long"))
    dialogue.send(ModelReply("d", one))
    with pytest.raises(StopIteration) as end:
        dialogue.send(ModelReply("d", both))
    assert end.value.value.value.pairs == [PAIR, OTHER]


def test_marks_of_two_notes_become_uniform():
    assert references_in(REVIEW) == {"1": "Reed, A. 2019. A sampler of willows."}
    assert references_in("1. What is n? I wonder about it.\nReferences:\n2. Reed, A. 2019. Willows.") == {
        "2": "Reed, A. 2019. Willows."
    }
    numbers = Renumbering()
    of_review, of_reply = {"1": "Reed 2019", "2": "Ash 2020"}, {"A": "Reed 2019"}
    assert numbers.renumbered("Is [2] or [1, 7] faster?", of_review) == "Is [r1] or [r2, 7] faster?"
    assert numbers.renumbered("[A] is.", of_reply, of_review) == "[r2] is."
    assert numbers.references == {"r1": "Ash 2020", "r2": "Reed 2019"}
    assert cited("[r2, 7] is.", numbers.references) == {"r2": "Reed 2019"}
    assert with_references("[r2] is.", numbers.references) == "[r2] is.\n[r2] Reed 2019"


@pytest.mark.parametrize(
    ("reply", "version"),
    [
        ("We have added the proof to the appendix.", "revised"),
        ("See the updated Section 3.", "revised"),
        ("This is now clarified.", "revised"),
        ("The figure has been corrected.", "revised"),
        ("It is in our revision.", "revised"),
        ("We use five seeds, see Table 2.", "initial"),
        ("As Section 3 says, the loss is convex.", "initial"),
    ],
)
def test_the_words_of_a_reply_tell_the_version(reply, version):
    assert version_by_rule(reply) == version


QUOTE = "We used five seeds."


@pytest.mark.parametrize(
    ("reply", "version"),
    [
        (f"{QUOTE} This is now clarified in Section 2.", "revised"),
        (f"We have added the details to Section 2.\n{QUOTE}", "revised"),
        (f"{QUOTE}\n\nWe have added the proof to the appendix.", "initial"),
        (f"{QUOTE}\n2) We have added the proof to the appendix.", "initial"),
        (f"{QUOTE} We also corrected the caption of Figure 2.", "initial"),
        (f"{QUOTE} Additionally, a typo in Table 1 has been fixed.", "initial"),
        (f"The caption has been corrected.\n\n> How many seeds?\n{QUOTE}", "initial"),
        (f"The caption has been corrected.\n- {QUOTE}", "initial"),
        (f"{QUOTE} They differ in the data. We have added this to Section 2.", "initial"),
    ],
)
def test_the_version_is_told_where_the_quote_stands_and_not_where_something_else_is_answered(reply, version):
    start = reply.index(QUOTE)
    place = Place(Turn("A1", "authors", reply), start, start + len(QUOTE))
    assert version_by_rule(place.passage) == version


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("Thanks for the clear paper.", "The paper has ten pages.", "courtesy_question"),
        ("Great work, but why is n odd?", "Since the sum is symmetric.", None),
        ("Is there a typo in Eq. 2?", "Thank you. We will fix it.", "empty_promise"),
        ("Is there a typo in Eq. 2?", "Fixed.", "empty_promise"),
        ("What is n?", "Thank you. It is the number of seeds.", None),
        ("Why?", "Because.", "too_short"),
        ("Why?", "Since the sum is symmetric.", None),
    ],
)
def test_what_asks_or_says_nothing_is_told_by_its_words(question, answer, reason):
    assert text_reason(question, answer) == reason


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("Why do you use it?", True),
        ("Our loss is convex.", True),
        ("I wonder why.", True),
        ("I'm not sure.", True),
        ("Is the Type I error of the US data below $I$?", False),
        ('What does "we train" mean in Section 2?', False),
        ("| Method | Error |\n| Ours (small) | 3.1 |", False),
        ("Ours & 3.1 \\\\", False),
        ("Ours is better.", True),
    ],
)
def test_the_first_and_second_person_are_found(text, does):
    assert addresses_somebody(text) is does


def test_a_pair_that_the_model_finds_relevant_is_accepted():
    (one,) = decided(EDIT)
    assert one.reason is None
    assert (one.question, one.answer) == (EDIT["question"], EDIT["answer"])
    # The sentence behind the quote speaks of the updated table: the rule looks around the quote.
    assert (one.version_by_rule, one.version, one.multi_document) == ("revised", "revised", False)


def test_references_are_cited_alike_and_appended():
    told = {"question": "Is [r1] faster than Willow?", "answer": "[r1] is slower than Willow by half."}
    (one,) = decided(EDIT | told, pairs=(OTHER,))
    entry = "[r1] Reed, A. 2019. A sampler of willows."
    assert one.question == f"Is [r1] faster than Willow?\n{entry}"
    assert one.answer == f"[r1] is slower than Willow by half.\n{entry}"
    assert one.references == {"r1": "Reed, A. 2019. A sampler of willows."}
    assert one.multi_document is True


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"relevance": "irrelevant"}, "irrelevant"),
        ({"relevance": "ambiguous"}, "ambiguous"),
        ({"question": ""}, "empty_edited_question"),
        ({"answer": " "}, "empty_edited_answer"),
        ({"question": "How many seeds do you use?"}, "question_addresses_somebody"),
        ({"answer": "We use five seeds."}, "answer_addresses_somebody"),
        ({"answer": "The authors will fix it."}, "empty_promise"),
        ({"pair": 2}, "not_edited"),
    ],
)
def test_an_edit_that_does_not_do_rejects_the_pair(changed, reason):
    assert [one.reason for one in decided(EDIT | changed)] == [reason]


def test_replies_that_cannot_be_used_reject_all_pairs_that_were_asked_about():
    missing = PAIR.model_copy(update={"answer_quote": "Ten."})
    for replies, reason in (
        (["no", "no"], "malformed_reply"),
        ([json.dumps({"edits": [EDIT, EDIT]})] * 2, "repeated_pair"),
        ([None], "refused"),
    ):
        result, asked = answered(edited(DISCUSSION, (missing, PAIR)), *replies)
        assert [one.reason for one in result.pairs] == ["answer_quote_not_found", reason]
        assert len(asked) == len(replies)
        assert [pair["number"] for pair in asked[0].variables["pairs"]] == [1]


def test_nothing_is_asked_where_no_quote_is_exact():
    result, asked = answered(edited(DISCUSSION, (PAIR.model_copy(update={"answer_quote": "Ten."}),)))
    assert (asked, result.outcome) == ([], None)


def test_of_two_pairs_that_ask_the_same_the_first_stays():
    same_words, same_place = replace(DISCUSSION, forum_id="F1"), DISCUSSION
    (one,) = decided(EDIT)
    again = replace(one, discussion=same_words, position=1)
    assert [each.reason for each in without_duplicates([one, again])] == [None, "duplicate"]
    rejected = replace(one, discussion=same_place, reason="irrelevant")
    assert [each.reason for each in without_duplicates([rejected, one])] == ["irrelevant", None]
