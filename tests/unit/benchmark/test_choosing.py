import polars as pl
import pytest

from aimsciqa_assets.benchmark.answering.choosing import (
    UnknownMeasureError,
    is_chosen,
    realistic_retriever,
)
from aimsciqa_assets.benchmark.samples import sampled

QUERIES = pl.DataFrame(
    [{"item_id": f"i{n}", "variant": "im" if n < 8 else "cim"} for n in range(12)],
)
GOLD = {"i1": ["T"], "i2": ["T"], "i3": ["T"]}


def ranked(retriever, *places, setting="cluster"):
    return [
        {
            "retriever": retriever,
            "item_id": item,
            "setting": setting,
            "papers": [*(f"P{n}" for n in range(place - 1)), "T"],
        }
        for item, place in zip(GOLD, places, strict=False)
    ]


def test_a_sample_has_so_many_items_of_each_kind_and_stays_the_same():
    chosen = sampled(QUERIES, 3, seed=1)
    assert chosen.group_by("variant").len().sort("variant").rows() == [("cim", 3), ("im", 3)]
    assert sampled(QUERIES.reverse(), 3, seed=1)["item_id"].sort().equals(chosen["item_id"].sort())
    assert sampled(QUERIES, 3, seed=2)["item_id"].to_list() != chosen["item_id"].to_list()
    larger = sampled(QUERIES, 4, seed=1)["item_id"]
    assert set(chosen["item_id"]) < set(larger)
    assert sampled(QUERIES, 0, seed=1).height == sampled(QUERIES, 100, seed=1).height == 12


def test_settings_are_chosen_by_their_names():
    assert [one for one in ("oracle", "source_only", "third_only", "citation") if is_chosen(one, "")] == [
        "oracle",
        "source_only",
        "third_only",
        "citation",
    ]
    assert is_chosen("source_only", "oracle alone")
    assert not is_chosen("source_only", "oracle")
    assert not is_chosen("citation", "oracle realistic")


def test_the_best_retriever_is_that_with_the_highest_mean_of_a_measure():
    frame = pl.DataFrame([*ranked("a", 1, 9, 9), *ranked("b", 2, 2, 2), *ranked("c", 1, 1, 9)[:2]])
    names = ["a", "b", "c"]
    assert realistic_retriever("best", names, frame, GOLD) == "a"
    assert realistic_retriever("best:MRR@5", names, frame, GOLD) == "b"
    assert realistic_retriever("best", ["b", "c"], frame, GOLD) == "b"
    assert realistic_retriever("", names, frame, GOLD) == "a"
    assert realistic_retriever("c", names, frame, GOLD) == "c"
    assert realistic_retriever("best", names, frame.clear(), GOLD) == "a"
    assert realistic_retriever("best", [], frame, GOLD) is None


def test_an_item_without_a_cluster_counts_by_its_ranking_among_all_papers():
    full = [*ranked("a", 1, 1, 1, setting="full"), *ranked("b", 2, 2, 2, setting="full")]
    frame = pl.DataFrame([*full, *ranked("a", 3), *ranked("b", 1)])
    assert realistic_retriever("best", ["b", "a"], frame, GOLD) == "a"


def test_a_measure_that_there_is_not_is_refused_with_the_list():
    with pytest.raises(UnknownMeasureError, match=r"REALISTIC_RETRIEVER: there is no measure 'Hit'; .*Hit@1"):
        realistic_retriever("best:Hit", ["a"], pl.DataFrame(ranked("a", 1, 1, 1)), GOLD)
