"""What models reply: answers, markers and marks, in whatever wrapping."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa.measures.answers import declines
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.benchmark.answering.replies import SCORES, read_score, read_text


@pytest.mark.parametrize(
    ("reply", "mark"),
    [
        ('{"selection": "1"}', 1.0),
        ('{"selection": "0.5"}', 0.5),
        ('{"selection": "0"}', 0.0),
        ('{"selection": 0.5}', 0.5),
        ('```json\n{"selection": "1"}\n```', 1.0),
        ('<think>{"selection": "0"} or not?</think>\nI say {"selection": "1"}.', 1.0),
        ('The mark: {"reason": {"why": "x"}, "selection": "0.5"} {"selection": "0"}', "ambiguous_reply"),
        ('Draft: {"selection": "0"}\nFinal mark: {"selection": "0.5"}', 0.5),
        ('{"selection": "0.5"} and again {"selection": "0.5"}', 0.5),
        ("{'selection': '0.5'}", 0.5),
        ('{selection: 1, "because": "all of it"}', 1.0),
        ('{"selection": "1",}', 1.0),
        ('{"selection": "0.75"}', None),
        ('{"selection": "2"}', None),
        ('{"selection": true}', None),
        ('{"selection": null}', None),
        ('{"selection": 1e999}', None),
        ('{"mark": "1"}', None),
        ("selection: 1", None),
        ("1", None),
        ("", None),
        ("{" * 100_000, None),
    ],
)
def test_a_mark_is_read_from_the_braces_that_hold_it(reply, mark):
    read = read_score(reply)
    if isinstance(read, Fault):
        read = None if read.reason == "malformed_reply" else read.reason
    assert read == mark


@given(st.text())
def test_no_reply_makes_the_reading_of_a_mark_fail(reply):
    mark, answer = read_score(reply), read_text(reply, "answer")
    assert mark in SCORES or isinstance(mark, Fault)
    assert isinstance(answer, str | Fault)


@given(
    st.sampled_from(["1", "0.5", "0"]),
    st.text(alphabet=st.characters(exclude_characters="{}<>", exclude_categories=["Cs"])),
    st.text(alphabet=st.characters(exclude_categories=["Cs"])),
    st.booleans(),
)
def test_a_mark_survives_whatever_stands_around_it(mark, before, reason, fenced):
    written = json.dumps({"reason": reason, "selection": mark})
    reply = f"{before}\n```json\n{written}\n```" if fenced else f"{before}{written}"
    assert read_score(reply) == float(mark) or "<" in reason


def test_texts_are_read_without_outer_blanks_and_numbers_as_they_are():
    assert read_text('Sure. {"answer": " Zinc fell. "}', "answer") == "Zinc fell."
    assert read_text('{"marker": 4}', "marker") == "4"
    assert read_text('{"answer": ""}', "answer") == ""
    assert read_text('{"answer": "line\nline"}', "answer") == "line\nline"
    for reply in ('{"answer": ["a"]}', '{"answer": "\\ud800"}', '{"answer": "cut o'):
        assert read_text(reply, "answer").reason == "malformed_reply"


@pytest.mark.parametrize(
    ("answer", "declined"),
    [
        ("I cannot tell.", True),
        ("I cannot tell without the papers.", True),
        ("I can’t tell", True),
        ('"I cannot tell."', True),
        ("I cannot tell. Zinc fell by 3 mg.", False),
        ("Zinc fell; the rest I cannot tell.", False),
        ("", False),
    ],
)
def test_an_answer_that_only_declines_is_none(answer, declined):
    assert declines(answer) == declined
