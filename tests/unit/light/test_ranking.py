import json
import math

import pytest

from aimsciqa.measures.ranking import MEASURES, measures_for, query_values
from tests.reference_cases import cases
from tests.unit.benchmark.retrieval.ranx_values import CUTOFFS, STORED, drawn, measures_of_ranx


def values(rankings: dict[str, list[str]], gold: dict[str, str]) -> dict[str, list[float]]:
    golds = {item: [paper] for item, paper in gold.items()}
    return {name: found.tolist() for name, found in query_values(rankings, golds, list(MEASURES)).items()}


def closed_forms(rank: int | None, papers: int) -> dict[str, float]:
    """The measures of a ranking with one gold paper at this place, by their definitions."""
    forms = {
        "Hit": lambda k: float(rank <= k),
        "Recall": lambda k: float(rank <= k),
        "MRR": lambda k: 1 / rank if rank <= k else 0.0,
        "nDCG": lambda k: 1 / math.log2(rank + 1) if rank <= k else 0.0,
    }
    expected = {
        f"{name}@{k}": forms[name](k) if rank else 0.0 for name, cutoffs in CUTOFFS.items() for k in cutoffs
    }
    support = 2 / (1 + min(10, papers)) if rank and rank <= 10 else 0.0
    return expected | {"MAP": 1 / rank if rank else 0.0, "Support F1": support}


def test_a_thousand_rankings_have_the_measures_of_the_definitions():
    rankings, gold = drawn(1000)
    found = values(rankings, gold)
    for place, (item, papers) in enumerate(rankings.items()):
        rank = papers.index(gold[item]) + 1 if gold[item] in papers else None
        expected = closed_forms(rank, len(papers))
        assert {name: found[name][place] for name in MEASURES} == pytest.approx(expected, abs=1e-9)


def test_a_hundred_rankings_have_the_stored_measures_of_ranx():
    rankings, gold = drawn(100)
    found, theirs = values(rankings, gold), json.loads(STORED.read_text())
    assert set(theirs) == set(found)
    for name in theirs:
        assert found[name] == pytest.approx(theirs[name], abs=1e-9), name


@pytest.mark.nightly
def test_a_thousand_rankings_have_the_measures_of_ranx():
    rankings, gold = drawn(1000)
    found, theirs = values(rankings, gold), measures_of_ranx(rankings, gold)
    assert set(theirs) == set(found)
    for name in theirs:
        assert found[name] == pytest.approx(theirs[name], abs=1e-9), name


@pytest.mark.nightly
def test_the_stored_measures_are_those_of_ranx():
    stored = json.loads(STORED.read_text())
    assert {name: pytest.approx(found) for name, found in measures_of_ranx(*drawn(100)).items()} == stored


@pytest.mark.parametrize("case", cases("hit_mrr"))
def test_hit_and_mrr_of_the_reference_cases(case):
    found = values({"i": case["input"]["ranking"]}, {"i": case["input"]["gold"]})
    expected = {name.replace("hit", "Hit").replace("mrr", "MRR"): v for name, v in case["expected"].items()}
    assert {name: found[name][0] for name in expected} == pytest.approx(expected)


def test_what_says_nothing_of_so_few_papers_is_left_out():
    of_thirty = measures_for("cluster", 30)
    assert "Hit@50" not in of_thirty
    assert "MRR@50" not in of_thirty
    assert {"Hit@1", "Hit@3", "Hit@5", "MRR@5", "MAP", "Recall@20", "nDCG@10", "Support F1"} <= set(of_thirty)
    assert measures_for("cluster", 3) == ["Hit@1", "MRR@5", "MAP"]
    assert measures_for("full", 43)[-1] == "Support F1"
    assert "MRR@50" in measures_for("full", 43)
    assert measures_for("full", 8000) == list(MEASURES)


def test_no_rankings_have_no_values():
    assert values({}, {})["Hit@1"] == []
