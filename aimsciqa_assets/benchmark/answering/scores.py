"""Means of the answering benchmark with their intervals (Tables 7 and 8 of the paper)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

import polars as pl
from aimsciqa_resources.language_model.recorded import NOT_RECORDED

from aimsciqa.measures.resampling import bootstrap_intervals
from aimsciqa_assets.benchmark.answering.answers import DECLINED
from aimsciqa_assets.benchmark.answering.judging import SAME_FAMILY
from aimsciqa_assets.benchmark.answering.measuring import BY_MODELS, MEASURED, OF_HOPWEAVER, ROUGE
from aimsciqa_assets.benchmark.answering.readings import NO_MODEL, NO_RANKING, NO_TEXT

MEAN_OF_JUDGES: Final = "mean of judges"
_MAY_LACK: Final = frozenset({*BY_MODELS, *ROUGE, *OF_HOPWEAVER})
"""Measures that no answer of a group may have: without its model, of another kind, of an earlier version."""
_GROUP: Final = ("answerer", "variant", "setting", "measure", "judge")
_ANSWER: Final = ("answer_id", "item_id", "answerer", "variant", "setting", "rejection_reason")


def score_rows(
    answers: pl.DataFrame,
    judgements: pl.DataFrame,
    *,
    unusable: Literal["wrong", "left_out"],
    clusters: Mapping[str, str],
    resamples: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Rows of `benchmark.answering_scores`, sorted by key.

    An answer whose papers have no text, and one whose judge's reply cannot be read, count as `wrong`, so that
    all models rest on the same items, or are `left_out`. `clusters` has the cluster of each item: an interval
    is drawn over these, and needs two. A group has no row for a measure that none of its answers has:
    BERTScore without its model, or the accuracy by a judge that may not judge this model.
    """
    not_put = [NO_RANKING, NO_MODEL, NOT_RECORDED]
    asked = answers.filter(pl.col("rejection_reason").fill_null("").is_in(not_put).not_())
    wrong = unusable == "wrong"
    values = pl.concat([_measured(asked), _judged(asked, judgements, wrong=wrong)])
    for key, group in sorted(values.group_by(_GROUP), key=lambda found: str(found[0])):
        has_values = group["value"].null_count() < group.height
        if wrong and (has_values or key[_GROUP.index("measure")] not in _MAY_LACK):
            counted = group.with_columns(pl.col("value").fill_null(0.0)).sort("answer_id")
        elif has_values:
            counted = group.drop_nulls("value").sort("answer_id")
        else:
            continue
        numbers = counted["value"].to_numpy()
        drawn = [clusters.get(item, item) for item in counted["item_id"]]
        ((low, high),) = bootstrap_intervals(numbers[:, None], resamples, seed, drawn)
        reasons = group["rejection_reason"].drop_nulls()
        no_text = int((reasons == NO_TEXT).sum())
        yield dict(zip(_GROUP, key, strict=True)) | {
            "value": float(numbers.mean()),
            "low": low,
            "high": high,
            "answers": len(numbers),
            "clusters": len(set(drawn)),
            "no_text": no_text,
            "failed": int((reasons != DECLINED).sum()) - no_text,
            "unreadable": int(group["unreadable"].sum()),
        }


def _measured(answers: pl.DataFrame) -> pl.DataFrame:
    """A row per answer and measure that its setting has."""
    finds = pl.col("setting").is_in(["realistic", "citation"]) | pl.col("setting").str.starts_with("rag_")
    found = finds | (pl.col("measure") != "found_target")
    return (
        answers.select(*_ANSWER, *(pl.col(name).cast(pl.Float64) for name in MEASURED))
        .unpivot(MEASURED, index=list(_ANSWER), variable_name="measure", value_name="value")
        .filter(found)
        .with_columns(judge=pl.lit(""), unreadable=pl.lit(value=False))
        .select(*_ANSWER, "measure", "judge", "value", "unreadable")
    )


def _judged(answers: pl.DataFrame, judgements: pl.DataFrame, *, wrong: bool) -> pl.DataFrame:
    """A row per answer and judge, and one for the mean of the judging models if there are several.

    A judge's reply that cannot be read takes part in that mean if it counts as `wrong`.
    """
    asked = judgements.filter(pl.col("rejection_reason").fill_null("") != SAME_FAMILY)
    without_text = pl.col("rejection_reason").fill_null("") == NO_TEXT
    scored = asked.select(
        "answer_id",
        "judge",
        "kind",
        value="score",
        unreadable=pl.col("score").is_null() & without_text.not_(),
    )
    models = scored.filter(pl.col("kind") == "model")
    given = pl.col("value").fill_null(0.0) if wrong else pl.col("value")
    means = (
        models.group_by("answer_id")
        .agg(given.mean(), pl.col("unreadable").any(), pl.len())
        .filter(pl.col("len") > 1)
    )
    every = pl.concat(
        [
            scored.select("answer_id", "judge", "value", "unreadable"),
            means.select("answer_id", pl.lit(MEAN_OF_JUDGES).alias("judge"), "value", "unreadable"),
        ]
    )
    return (
        every.join(answers.select(_ANSWER), on="answer_id")
        .with_columns(measure=pl.lit("accuracy"))
        .select(*_ANSWER, "measure", "judge", "value", "unreadable")
    )
