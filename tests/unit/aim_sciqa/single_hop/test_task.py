"""What a model is shown of a paragraph, and what is asked when it is too long or the reply is unreadable."""

import json

import polars as pl
from aimsciqa_resources.language_model import PROMPT_TOO_LONG, ModelReply
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.aim_sciqa.single_hop.extraction import extractions_of, paragraph_variables
from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP
from tests.dialogues import held
from tests.fakes import SentenceModel

GOOD = '{"pairs": [{"question": "q?", "evidence": "e", "answer": "a."}]}'
TOO_LONG = ModelReply("p1", None, PROMPT_TOO_LONG)
TOLD = {
    "paper_title": "Zinc in {maize}",
    "section_title": "Results",
    "subsection": "Grain",
    "keywords": "zinc; maize",
    "paragraph": "Use {{ paper_title }} and {braces}, 5 % and \\1.",
}


def request(**changes):
    return SINGLE_HOP.request("p1", **TOLD | changes)


def ask(paragraph="One. Two."):
    return SINGLE_HOP.ask("p1", **TOLD | {"paragraph": paragraph})


def test_a_paragraph_is_told_with_its_place_and_the_authors_keywords():
    paragraphs = pl.DataFrame(
        {
            "paragraph_id": ["p1"],
            "paper_id": ["x"],
            "section_id": ["s"],
            "subsection": ["Grain"],
            "text": ["Zinc fell."],
        }
    )
    sections = pl.DataFrame({"section_id": ["s"], "title": ["Results"]})
    papers = pl.DataFrame({"paper_id": ["x"], "title": ["Zinc"]})
    keywords = pl.DataFrame(
        {
            "paper_id": ["x"] * 3,
            "origin": ["author", "extracted", "author"],
            "as_written": ["zinc", "no", "maize"],
        }
    )
    assert list(paragraph_variables(paragraphs, sections, papers, keywords)) == [
        (
            "p1",
            {
                "paper_title": "Zinc",
                "section_title": "Results",
                "subsection": "Grain",
                "keywords": "zinc; maize",
                "paragraph": "Zinc fell.",
            },
        )
    ]


def test_the_variables_are_kept_as_they_are_for_backends_without_a_prompt():
    assert (request().task, request().key) == ("single_hop", "p1")
    assert dict(request().variables) == TOLD


def test_the_prompt_is_filled_once_and_braces_in_a_paragraph_stay():
    system, user = request().messages
    assert (system.role, user.role) == ("system", "user")
    assert user.content.endswith("Use {{ paper_title }} and {braces}, 5 % and \\1.")
    assert "Paper: Zinc in {maize}\n" in user.content


def test_what_all_requests_share_comes_first():
    first, second = request(), request(paragraph="Another one.")
    assert first.messages[0] == second.messages[0]
    shared = first.messages[1].content.index("Use {{")
    assert first.messages[1].content[:shared] == second.messages[1].content[:shared]


def test_the_prompt_says_what_it_is_and_asks_for_every_field():
    prompt = SINGLE_HOP.prompt
    assert prompt.front_matter["task"] == "single_hop"
    assert all(f'"{field}"' in prompt.text for field in ("question", "evidence", "answer"))
    assert set(prompt.variables) == set(TOLD)


def test_the_form_of_a_reply_is_the_one_that_servers_always_got():
    assert json.dumps(SINGLE_HOP.reply_schema, sort_keys=True) == json.dumps(
        {
            "type": "object",
            "properties": {
                "pairs": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "question": {"type": "string"},
                            "evidence": {"type": "string"},
                            "answer": {"type": "string"},
                        },
                        "required": ["question", "evidence", "answer"],
                        "additionalProperties": False,
                    },
                }
            },
            "required": ["pairs"],
            "additionalProperties": False,
        },
        sort_keys=True,
    )
    pair = SINGLE_HOP.reply_schema["properties"]["pairs"]["items"]
    assert list(pair["properties"]) == ["question", "evidence", "answer"]


