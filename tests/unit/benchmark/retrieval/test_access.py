"""Evidence accessibility of the stored rankings: gold of several papers, queries without gold or result."""

import polars as pl
import pytest

from aimsciqa_assets.benchmark.retrieval.access import access_rows

QUERIES = pl.DataFrame(
    [
        ("both", "bridge", ["A", "B"]),
        ("one", "bridge", ["A", "B"]),
        ("lost", "bridge", ["A", "B"]),
        ("bare", "bridge", []),
        ("other", "im", ["C"]),
    ],
    schema={"item_id": pl.String, "variant": pl.String, "gold": pl.List(pl.String)},
    orient="row",
)
FOUND = {"both": ["A", "B", "X"], "one": ["X", "A", "Y"], "lost": [], "other": ["X", "C"]}


def rankings(found=FOUND, retriever: str = "bm25") -> pl.DataFrame:
    rows = [{"retriever": retriever, "item_id": item, "papers": papers} for item, papers in found.items()]
    return pl.DataFrame(rows, schema_overrides={"papers": pl.List(pl.String)})


def rows_of(frame: pl.DataFrame, missing: str = "zero", **clusters: str) -> dict[tuple[str, str], dict]:
    rows = access_rows(frame, QUERIES, missing=missing, clusters=clusters, resamples=200, seed=1)
    return {(row["variant"], row["measure"]): row for row in rows}


def test_what_is_missing_counts_as_nothing_or_is_skipped_and_is_counted():
    zero, skipped = rows_of(rankings()), rows_of(rankings(), "skip")
    assert len(zero) == 2 * 7
    counts = ("queries", "without_gold", "without_ranking", "missing")
    assert [zero["bridge", "MAP"][name] for name in counts] == [4, 1, 1, "zero"]
    assert [skipped["bridge", "MAP"][name] for name in counts] == [2, 1, 1, "skip"]
    assert zero["bridge", "Recall@5"]["value"] == pytest.approx((1 + 1 / 2) / 4)
    assert skipped["bridge", "Recall@5"]["value"] == pytest.approx((1 + 1 / 2) / 2)
    assert skipped["bridge", "MAP"]["value"] == pytest.approx((1 + 1 / 4) / 2)
    assert skipped["bridge", "Support F1"]["value"] == pytest.approx((4 / 5 + 2 / 5) / 2)
    assert zero["im", "MAP"]["value"] == skipped["im", "MAP"]["value"] == 1 / 2


def test_intervals_hold_the_means_and_are_drawn_over_clusters():
    row = rows_of(rankings())["bridge", "Recall@5"]
    assert row["low"] <= row["value"] <= row["high"]
    assert row["low"] < row["high"]
    alone = rows_of(rankings(), both="a", one="a", lost="a", bare="a")["bridge", "Recall@5"]
    assert (alone["low"], alone["high"]) == (None, None)


def test_where_no_query_counts_the_means_are_unknown():
    nothing = {item: [] for item in FOUND}
    row = rows_of(rankings(nothing), "skip")["im", "MAP"]
    assert (row["value"], row["low"], row["queries"], row["without_ranking"]) == (None, None, 0, 1)


def test_a_retriever_that_ranked_other_queries_has_no_rows():
    assert rows_of(rankings({"both": ["A"]}, "earlier")) == {}
