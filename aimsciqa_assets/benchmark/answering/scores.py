"""Means of the answering benchmark with their intervals (Tables 7 and 8 of the paper)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

import polars as pl
import polars.selectors as cs
from aimsciqa_resources.language_model.recorded import NOT_RECORDED

from aimsciqa.measures.resampling import bootstrap_intervals
from aimsciqa_assets.benchmark.answering.answers import DECLINED
from aimsciqa_assets.benchmark.answering.facts import PRECISION, RECALL, precisions, recalls
from aimsciqa_assets.benchmark.answering.judging import NO_ANSWER, SAME_FAMILY
from aimsciqa_assets.benchmark.answering.measuring import BY_MODELS, MEASURED, OF_HOPWEAVER, ROUGE
from aimsciqa_assets.benchmark.answering.readings import NO_MODEL, NO_RANKING, NO_TEXT
from aimsciqa_assets.benchmark.aspects.task import HIGHEST

MEAN_OF_JUDGES: Final = "mean of judges"
ASPECTS: Final = "aspects"
"""The overall rating in SciDQA's four aspects, 0 to 1; the mean of the judges is SciDQA's ALS."""
ROUGE_MEAN: Final = "rouge_mean"
"""SciDQA's R_mu, of F1 instead of precision."""
SCIDQA_AVG: Final = "scidqa_avg"
"""The mean of the six columns of SciDQA's tables. The paper does not say of which: this is our reading."""
_SURFACE: Final = (ROUGE_MEAN, *BY_MODELS)
"""The columns beside those of the judges."""
_JUDGES: Final = 3
_MAY_LACK: Final = frozenset({*BY_MODELS, *ROUGE, ROUGE_MEAN, *OF_HOPWEAVER})
"""Measures that no answer of a group may have: without its model, of another kind, of an earlier version."""
_GROUP: Final = ("answerer", "variant", "setting", "measure", "judge")
_READER: Final = ("answerer", "variant", "setting")
_ANSWER: Final = ("answer_id", "item_id", "answerer", "variant", "setting", "rejection_reason")


def score_rows(
    answers: pl.DataFrame,
    judgements: pl.DataFrame,
    ratings: pl.DataFrame,
    facts: pl.DataFrame,
    *,
    unusable: Literal["wrong", "left_out"],
    clusters: Mapping[str, str],
    resamples: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Rows of `benchmark.answering_scores`, sorted by key, from rows of the four tables before it.

    An answer whose papers have no text, and one whose judge's reply cannot be read, count as `wrong`, so that
    all models rest on the same items, or are `left_out`. `clusters` has the cluster of each item: an interval
    is drawn over these, and needs two. A group has no row for a measure that none of its answers has:
    BERTScore without its model, or the accuracy by a judge that may not judge this model.
    """
    not_put = [NO_RANKING, NO_MODEL, NOT_RECORDED]
    asked = answers.filter(pl.col("rejection_reason").fill_null("").is_in(not_put).not_())
    wrong = unusable == "wrong"
    judged = _judged(asked, judgements, "accuracy", wrong=wrong)
    rated = _judged(asked, _overall(ratings), ASPECTS, wrong=wrong)
    recalled = _judged(asked, recalls(facts), RECALL, wrong=wrong)
    values = pl.concat([_measured(asked), judged, rated, recalled, _precise(asked, facts)])
    values = pl.concat([values, _averages(values, wrong=wrong)])
    unscored = _unscored(asked, facts)
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
            "unscored": unscored.get(key),
        }


def _measured(answers: pl.DataFrame) -> pl.DataFrame:
    """A row per answer and measure that its setting has."""
    finds = pl.col("setting").is_in(["realistic", "citation"]) | pl.col("setting").str.starts_with("rag_")
    found = finds | (pl.col("measure") != "found_target")
    return (
        answers.select(*_ANSWER, *(pl.col(name).cast(pl.Float64) for name in MEASURED))
        .with_columns(pl.mean_horizontal(cs.matches("^rouge.*_f1$")).alias(ROUGE_MEAN))
        .unpivot((*MEASURED, ROUGE_MEAN), index=list(_ANSWER), variable_name="measure", value_name="value")
        .filter(found)
        .with_columns(judge=pl.lit(""), unreadable=pl.lit(value=False))
        .select(*_ANSWER, "measure", "judge", "value", "unreadable")
    )


def _overall(ratings: pl.DataFrame) -> pl.DataFrame:
    """Ratings in four aspects as scores of judges, 0 to 1; what was not answered gets 0."""
    unanswered = pl.col("rejection_reason").fill_null("") == NO_ANSWER
    score = pl.when(unanswered).then(0.0).otherwise(pl.col("overall") / HIGHEST)
    return ratings.select(
        "answer_id", "judge", score.alias("score"), "rejection_reason", kind=pl.lit("model")
    )


def _precise(answers: pl.DataFrame, facts: pl.DataFrame) -> pl.DataFrame:
    """A row per answer that states numbers, with its fact precision."""
    return (
        precisions(facts)
        .join(answers.select(_ANSWER), on="answer_id")
        .with_columns(measure=pl.lit(PRECISION), judge=pl.lit(""), unreadable=pl.lit(value=False))
        .select(*_ANSWER, "measure", "judge", "value", "unreadable")
    )


def _unscored(answers: pl.DataFrame, facts: pl.DataFrame) -> dict[tuple[object, ...], int]:
    """How many facts nobody scored, by the key of the row."""
    of_answers = facts.select("answer_id", "judge", "unscored").join(answers.select(_ANSWER), on="answer_id")
    sums = of_answers.with_columns(measure=pl.lit(RECALL)).group_by(_GROUP).agg(pl.sum("unscored"))
    return {tuple(key): number for *key, number in sums.iter_rows()}


def _averages(values: pl.DataFrame, *, wrong: bool) -> pl.DataFrame:
    """A row per answer with the mean of SciDQA's six columns, where the model's answers have all of them."""
    by_judge = (pl.col("measure") == ASPECTS) & (pl.col("judge") != MEAN_OF_JUDGES)
    columns = values.filter(pl.col("measure").is_in(_SURFACE) | by_judge)
    measures, judges = pl.col("measure"), pl.col("judge")
    complete = (
        columns.drop_nulls("value")
        .group_by(_READER)
        .agg(measures.n_unique().alias("measures"), judges.filter(judges != "").n_unique().alias("judges"))
        .filter(measures=len(_SURFACE) + 1, judges=_JUDGES)
    )
    value = pl.col("value")
    mean = value.fill_null(0.0).mean() if wrong else pl.when(value.is_not_null().all()).then(value.mean())
    return (
        columns.join(complete, on=_READER, how="semi")
        .group_by(_ANSWER)
        .agg(mean.alias("value"), pl.col("unreadable").any())
        .with_columns(measure=pl.lit(SCIDQA_AVG), judge=pl.lit(""))
        .select(values.columns)
    )


def _judged(answers: pl.DataFrame, judgements: pl.DataFrame, measure: str, *, wrong: bool) -> pl.DataFrame:
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
        .with_columns(measure=pl.lit(measure))
        .select(*_ANSWER, "measure", "judge", "value", "unreadable")
    )
