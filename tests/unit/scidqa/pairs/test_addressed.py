"""Replies below the submission: which reviews they answer, from literals."""

import pytest

from aimsciqa_assets.scidqa.pairs.addressed import addressed, reviewer_of

REVIEWS = {"1": ["r1"], "2": ["r2"], "3": ["r3", "r3b"], "aB3d": ["rx"]}


@pytest.mark.parametrize(
    ("signature", "reviewer"),
    [
        ("ICLR.cc/2020/Conference/Paper0/AnonReviewer4", "4"),
        ("ICLR.cc/2024/Conference/Submission12/Reviewer_aB3d", "aB3d"),
        ("ICLR.cc/2020/Conference/Paper0/Authors", None),
    ],
)
def test_a_reviewer_is_known_by_the_signature(signature, reviewer):
    assert reviewer_of(signature) == reviewer


@pytest.mark.parametrize(
    ("title", "text", "found"),
    [
        ("Response to Reviewer 2", "As Reviewer 1 saw, it holds.", (["r2"], None)),
        ("Reply to AnonReviewer1 and AnonReviewer2", "", (["r1", "r2"], None)),
        ("Response to R1, R2", "", (["r1", "r2"], None)),
        ("To Reviewer aB3d", "", (["rx"], None)),
        ("Response", "Dear Reviewer 2,\nthe loss is convex.", (["r2"], None)),
        (None, "General.\n\n**Reviewer 1:** It is.\n\nReviewer #2: It is not.", (["r1", "r2"], None)),
        ("General response", "We agree with Reviewer 2 on this.", ([], "names_no_reviewer")),
        ("General response", "We thank all reviewers that wrote.", ([], "names_no_reviewer")),
        ("Response to Reviewer 7", "", ([], "names_unknown_reviewer")),
        ("Response to Reviewer 3", "", ([], "names_several_reviews")),
        ("Response to Reviewers 1 & 7", "", (["r1"], None)),
    ],
)
def test_a_reply_is_given_to_the_reviews_that_it_names(title, text, found):
    assert addressed(title, text, REVIEWS) == found
