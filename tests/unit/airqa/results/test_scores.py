"""Scores, intervals, pass^k and comparisons, against numbers worked out by hand."""

import polars as pl
import pytest

from aimsciqa_assets.airqa.results.scores import comparison_rows, pass_k, score_rows

TAGS = {
    "a": ["single", "text", "objective"],
    "b": ["single", "table", "text", "objective"],
    "c": ["retrieval", "text", "objective"],
    "d": ["single", "text", "subjective"],
}


def verdicts(*rows):
    """Each row: run, repeat, example, score, and what differs from an answer that rules scored."""
    plain = {
        "judge": None,
        "stand_in": False,
        "reason": None,
        "turns": 2,
        "tokens": 100,
        "seconds": 1.5,
        "cost": 0.25,
        "actions": 2,
        "wrong_actions": 0,
    }
    names = ("run_id", "repeat", "example_id", "score")
    return pl.DataFrame(
        [dict(zip(names, row[:4], strict=True)) | plain | (row[4] if len(row) > 4 else {}) for row in rows],
        schema_overrides={"judge": pl.String, "reason": pl.String, "score": pl.Int32, "cost": pl.Float64},
    )


def scores(frame, clusters=None):
    return list(score_rows(frame, TAGS, clusters=clusters or {}, resamples=2000, seed=1))


def test_wrong_actions_are_a_share_of_all_actions():
    (*_, total) = scores(
        verdicts(
            ("r", 1, "a", 1, {"actions": 6, "wrong_actions": 1}),
            ("r", 1, "b", 1, {"actions": 2, "wrong_actions": 1}),
            ("r", 1, "d", 0, {"actions": None, "wrong_actions": None}),
        )
    )
    assert total["error_action_rate"] == 0.25
    (*_, reading) = scores(verdicts(("r", 1, "a", 1, {"actions": 0})))
    assert reading["error_action_rate"] is None


def test_a_row_for_each_tag_and_one_for_all():
    rows = scores(
        verdicts(
            ("r", 1, "a", 1),
            ("r", 1, "b", 0),
            ("r", 1, "c", 1),
            ("r", 1, "d", 0, {"reason": "no_answer", "turns": 0, "tokens": 0, "seconds": 0.0, "cost": None}),
        )
    )
    assert [(row["family"], row["tag"], row["count"], row["correct"], row["score"]) for row in rows] == [
        ("type", "single", 3, 1, pytest.approx(1 / 3)),
        ("type", "retrieval", 1, 1, 1.0),
        ("element", "text", 4, 2, 0.5),
        ("element", "table", 1, 0, 0.0),
        ("evaluation", "objective", 3, 2, pytest.approx(2 / 3)),
        ("evaluation", "subjective", 1, 0, 0.0),
        ("total", "total", 4, 2, 0.5),
    ]
    assert rows[-1] == {
        "run_id": "r",
        "family": "total",
        "tag": "total",
        "count": 4,
        "clusters": 4,
        "repeats": 1,
        "answers": 4,
        "correct": 2,
        "score": 0.5,
        "low": pytest.approx(0.15003898915214953),
        "high": pytest.approx(0.8499610108478505),
        "pass_k": [0.5],
        "failed": 1,
        "judged": 0,
        "stand_in": 0,
        "turns": 1.5,
        "tokens": 75.0,
        "seconds": 1.125,
        "cost": 0.1875,
        "error_action_rate": 0.0,
    }


def test_judged_answers_and_answers_without_a_price_are_counted_as_such():
    lexical = {"judge": "lexical", "stand_in": True, "cost": None}
    (*_, total) = scores(verdicts(("r", 1, "a", 1, lexical), ("r", 1, "b", 1, {"judge": "j", "cost": None})))
    assert (total["judged"], total["stand_in"], total["cost"]) == (2, 1, None)


def test_an_answer_whose_example_is_gone_is_not_counted():
    (*_, total) = scores(verdicts(("r", 1, "a", 1), ("r", 1, "gone", None, {"reason": "no_example"})))
    assert (total["count"], total["score"]) == (1, 1.0)


