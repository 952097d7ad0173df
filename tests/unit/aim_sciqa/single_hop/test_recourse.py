"""What is asked when a reply cannot be read, or a paragraph is too long."""

import json

import polars as pl
from aimsciqa_resources.language_model import ModelReply
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.aim_sciqa.single_hop.extraction import extractions_of
from aimsciqa_assets.aim_sciqa.single_hop.replies import parse_triplets
from aimsciqa_assets.aim_sciqa.single_hop.requests import single_hop_request
from tests.fakes import SentenceModel

GOOD = '{"pairs": [{"question": "q?", "evidence": "e", "answer": "a."}]}'


def request(paragraph="One. Two."):
    return single_hop_request(
        "p1", paper_title="T", section_title="S", subsection="", keywords=[], paragraph=paragraph
    )


def test_a_readable_reply_needs_no_repair():
    asked = request()
    for reply in (GOOD, "[]", '{"pairs": []}', f"```json\n{GOOD}\n```", f"<think>?</think>{GOOD}"):
        assert asked.recourse.repaired(asked, reply) is None


def test_a_malformed_reply_is_shown_to_the_model_with_the_complaint():
    asked = request()
    again = asked.recourse.repaired(asked, "I found nothing.")
    assert again.messages[:2] == asked.messages
    assert [message.role for message in again.messages[2:]] == ["assistant", "user"]
    assert again.messages[2].content == "I found nothing."
    assert "cannot be used: it is not the JSON object" in again.messages[3].content
    assert again.reply_schema == asked.reply_schema
    assert again.recourse is None


def test_a_paragraph_is_divided_at_the_sentence_nearest_its_middle():
    asked = request("Zinc fell. Iron rose by 3.5 mg in group A. Copper did not change. Lead rose.")
    first, second = asked.division.halves(asked)
    assert first.variables["paragraph"] == "Zinc fell. Iron rose by 3.5 mg in group A."
    assert second.variables["paragraph"] == "Copper did not change. Lead rose."
    assert first.key == second.key == "p1"
    assert first.messages[0] == asked.messages[0]
    assert first.messages[1].content.endswith("Paragraph:\nZinc fell. Iron rose by 3.5 mg in group A.")


def test_a_single_sentence_cannot_be_divided():
    asked = request("Zinc fell and iron rose")
    assert asked.division.halves(asked) is None


@given(st.lists(st.sampled_from(["Zinc fell.", "Iron rose (p < 0.05).", "See Fig. 2!", "Why?"]), max_size=30))
def test_dividing_goes_on_until_sentences_are_left_and_loses_nothing(sentences):
    text = " ".join(sentences)

    def pieces(asked):
        halves = asked.division.halves(asked)
        return [asked.variables["paragraph"]] if halves is None else pieces(halves[0]) + pieces(halves[1])

    assert " ".join(pieces(request(text))) == text


def test_the_replies_to_the_halves_become_one():
    asked = request()
    more = '[{"question": "r?", "evidence": "µ", "answer": "b."}]'
    joined = asked.division.joined([GOOD, more])
    assert [triplet.evidence for triplet in parse_triplets(joined).triplets] == ["e", "µ"]
    assert json.loads(joined)["pairs"][0] == {"question": "q?", "evidence": "e", "answer": "a."}


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
    frame = extractions_of(replies, paragraphs, SentenceModel())
    assert frame.select("paragraph_id", "status", "rejection_reason", "pairs").rows() == [
        ("p0", "rejected", "malformed_reply", 0),
        ("p1", "rejected", "length_limit", 0),
        ("p2", "rejected", "http_400", 0),
        ("p3", "answered", None, 2),
    ]
