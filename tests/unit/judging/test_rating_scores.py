"""What judges together say of items: means over runs, judges and items, by kind and by what was shown."""

import polars as pl
import pytest

from aimsciqa_assets.judging.scores import rating_score_rows

VARIANTS = {"1": "bridge", "2": "bridge", "3": "im"}
SCHEMA = {
    "judge": pl.String,
    "item_id": pl.String,
    "run": pl.Int32,
    "dimension": pl.String,
    "score": pl.Int32,
    "shown": pl.String,
}
RATINGS = pl.DataFrame(
    [
        ("a", "1", 1, "fluency", 1, "segments"),
        ("a", "1", 2, "fluency", 3, "segments"),
        ("b", "1", 1, "fluency", 5, "segments"),
        ("b", "1", 1, "clarity", 3, "segments"),
        ("a", "2", 1, "fluency", 4, "segments"),
        ("b", "2", 1, "fluency", None, "segments"),
        ("a", "1", 1, "multi_hop", 1, "segments"),
        ("b", "1", 1, "multi_hop", 0, "segments"),
        ("a", "2", 1, "multi_hop", 1, "segments"),
        ("b", "2", 1, "multi_hop", 1, "segments"),
        ("a", "3", 1, "fluency", 2, None),
        ("a", "gone", 1, "fluency", 1, "segments"),
    ],
    schema=SCHEMA,
    orient="row",
)


def scores(judges: str = "ab", **clusters: str) -> dict[tuple[str, str], dict]:
    rows = rating_score_rows(RATINGS, VARIANTS, list(judges), clusters=clusters, resamples=200, seed=1)
    return {(row["variant"], row["dimension"]): row for row in rows}


def test_judges_are_averaged_before_items():
    found = scores()
    fluency = found["bridge", "fluency"]
    # Item 1: (2 + 5) / 2; item 2: 4 by one judge.
    assert (fluency["value"], fluency["items"], fluency["judges"]) == (pytest.approx(3.75), 2, 2)
    assert fluency["low"] <= 3.75 <= fluency["high"]
    # Item 1: a says 2 overall, b the mean of 5 and 3.
    assert found["bridge", "overall"]["value"] == pytest.approx(((2 + 4) / 2 + 4) / 2)
    # Three of four times Yes.
    assert found["bridge", "multi_hop"]["value"] == 0.75


def test_only_the_judges_that_count_are_averaged():
    fluency = scores("a")["bridge", "fluency"]
    assert (fluency["value"], fluency["judges"]) == (3.0, 1)
    assert scores("") == {}


def test_items_of_a_cluster_are_drawn_together_and_old_rows_showed_paragraphs():
    assert scores(**{"1": "c", "2": "c"})["bridge", "fluency"]["low"] is None
    assert scores()["im", "fluency"]["shown"] == "paragraphs"
