import numpy as np
import polars as pl
import pytest

from aimsciqa.bm25 import ScoredSearch
from aimsciqa.documents import Documents
from aimsciqa_assets.benchmark.retrieval import rankings
from aimsciqa_assets.benchmark.retrieval.rankings import OutdatedQueriesError, ranking_rows

DOCUMENTS = Documents.of({f"P{number:02}": ["text"] for number in range(60)})


class ByNumber:
    """Scores a paper by its number, the higher the better; remembers how many queries came at a time."""

    def __init__(self) -> None:
        self.blocks: list[int] = []

    def search(self, queries):
        self.blocks.append(len(queries))
        return ScoredSearch(np.tile(np.arange(60.0), (len(queries), 1)))


def queries(count: int = 1, **columns) -> pl.DataFrame:
    row = {
        "variant": "im",
        "in_hand": ["P59"],
        "gold": ["P02"],
        "query": "which?",
        "cluster": ["P01", "P02", "P03"],
        "random_cluster": ["P02", "P40"],
    } | columns
    return pl.DataFrame([{"item_id": f"i{number}"} | row for number in range(count)])


def test_the_gold_paper_is_placed_among_cluster_random_cluster_and_all_but_the_source():
    cluster, random, full = ranking_rows("r", ByNumber(), DOCUMENTS, queries())
    assert cluster == {
        "retriever": "r",
        "item_id": "i0",
        "variant": "im",
        "setting": "cluster",
        "candidates": 3,
        "rank": 2,
        "papers": ["P03", "P02", "P01"],
        "scores": [3.0, 2.0, 1.0],
    }
    assert (random["setting"], random["rank"], random["papers"]) == ("random", 2, ["P40", "P02"])
    assert (full["setting"], full["candidates"], full["rank"]) == ("full", 59, 57)
    assert full["papers"] == [f"P{number:02}" for number in range(58, 8, -1)]


def test_a_source_that_is_no_document_takes_nobodys_place():
    *_, full = ranking_rows("r", ByNumber(), DOCUMENTS, queries(in_hand=["elsewhere"]))
    assert full["candidates"] == 60


def test_without_a_cluster_all_papers_are_ranked_and_the_first_of_several_gold_ones_counts():
    alone = queries(cluster=None, random_cluster=None, in_hand=[], gold=["P02", "P50"])
    (full,) = ranking_rows("r", ByNumber(), DOCUMENTS, alone)
    assert (full["setting"], full["candidates"], full["rank"]) == ("full", 60, 10)


def test_queries_are_looked_at_in_blocks(monkeypatch):
    monkeypatch.setattr(rankings, "_NUMBERS_AT_ONCE", 240)
    retriever, done = ByNumber(), []
    rows = list(ranking_rows("r", retriever, DOCUMENTS, queries(10), done.append))
    assert retriever.blocks == done == [4, 4, 2]
    assert [row["item_id"] for row in rows[::3]] == [f"i{number}" for number in range(10)]


def test_no_queries_are_no_rankings():
    retriever = ByNumber()
    assert list(ranking_rows("r", retriever, DOCUMENTS, queries().clear())) == []
    assert retriever.blocks == []


def test_queries_older_than_the_corpus_are_an_error_that_says_what_to_do():
    with pytest.raises(OutdatedQueriesError, match=r"such as gone: .* benchmark/queries"):
        list(ranking_rows("r", ByNumber(), DOCUMENTS, queries(cluster=["P02", "gone"])))
    with pytest.raises(OutdatedQueriesError, match="such as gone"):
        list(ranking_rows("r", ByNumber(), DOCUMENTS, queries(gold=["gone"], cluster=None)))
