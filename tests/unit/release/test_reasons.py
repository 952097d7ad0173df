"""What is said of items that are not in a release."""

from aimsciqa_assets.release.reasons import left_out_by_gates, said
from aimsciqa_assets.settings.sections import ReleaseSettings


def test_each_reason_is_a_sentence_and_the_most_frequent_one_comes_first():
    counts = {
        "failed_no_duplicate": 1,
        "failed_closed_book": 1200,
        "failed_unique_retrieval": 4,
        "rejected_in_review": 3,
        "disputed_in_review": 1,
        "not_accepted_in_review": 5,
    }
    assert said(counts.items()) == [
        "1,200 were answered right without any paper",
        "5 were not accepted by a reviewer",
        "4 have a target that fewer than two retrievers rank first in its cluster",
        "3 were rejected in review",
        "1 is disputed among reviewers",
        "1 asks nearly the same as an earlier item, or of the same facts",
    ]


def test_a_paper_counts_whatever_its_role_and_an_unknown_reason_is_told_as_it_is():
    counts = [
        ("source_no_derivatives", 1),
        ("target_no_derivatives", 1),
        ("turn_2_text_mining_only", 1),
        ("source_retracted", 4),
        ("target_gone", 3),
        ("answer_text_gone", 6),
        ("question_text_licence_unknown", 1),
        ("of_another_kind", 1),
    ]
    assert said(counts) == [
        "6 were made from a text that may not be read any more",
        "4 rest on a paper that was retracted",
        "3 rest on a paper that is not in the corpus any more",
        "2 rest on a paper whose licence forbids derivatives",
        "1: of another kind",
        "1 was made from a text whose licence is not known",
        "1 rests on a paper whose licence allows text mining only",
    ]


def test_each_gate_that_a_release_applies_is_named_with_what_it_left_out():
    assert left_out_by_gates(ReleaseSettings().gates, {"failed_no_duplicate": 22, "leaks_into_test": 1}) == (
        "Quality gates that no item here failed, with the accepted items that each left out: "
        "`single_document` left out 0; `closed_book` left out 0; `no_duplicate` left out 22; "
        "`relabelling` left out 0. What a gate could not decide passed."
    )
    assert left_out_by_gates("", {}) == "No quality gate was applied: items that fail one are in the release."
