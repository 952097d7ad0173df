"""Scores of runs by tag and in total, and runs compared in pairs on the examples that both answered.

An example counts once, however often it was answered: its score is the share of its answers that are
correct. Intervals are Wilson's where each example has one answer and a paper of its own. Answers to one
example depend on each other, and so do examples about the same paper: then whole clusters of examples are
drawn with all their answers. Where all draws are alike, they tell nothing: if all answers are right, or all
wrong, the interval is Wilson's over the clusters; a difference that is the same on every example has none.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any, Final

import numpy as np
import polars as pl

from aimsciqa.measures.resampling import bootstrap_intervals, holm, sign_flip_p_value
from aimsciqa_assets.airqa.examples.example import TAG_FAMILIES
from aimsciqa_assets.airqa.tally import TOTAL, wilson

SCORES: Final = "airqa.scores"
COMPARISONS: Final = "airqa.comparisons"
_SPENT: Final = ("turns", "tokens", "seconds", "cost")
_ACTIONS: Final = ("actions", "wrong_actions")

Interval = tuple[float | None, float | None]
Tags = Mapping[str, Iterable[str]]
"""The tags of each example."""
Clusters = Mapping[str, str]
"""The cluster of each example; one that is not there is a cluster of its own."""


def score_rows(
    verdicts: pl.DataFrame, tags: Tags, *, clusters: Clusters, resamples: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Rows of `airqa.scores`, by run, family and tag.

    `verdicts` has a row for each answer: those of `airqa.verdicts`, with what the answer took (`turns`,
    `tokens`, `seconds`, `cost`), and how many `actions` it took, of which `wrong_actions` were errors.
    """
    counted = verdicts.filter(pl.col("score").is_not_null())
    for (run_id,), of_run in _groups(counted, "run_id"):
        examples = _by_example(of_run)
        for family, tag, chosen in _by_tag(examples["example_id"].to_list(), tags):
            some = examples.filter(pl.Series(chosen))
            yield {"run_id": run_id, "family": family, "tag": tag} | _score(some, clusters, resamples, seed)


def pass_k(correct: Sequence[int], answers: Sequence[int]) -> list[float]:
    """pass^1, pass^2, ... of examples with so many correct of so many answers (tau-bench).

    pass^k is how likely k answers, drawn without putting back, are all correct: C(correct, k) / C(answers, k)
    on average over the examples. k ends at the fewest answers that an example has.
    """
    return [
        float(
            np.mean(
                [comb(right, k) / comb(all_of, k) for right, all_of in zip(correct, answers, strict=True)]
            )
        )
        for k in range(1, min(answers, default=0) + 1)
    ]


def comparison_rows(
    verdicts: pl.DataFrame, tags: Tags, *, clusters: Clusters, resamples: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Rows of `airqa.comparisons`: every pair of runs, on all examples that both answered and on each type.

    The p-values of a tag are adjusted together, over the pairs of runs.
    """
    counted = verdicts.filter(pl.col("score").is_not_null())
    of_runs = {
        str(run_id): dict(_by_example(rows).select("example_id", "share").iter_rows())
        for (run_id,), rows in _groups(counted, "run_id")
    }
    for family, of_tag in ((TOTAL, (TOTAL,)), ("type", TAG_FAMILIES["type"])):
        for tag in of_tag:
            pairs = []
            for run_id, other in combinations(of_runs, 2):
                common = [
                    example
                    for example in of_runs[run_id]
                    if example in of_runs[other] and (tag == TOTAL or tag in tags.get(example, ()))
                ]
                if common:
                    ours, theirs = (
                        np.array([of_runs[run][one] for one in common]) for run in (run_id, other)
                    )
                    pair = {"run_id": run_id, "other": other, "family": family, "tag": tag}
                    drawn = [clusters.get(example, example) for example in common]
                    pairs.append(pair | _comparison(ours - theirs, drawn, resamples, seed))
            adjusted = holm([pair["p_value"] for pair in pairs])
            yield from (pair | {"p_adjusted": p} for pair, p in zip(pairs, adjusted, strict=True))


def _comparison(
    differences: np.ndarray[Any, np.dtype[np.float64]], drawn: Sequence[str], resamples: int, seed: int
) -> dict[str, Any]:
    low: float | None = None
    high: float | None = None
    if np.ptp(differences):
        ((low, high),) = bootstrap_intervals(differences[:, None], resamples, seed, drawn)
    return {
        "examples": len(differences),
        "clusters": len({*drawn}),
        "better": int((differences > 0).sum()),
        "worse": int((differences < 0).sum()),
        "difference": float(differences.mean()),
        "low": low,
        "high": high,
        "p_value": sign_flip_p_value(differences, resamples, seed, drawn),
    }


def _by_example(of_run: pl.DataFrame) -> pl.DataFrame:
    """A row for each example of a run, in order: its answers counted and added up."""
    return (
        of_run.group_by("example_id")
        .agg(
            pl.len().alias("answers"),
            pl.col("score").sum().alias("correct"),
            (pl.col("reason") == "no_answer").sum().alias("failed"),
            pl.col("judge").is_not_null().sum().alias("judged"),
            pl.col("stand_in").sum(),
            *(pl.col(name).sum() for name in (*_SPENT, *_ACTIONS)),
            pl.col("cost").is_not_null().any().alias("priced"),
        )
        .with_columns(share=pl.col("correct") / pl.col("answers"))
        .sort("example_id")
    )


def _by_tag(examples: Sequence[str], tags: Tags) -> Iterator[tuple[str, str, list[bool]]]:
    """Each tag that any of the examples has, and which of them have it; all of them last."""
    for family, of_family in TAG_FAMILIES.items():
        for tag in of_family:
            chosen = [tag in tags.get(example, ()) for example in examples]
            if any(chosen):
                yield family, tag, chosen
    if examples:
        yield TOTAL, TOTAL, [True] * len(examples)


def _score(examples: pl.DataFrame, clusters: Clusters, resamples: int, seed: int) -> dict[str, Any]:
    answers, correct = int(examples["answers"].sum()), int(examples["correct"].sum())
    shares = examples["share"].to_numpy()
    drawn = [clusters.get(example, example) for example in examples["example_id"]]
    count = len({*drawn})
    if correct in {0, answers}:
        interval: Interval = wilson(count if correct else 0, count)
    elif answers == count:
        interval = wilson(correct, count)
    else:
        (interval,) = bootstrap_intervals(shares[:, None], resamples, seed, drawn)
    spent = {name: float(examples[name].sum()) / answers for name in _SPENT}
    actions, wrong = (int(examples[name].sum()) for name in _ACTIONS)
    return {
        "count": examples.height,
        "clusters": count,
        "repeats": int(examples["answers"].min()),  # type: ignore[arg-type]
        "answers": answers,
        "correct": correct,
        "score": float(shares.mean()),
        "low": interval[0],
        "high": interval[1],
        "pass_k": pass_k(examples["correct"].to_list(), examples["answers"].to_list()),
        "failed": int(examples["failed"].sum()),
        "judged": int(examples["judged"].sum()),
        "stand_in": int(examples["stand_in"].sum()),
        **spent,
        "cost": spent["cost"] if examples["priced"].any() else None,
        "error_action_rate": wrong / actions if actions else None,
    }


def _groups(verdicts: pl.DataFrame, *by: str) -> Iterator[tuple[tuple[Any, ...], pl.DataFrame]]:
    yield from verdicts.sort(*by).group_by(*by, maintain_order=True)
