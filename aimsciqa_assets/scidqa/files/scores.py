"""Scores of published responses against the gold answers, with bootstrap intervals: SciDQA's tables again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from aimsciqa.measures.resampling import bootstrap_intervals
from aimsciqa_assets.metrics.rouge import ANSWER_MARK, NOT_A_NUMBER, PARTS, rouge
from aimsciqa_assets.scidqa.files.published import Responses

Learned = Callable[[Sequence[str], Sequence[str]], Mapping[str, Sequence[float]]]
"""Measures by a model: the answers and their predictions, none of them empty, to values by name."""


@dataclass(frozen=True, slots=True)
class Way:
    """How answers are scored. The authors' code sets `missing_as_nan` and not `without_mark`."""

    missing_as_nan: bool = False
    without_mark: bool = False
    learned: tuple[Learned, ...] = ()


_PLAIN: Final = Way()


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


def row_scores(responses: Responses, questions: pl.DataFrame, way: Way = _PLAIN) -> pl.DataFrame:
    """Every measure of every question, by id; null where the prediction is missing."""
    joined = questions.select("id", "pid", "ans").join(
        responses.rows, on="id", how="left", maintain_order="left"
    )
    scored = [
        rouge(answer, prediction, missing_as_nan=way.missing_as_nan, without_mark=way.without_mark)
        for answer, prediction in joined.select("ans", "prediction").iter_rows()
    ]
    columns = [
        pl.Series(name, [None if one is None else measure(one) for one in scored], dtype=pl.Float64)
        for name, measure in PARTS.items()
    ]
    columns += [one for learned in way.learned for one in _learned(joined, way, learned)]
    return joined.select("id", "pid").with_columns(columns)


def model_scores(
    responses: Responses, questions: pl.DataFrame, *, resamples: int, seed: int, way: Way = _PLAIN
) -> ModelScores:
    """The means of `row_scores`."""
    rows = row_scores(responses, questions, way)
    unknown = responses.rows.join(questions, on="id", how="anti").height
    return means_of(rows, unknown, resamples=resamples, seed=seed)


def means_of(rows: pl.DataFrame, unknown: int, *, resamples: int, seed: int) -> ModelScores:
    """Means over the questions; whole papers are drawn, because questions of a paper depend on each other."""
    answered = rows.drop_nulls(list(PARTS))
    means = dict(_means(answered, resamples, seed)) if answered.height else {}
    return ModelScores(answered.height, rows.height - answered.height, unknown, means)


def _learned(joined: pl.DataFrame, way: Way, measure: Learned) -> Iterator[pl.Series]:
    """The values of a model's measure; an empty prediction has 0, a missing one none."""
    answers, predictions = joined["ans"].to_list(), joined["prediction"].to_list()
    if way.without_mark:
        answers = [answer.removeprefix(ANSWER_MARK) for answer in answers]
    if way.missing_as_nan:
        predictions = [NOT_A_NUMBER if one is None else one for one in predictions]
    given = [place for place, one in enumerate(predictions) if one and one.strip()]
    scored = measure([answers[place] for place in given], [predictions[place] for place in given])
    for name, values in scored.items():
        column = [None if one is None else 0.0 for one in predictions]
        for place, value in zip(given, values, strict=True):
            column[place] = value
        yield pl.Series(name, column, dtype=pl.Float64)


def _means(rows: pl.DataFrame, resamples: int, seed: int) -> Iterator[tuple[str, Mean]]:
    names = [name for name in rows.columns if name not in {"id", "pid"}]
    values = rows.select(names).to_numpy().astype(np.float64)
    intervals = bootstrap_intervals(values, resamples, seed, rows["pid"].to_list())
    for name, mean, (low, high) in zip(names, values.mean(axis=0), intervals, strict=True):
        yield name, Mean(float(mean), low, high)