def test_repeated_answers_count_as_one_example_and_give_pass_k():
    given = {"a": (1, 1, 1, 1), "b": (1, 1, 0, 0), "c": (0, 0, 0, 0), "d": (1, 0, 1, 1)}
    rows = [("r", n, example, value) for example, of in given.items() for n, value in enumerate(of, 1)]
    (*_, total) = scores(verdicts(*rows))
    assert (total["count"], total["repeats"], total["answers"], total["correct"]) == (4, 4, 16, 9)
    assert total["score"] == 9 / 16
    # C(4,k)/C(4,k), C(2,k)/C(4,k), 0 and C(3,k)/C(4,k), on average.
    assert total["pass_k"] == pytest.approx(
        [9 / 16, (1 + 1 / 6 + 0 + 1 / 2) / 4, (1 + 0 + 0 + 1 / 4) / 4, 1 / 4]
    )
    # Whole examples are drawn: 16 independent answers would give an interval half as wide.
    assert (total["low"], total["high"]) == (pytest.approx(0.1875, abs=0.07), pytest.approx(0.9375, abs=0.07))


def test_examples_about_the_same_paper_are_drawn_together():
    rows = verdicts(("r", 1, "a", 1), ("r", 1, "b", 1), ("r", 1, "c", 0), ("r", 1, "d", 0))
    (*_, apart), (*_, total) = scores(rows), scores(rows, {"a": "p", "b": "p", "c": "q", "d": "q"})
    assert (total["clusters"], total["score"]) == (2, 0.5)
    # Each draw takes two papers: both right, both wrong, or one of each.
    assert (total["low"], total["high"]) == (0.0, 1.0)
    assert apart["low"] > 0.1
    (*_, alone) = scores(rows, dict.fromkeys("abcd", "p"))
    assert (alone["clusters"], alone["low"], alone["high"]) == (1, None, None)


def test_where_all_are_right_the_interval_is_over_the_papers():
    rows = verdicts(*(("r", 1, one, 1) for one in "abcd"))
    (*_, apart), (*_, total) = scores(rows), scores(rows, {"a": "p", "b": "p", "c": "p"})
    assert (total["clusters"], total["high"]) == (2, 1.0)
    assert total["low"] == pytest.approx(0.3424, abs=1e-4)  # Wilson's of 2 of 2
    assert apart["low"] == pytest.approx(0.5101, abs=1e-4)  # and of 4 of 4


def test_differences_of_a_paper_have_the_same_sign():
    examples = [f"e{n}" for n in range(8)]
    rows = [("good", 1, one, 1) for one in examples] + [("bad", 1, one, 0) for one in examples[:-1]]
    rows.append(("bad", 1, "e7", 1))
    clusters = {one: str(n // 2) for n, one in enumerate(examples)}
    (pair,) = comparison_rows(verdicts(*rows), {}, clusters=clusters, resamples=2000, seed=1)
    assert (pair["examples"], pair["clusters"], pair["difference"]) == (8, 4, -7 / 8)
    # Four papers have 16 combinations of signs.
    assert pair["p_value"] == pytest.approx(2 / 16)


def test_pass_k_ends_at_the_fewest_answers():
    assert pass_k([2, 1], [2, 3]) == pytest.approx([(1 + 1 / 3) / 2, (1 + 0) / 2])
    assert pass_k([], []) == []


def test_runs_are_compared_on_the_examples_that_both_answered():
    examples = [f"e{n}" for n in range(8)]
    tags = {one: ["single"] for one in examples[:6]} | {one: ["multiple"] for one in examples[6:]}
    rows = [("good", 1, one, 1) for one in examples]
    rows += [("bad", 1, one, int(n == 0)) for n, one in enumerate(examples)]
    rows += [("few", 1, "e0", 0), ("few", 1, "other", 1)]
    found = list(comparison_rows(verdicts(*rows), tags, clusters={}, resamples=2000, seed=1))
    total = {(row["run_id"], row["other"]): row for row in found if row["tag"] == "total"}
    assert [*total] == [("bad", "few"), ("bad", "good"), ("few", "good")]
    pair = total["bad", "good"]
    assert (pair["examples"], pair["better"], pair["worse"]) == (8, 0, 7)
    assert pair["difference"] == -7 / 8
    # All 128 combinations of the seven signs: two are as far from 0 as what was seen.
    assert pair["p_value"] == pytest.approx(2 / 128)
    assert pair["p_adjusted"] == pytest.approx(3 * 2 / 128)
    assert pair["low"] < -7 / 8 < pair["high"] <= 0
    few = total["bad", "few"]
    assert (few["examples"], few["difference"], few["p_value"], few["low"]) == (1, 1.0, 1.0, None)
    types = [
        (row["tag"], row["examples"]) for row in found if row["other"] == "good" and row["run_id"] == "bad"
    ]
    assert types == [("total", 8), ("single", 6), ("multiple", 2)]


def test_no_answers_give_no_rows():
    empty = verdicts(("r", 1, "a", 1)).clear()
    assert scores(empty) == []
    assert list(comparison_rows(empty, TAGS, clusters={}, resamples=100, seed=1)) == []
