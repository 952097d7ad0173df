"""Scores of published responses against the gold answers, with bootstrap intervals: SciDQA's tables again."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

import numpy as np
import polars as pl

from aimsciqa.measures.resampling import bootstrap_intervals
from aimsciqa_assets.metrics.rouge import rouge
from aimsciqa_assets.scidqa.files.published import Responses

MEASURES: Final = {
    f"{name}_{part}": attrgetter(f"{name}.{part}")
    for name in ("rouge1", "rouge2", "rouge_l")
    for part in ("precision", "recall", "f1")
}


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of a measure over the answers that there are, times 100, with its 95 % interval."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class ModelScores:
    """Means per measure; `missing` questions have no prediction, `unknown` ids are of no question."""

    answered: int
    missing: int
    unknown: int
    means: dict[str, Mean]


def row_scores(
    responses: Responses, questions: pl.DataFrame, *, missing_as_nan: bool = False
) -> pl.DataFrame:
    """Every measure of every question that has a row, by id; null where the prediction is missing."""
    joined = questions.select("id", "pid", "ans").join(
        responses.rows, on="id", how="left", maintain_order="left"
    )
    scored = [
        rouge(answer, prediction, missing_as_nan=missing_as_nan)
        for answer, prediction in joined.select("ans", "prediction").iter_rows()
    ]
    columns = [
        pl.Series(name, [None if one is None else measure(one) for one in scored], dtype=pl.Float64)
        for name, measure in MEASURES.items()
    ]
    return joined.select("id", "pid").with_columns(columns)


def model_scores(
    responses: Responses,
    questions: pl.DataFrame,
    *,
    resamples: int,
    seed: int,
    missing_as_nan: bool = False,
) -> ModelScores:
    """Means over the questions; whole papers are drawn, because questions of a paper depend on each other."""
    rows = row_scores(responses, questions, missing_as_nan=missing_as_nan)
    answered = rows.drop_nulls(list(MEASURES))
    unknown = responses.rows.join(questions, on="id", how="anti").height
    means = dict(_means(answered, resamples, seed)) if answered.height else {}
    return ModelScores(answered.height, rows.height - answered.height, unknown, means)


def _means(rows: pl.DataFrame, resamples: int, seed: int) -> Iterator[tuple[str, Mean]]:
    values = rows.select(list(MEASURES)).to_numpy().astype(np.float64)
    intervals = bootstrap_intervals(values, resamples, seed, rows["pid"].to_list())
    for name, mean, (low, high) in zip(MEASURES, values.mean(axis=0), intervals, strict=True):
        yield name, Mean(float(mean), low, high)
