"""The discussion filter: which sentences of a review ask for something, and by which cue."""

from collections import Counter

import pytest

from aimsciqa_assets.scidqa.pairs.requests import CUES, LISTED, Request, cues_of, requests_of
from aimsciqa_assets.scidqa.pairs.sentences import note_sentences
from tests.reviews import ASKED, REVIEWS, labelled_reviews

REVIEW = """The paper is well written.

Questions:
- the choice of the prior
1. Does Eq. 3 hold for small $n$? I doubt it.
Minor: it is unclear how Fig. 3 was made, e.g. with
which data.
I recommend to accept this paper."""


def sentences(text):
    return [text[start:end] for start, end in note_sentences(text)]


def test_list_items_and_headings_end_a_sentence_and_hard_line_breaks_do_not():
    assert sentences(REVIEW) == [
        "The paper is well written.",
        "Questions:",
        "- the choice of the prior",
        "1. Does Eq. 3 hold for small $n$?",
        "I doubt it.",
        "Minor: it is unclear how Fig. 3 was made, e.g. with\nwhich data.",
        "I recommend to accept this paper.",
    ]
    assert sentences("> Why so?\nBecause (see Smith et al. 2019) it is.\n\nA: no") == [
        "> Why so?",
        "Because (see Smith et al. 2019) it is.",
        "A: no",
    ]


def test_no_character_of_a_review_is_outside_of_its_sentences():
    spans = note_sentences(REVIEW)
    between = [REVIEW[end:start] for (_, end), (start, _) in zip([(0, 0), *spans], spans, strict=False)]
    assert "".join(between).strip() == ""
    assert spans[-1][1] == len(REVIEW)


def test_requests_are_found_with_their_offsets_and_the_first_cue():
    found = requests_of(REVIEW)
    assert [(REVIEW[one.start : one.end][:12], one.cue) for one in found] == [
        ("- the choice", LISTED),
        ("1. Does Eq. ", "question_mark"),
        ("Minor: it is", "unclear"),
    ]
    assert requests_of("I doubt it. Why?") == [Request(12, 16, "question_mark")]


@pytest.mark.parametrize("cue", CUES, ids=lambda cue: cue.name)
def test_every_cue_finds_its_own_example(cue):
    (request,) = requests_of(cue.example)
    assert request.cue == cue.name


@pytest.mark.parametrize(
    "verdict",
    [
        "I think this paper should be accepted.",
        "I will raise my score if you explain this.",
        "Requests for clarification:",
        "The result is well explained.",
        "The bound (?) holds.",
    ],
)
def test_verdicts_and_headings_ask_for_nothing(verdict):
    assert requests_of(verdict) == []


def test_cues_are_counted_in_the_review_and_in_the_replies():
    replies = ["> the prior\nIt is flat.", "Q1: the prior\nA1: It is flat."]
    assert cues_of(requests_of("Why? What for?"), replies) == {
        "marked_in_reply": 2,
        "question_mark": 2,
        "quoted_in_reply": 1,
    }
    assert cues_of([], ["Thanks."]) == {}


@pytest.mark.skipif(not REVIEWS.is_dir(), reason="needs ../shared/corpora/reviews")
@pytest.mark.parametrize(("half", "precision"), [(0, 0.68), (1, 0.66)], ids=["tuning", "held_out"])
def test_nine_in_ten_labelled_questions_are_found_in_each_half(half, precision):
    labelled, recalled, taken = Counter(), Counter(), Counter()
    for one in labelled_reviews():
        if one.thread % 2 != half:
            continue
        found = requests_of(one.review)
        for label in one.requests:
            labelled[label.kind] += 1
            recalled[label.kind] += any(label.overlaps(request.start, request.end) for request in found)
        for request in found:
            taken[any(label.overlaps(request.start, request.end) for label in one.requests)] += 1
        assert found or not any(label.kind in ASKED for label in one.requests)
    assert sum(recalled[kind] for kind in ASKED) / sum(labelled[kind] for kind in ASKED) >= 0.9
    assert taken[True] / taken.total() >= precision