def test_a_readable_reply_needs_no_repair():
    for reply in (GOOD, "[]", '{"pairs": []}', f"```json\n{GOOD}\n```", f"<think>?</think>{GOOD}"):
        asked, outcome = held(ask(), reply)
        assert len(asked) == 1
        assert (outcome.text, outcome.reason) == (reply, None)


def test_a_malformed_reply_is_shown_to_the_model_with_the_complaint():
    (first, again), _ = held(ask(), "I found nothing.")
    assert again.messages[:2] == first.messages
    assert [message.role for message in again.messages[2:]] == ["assistant", "user"]
    assert again.messages[2].content == "I found nothing."
    assert "cannot be used: it is not the JSON object" in again.messages[3].content
    assert (again.reply_schema, again.purpose) == (first.reply_schema, "repair")


def test_a_paragraph_is_divided_at_the_sentence_nearest_its_middle():
    dialogue = ask("Zinc fell. Iron rose by 3.5 mg in group A. Copper did not change. Lead rose.")
    (whole, first, second), _ = held(dialogue, TOO_LONG, GOOD)
    assert first.variables["paragraph"] == "Zinc fell. Iron rose by 3.5 mg in group A."
    assert second.variables["paragraph"] == "Copper did not change. Lead rose."
    assert first.key == second.key == "p1"
    assert first.messages[0] == whole.messages[0]
    assert first.messages[1].content.endswith("Paragraph:\nZinc fell. Iron rose by 3.5 mg in group A.")
    assert [first.purpose, second.purpose] == ["part", "part"]


def test_a_single_sentence_cannot_be_divided():
    asked, outcome = held(ask("Zinc fell and iron rose"), TOO_LONG)
    assert len(asked) == 1
    assert (outcome.text, outcome.reason) == (None, "too_long")


@given(st.lists(st.sampled_from(["Zinc fell.", "Iron rose (p < 0.05).", "See Fig. 2!", "Why?"]), max_size=30))
def test_dividing_goes_on_until_sentences_are_left_and_loses_nothing(sentences):
    text = " ".join(sentences)
    asked, _ = held(ask(text), *[TOO_LONG] * 100)
    shown = [request.variables["paragraph"] for request in asked]
    leaves = [paragraph for paragraph in shown if len(held(ask(paragraph), TOO_LONG)[0]) == 1]
    assert " ".join(leaves) == text


def test_the_replies_to_the_halves_become_one():
    more = '[{"question": "r?", "evidence": "µ", "answer": "b."}]'
    _, outcome = held(ask(), TOO_LONG, GOOD, more)
    assert [triplet.evidence for triplet in outcome.value.triplets] == ["e", "µ"]
    assert outcome.text == (
        '{"pairs": [{"question": "q?", "evidence": "e", "answer": "a."}, '
        '{"question": "r?", "evidence": "µ", "answer": "b."}]}'
    )
    assert outcome.parts == 2


def test_a_reply_cut_at_the_token_limit_has_a_reason_of_its_own():
    paragraphs = pl.DataFrame(
        [{"paragraph_id": f"p{n}", "batch": "b", "paper_id": "x", "section_id": "s"} for n in range(4)]
    )
    replies = [
        ModelReply("p3", GOOD[:-2], None, truncated=True),
        ModelReply("p1", '{"pairs": [{"quest', None, truncated=True),
        ModelReply("p2", None, "http_400"),
        ModelReply("p0", "no", None),
    ]
    frame = extractions_of(map(SINGLE_HOP.outcome, replies), paragraphs, SentenceModel())
    assert frame.select("paragraph_id", "status", "rejection_reason", "pairs").rows() == [
        ("p0", "rejected", "malformed_reply", 0),
        ("p1", "rejected", "length_limit", 0),
        ("p2", "rejected", "http_400", 0),
        ("p3", "answered", None, 2),
    ]
