"""Means of the answering benchmark with their intervals (Tables 7 and 8 of the paper)."""

from collections.abc import Iterator
from typing import Any, Final

import polars as pl

from aimsciqa.measures.resampling import bootstrap_intervals

MEAN_OF_JUDGES: Final = "mean of judges"
_MEASURES: Final = ("exact_match", "token_f1", "rouge_l", "bert_score", "found_target")
_GROUP: Final = ("answerer", "variant", "setting", "measure", "judge")


def score_rows(
    answers: pl.DataFrame, judgements: pl.DataFrame, *, resamples: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Rows of `benchmark.answering_scores`, sorted by key.

    A group has no row for a measure that none of its answers has: BERTScore without its model, or the
    accuracy by a judge of the same family. An interval needs two answers.
    """
    values = pl.concat([_measured(answers), _judged(answers, judgements)])
    for key, group in sorted(values.drop_nulls("value").group_by(_GROUP), key=lambda found: str(found[0])):
        numbers = group.sort("answer_id")["value"].to_numpy()
        ((low, high),) = bootstrap_intervals(numbers[:, None], resamples, seed)
        yield dict(zip(_GROUP, key, strict=True)) | {
            "value": float(numbers.mean()),
            "low": low,
            "high": high,
            "answers": len(numbers),
        }


def _measured(answers: pl.DataFrame) -> pl.DataFrame:
    """A row per answer and measure."""
    return (
        answers.select(
            "answer_id",
            "answerer",
            "variant",
            "setting",
            *(pl.col(name).cast(pl.Float64) for name in _MEASURES),
        )
        .unpivot(
            _MEASURES,
            index=["answer_id", "answerer", "variant", "setting"],
            variable_name="measure",
            value_name="value",
        )
        .with_columns(judge=pl.lit(""))
        .select("answer_id", *_GROUP, "value")
    )


def _judged(answers: pl.DataFrame, judgements: pl.DataFrame) -> pl.DataFrame:
    """A row per answer and judge, and one for the mean of the judging models if there are several."""
    scored = judgements.drop_nulls("score").select("answer_id", "judge", "kind", value="score")
    models = scored.filter(pl.col("kind") == "model")
    means = models.group_by("answer_id").agg(pl.col("value").mean(), pl.len()).filter(pl.col("len") > 1)
    every = pl.concat(
        [
            scored.select("answer_id", "judge", "value"),
            means.select("answer_id", pl.lit(MEAN_OF_JUDGES).alias("judge"), "value"),
        ]
    )
    return (
        every.join(answers.select("answer_id", "answerer", "variant", "setting"), on="answer_id")
        .with_columns(measure=pl.lit("accuracy"))
        .select("answer_id", *_GROUP, "value")
    )
