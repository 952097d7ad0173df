import polars as pl
import pytest

from aimsciqa_assets.benchmark.retrieval.scores import comparison_rows, score_rows

ITEMS = [f"i{number}" for number in range(8)]
GOLD = {item: ["P0"] for item in ITEMS}


def rankings(
    retriever: str, ranks: list[int], candidates: int = 30, setting: str = "cluster"
) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "retriever": retriever,
                "item_id": item,
                "variant": "im",
                "setting": setting,
                "candidates": candidates,
                "rank": rank,
                "papers": [*(f"P{place}" for place in range(1, rank)), "P0"],
            }
            for item, rank in zip(ITEMS, ranks, strict=False)
        ]
    )


def scores(frame: pl.DataFrame, gold: dict[str, list[str]] = GOLD) -> dict[tuple[str, str], dict]:
    return {
        (row["retriever"], row["measure"]): row
        for row in score_rows(frame, gold, clusters={}, resamples=500, seed=1)
    }


def test_a_measure_is_a_mean_with_an_interval_over_its_queries():
    found = scores(rankings("a", [1, 1, 1, 1, 2, 2, 4, 6]))
    assert found["a", "Hit@1"]["value"] == 0.5
    assert found["a", "Hit@3"]["value"] == 0.75
    assert found["a", "MRR@5"]["value"] == pytest.approx((4 + 1 + 0.25) / 8)
    assert found["a", "MAP"]["value"] == pytest.approx((4 + 1 + 0.25 + 1 / 6) / 8)
    assert found["a", "Hit@1"]["low"] < 0.5 < found["a", "Hit@1"]["high"]
    assert {row["queries"] for row in found.values()} == {8}


def test_one_query_has_no_interval():
    found = scores(rankings("a", [1]), {"i0": ["P0"]})
    assert (found["a", "Hit@1"]["low"], found["a", "Hit@1"]["high"]) == (None, None)


def test_nothing_ranked_has_no_scores_and_nothing_to_compare():
    nothing = rankings("a", [1]).clear()
    assert scores(nothing) == {}
    assert list(comparison_rows(nothing, GOLD, clusters={}, resamples=500, seed=1)) == []


def test_a_retriever_that_was_run_on_other_queries_has_no_scores():
    old = rankings("old", [1, 1, 1])
    both = pl.concat([rankings("a", [1] * 8), old])
    assert {retriever for retriever, _ in scores(both)} == {"a"}
    assert list(comparison_rows(both, GOLD, clusters={}, resamples=500, seed=1)) == []


@pytest.mark.slow
def test_every_pair_is_compared_by_the_measures_of_the_setting():
    frame = pl.concat(
        [
            rankings("a", [1] * 8),
            rankings("b", [2] * 8),
            rankings("c", [1] * 8),
            rankings("a", [1] * 8, 400, "full"),
            rankings("b", [9] * 8, 400, "full"),
            rankings("c", [1] * 8, 400, "full"),
        ]
    )
    rows = {
        (row["retriever"], row["other"], row["setting"], row["measure"]): row
        for row in comparison_rows(frame, GOLD, clusters={}, resamples=500, seed=1)
    }
    assert {(setting, measure) for _, _, setting, measure in rows} == {
        ("cluster", "Hit@1"),
        ("cluster", "MRR@5"),
        ("full", "Hit@1"),
        ("full", "MRR@50"),
    }
    assert {(one, other) for one, other, _, _ in rows} == {("a", "b"), ("a", "c"), ("b", "c")}
    row = rows["a", "b", "cluster", "MRR@5"]
    assert (row["difference"], row["low"], row["high"], row["queries"]) == (0.5, 0.5, 0.5, 8)
    assert row["p_value"] == 2 / 2**8
    assert row["p_adjusted"] == 3 * 2 / 2**8
    same = rows["a", "c", "cluster", "Hit@1"]
    assert (same["difference"], same["p_value"], same["p_adjusted"]) == (0, 1, 1)
    assert rows["b", "c", "full", "MRR@50"]["difference"] == pytest.approx(1 / 9 - 1)


def test_items_that_share_a_fact_are_drawn_together():
    frame = pl.concat([rankings("a", [1, 1, 2, 2, 3, 3, 4, 4]), rankings("b", [2, 2, 1, 1, 1, 1, 1, 1])])
    twins = {item: f"i{number // 2 * 2}" for number, item in enumerate(ITEMS)}
    found = {
        (row["retriever"], row["measure"]): row
        for row in score_rows(frame, GOLD, clusters=twins, resamples=500, seed=1)
    }
    alone = scores(frame)
    row = found["a", "MRR@5"]
    assert (row["queries"], row["clusters"]) == (8, 4)
    assert row["value"] == alone["a", "MRR@5"]["value"]
    assert alone["a", "MRR@5"]["clusters"] == 8
    assert row["high"] - row["low"] > alone["a", "MRR@5"]["high"] - alone["a", "MRR@5"]["low"]
    (hit, _) = comparison_rows(frame, GOLD, clusters=twins, resamples=500, seed=1)
    assert (hit["measure"], hit["queries"], hit["clusters"]) == ("Hit@1", 8, 4)
    # Sums of the four twins: 2, -2, -2, -2. Of 16 signs, 10 give a sum as far from 0 as -4.
    assert hit["p_value"] == 10 / 16
