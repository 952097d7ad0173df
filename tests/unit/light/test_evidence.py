"""Evidence accessibility: the reference cases, `ir_measures`, and what is missing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa.measures.evidence import (
    REPORTED,
    average_precision,
    evidence_access,
    ndcg,
    recall,
    support_f1,
    target_rank,
)
from aimsciqa.measures.ranking import query_values
from tests.reference_cases import all_cases

MEASURES = {"map": average_precision, "recall": recall, "ndcg": ndcg, "support_f1": support_f1}


@pytest.mark.parametrize("case", all_cases("hopweaver-retrieval-metrics"))
def test_the_reference_cases(case):
    gold, ranking, expected = case["relevant"], case["retrieved"], dict(case["expected"])
    reported = expected.pop("reported")
    rank = expected.pop("find_target_document_rank", None)
    found = {
        f"{name}@{k}": measure(gold, ranking, k)
        for name, measure in MEASURES.items()
        for k in (1, 3, 5, 10, 20)
    }
    assert found == pytest.approx(expected, rel=0, abs=1e-9)
    of_table = {name.lower().replace(" ", "_"): value(gold, ranking) for name, value in REPORTED.items()}
    assert of_table == pytest.approx(reported, rel=0, abs=1e-9)
    assert target_rank(gold, ranking) == rank


def test_literals():
    gold, ranking = ["s", "t"], ["x", "t", "y", "s"]
    assert average_precision(gold, ranking, 10) == (1 / 2 + 2 / 4) / 2
    assert average_precision(gold, ranking, 3) == 1 / 4
    assert recall(gold, ranking, 2) == 1 / 2
    assert ndcg(gold, ranking, 1) == 0
    assert ndcg(gold, ["t", "s"], 1) == 1
    assert support_f1(gold, ranking, 10) == pytest.approx(2 * (2 / 4) * 1 / (2 / 4 + 1))
    assert [target_rank(gold, one) for one in (ranking, ["s"], [])] == [2, 2, 1]


def test_what_is_listed_twice_counts_twice_as_gold_and_once_as_found():
    assert recall(["a", "a"], ["a", "x"], 5) == 1 / 2
    assert recall(["a"], ["a", "a"], 5) == 1
    assert average_precision(["a", "b"], ["a", "a", "b"], 5) == pytest.approx((1 + 2 / 3) / 2)


@given(
    st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1, max_size=4),
    st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), unique=True, min_size=1, max_size=26),
)
def test_any_ranking_has_the_measures_of_ir_measures(gold, ranking):
    names = [name for name in REPORTED if name != "MAP"]
    theirs = query_values({"i": ranking}, {"i": gold}, names)
    assert {name: REPORTED[name](gold, ranking) for name in names} == pytest.approx(
        {name: theirs[name][0] for name in names}, abs=1e-9
    )
    precision = query_values({"i": ranking[:10]}, {"i": gold}, ["MAP"])["MAP"][0]
    assert REPORTED["MAP"](gold, ranking) == pytest.approx(precision, abs=1e-9)


@pytest.mark.parametrize("hits", [0, 1, 2])
def test_support_f1_of_two_gold_documents_is_a_third_of_the_recall(hits):
    ranking = [*["s", "t"][:hits], *"abcdefghijkl"][:12]
    assert support_f1(["s", "t"], ranking, 10) == pytest.approx(recall(["s", "t"], ranking, 10) / 3)


def test_what_is_missing_scores_nothing_or_does_not_count():
    gold = {"found": ["a", "b"], "no gold": [], "no result": ["a"], "not asked": ["a"]}
    rankings = {"found": ["a", "b"], "no gold": ["a"], "no result": [], "other": ["x"]}
    zero, skipped = evidence_access(gold, rankings), evidence_access(gold, rankings, "skip")
    assert (zero.counted, zero.without_gold, zero.without_ranking) == (4, 1, 2)
    assert (skipped.counted, skipped.without_gold, skipped.without_ranking) == (1, 1, 2)
    assert (zero.means["Recall@5"], skipped.means["Recall@5"]) == (0.25, 1)
    assert list(zero.means) == [
        "MAP",
        "Recall@5",
        "Recall@10",
        "Recall@20",
        "nDCG@5",
        "nDCG@10",
        "Support F1",
    ]


def test_no_questions_have_no_means():
    assert evidence_access({"i": []}, {}, "skip").means["MAP"] is None
    assert evidence_access({}, {}).counted == 0
