"""The ablation of HopWeaver's retrieval (its Table 6): which ways to find a second document serve best.

Four arms make bridge questions from the same sources. `standard` takes the best hits of the search, `diverse`
chooses diverse ones of them, `diverse_zs` has a cross-encoder order these as it is, and `diverse_ft` one that
was trained on feedback. Polishing is no part of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from aimsciqa.measures.resampling import bootstrap_intervals
from aimsciqa_assets.hopweaver.bridges import Bridge
from aimsciqa_assets.hopweaver.searching import Searching
from aimsciqa_assets.retrieval.diversity import Weights
from aimsciqa_assets.retrieval.reranking import Reranker
from aimsciqa_assets.settings.hopweaver import Arm
from aimsciqa_assets.tables.hopweaver import ARMS

PUBLISHED: Final[Mapping[Arm, tuple[float, float]]] = {
    "standard": (0.701, 1.59),
    "diverse": (0.709, 1.62),
    "diverse_zs": (0.740, 1.32),
    "diverse_ft": (0.753, 1.17),
}
"""Success rate and documents tried in the paper."""

_RESAMPLES: Final = 10_000
_SEED: Final = 20241


@dataclass(frozen=True, slots=True)
class Result:
    """An arm: its attempts, how many gave a question, and how many documents these tried, on the mean."""

    arm: Arm
    attempts: int
    successes: int
    success_rate: float | None
    success_interval: tuple[float | None, float | None]
    documents_tried: float | None
    tried_interval: tuple[float | None, float | None]


def search_of(arm: Arm, search: Searching, rerankers: Mapping[Arm, Reranker | None]) -> Searching:
    """The search of an arm."""
    if arm == "standard":
        return replace(search, weights=Weights(1, 0, 0), reranker=None)
    return replace(search, reranker=rerankers.get(arm))


def ablation_rows(arm: Arm, bridges: Iterable[Bridge]) -> list[dict[str, Any]]:
    """Rows of `hopweaver.ablation`. An attempt to which the model gave no reply says nothing of an arm."""
    return [
        {
            "arm": arm,
            "paper_id": made.source.document_id,
            "success": made.reason is None,
            "documents_tried": sum(one.was_asked_about for one in made.tried),
            "rejection_reason": made.reason,
        }
        for made in bridges
        if made.failure is None
    ]


def results(rows: Iterable[Mapping[str, Any]]) -> list[Result]:
    """The arms in their order, with 95 % bootstrap intervals. Documents tried are those of successes."""
    by_arm: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_arm.setdefault(row["arm"], []).append(row)
    return [_result(arm, by_arm[arm]) for arm in ARMS if arm in by_arm]


def _result(arm: Arm, rows: Sequence[Mapping[str, Any]]) -> Result:
    successes = [float(row["success"]) for row in rows]
    tried = [float(row["documents_tried"]) for row in rows if row["success"]]
    return Result(
        arm,
        len(rows),
        len(tried),
        *_mean(successes),
        *_mean(tried),
    )


def _mean(values: Sequence[float]) -> tuple[float | None, tuple[float | None, float | None]]:
    if not values:
        return None, (None, None)
    (interval,) = bootstrap_intervals(np.array(values)[:, None], _RESAMPLES, _SEED)
    return sum(values) / len(values), interval
