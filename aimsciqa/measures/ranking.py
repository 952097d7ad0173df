"""Measures of rankings, by `ir_measures`.

Only the first 50 papers (`KEPT`) count. A gold paper after these counts nothing in any measure, so MAP
with one gold paper is the reciprocal rank within 50. (With all papers it would be larger by less than 1/51.)
"""

from collections.abc import Mapping, Sequence

import ir_measures
import numpy as np
import numpy.typing as npt
from ir_measures import AP, RR, R, SetF, Success, nDCG

KEPT = 50
"""How many papers of a ranking are kept."""
_SUPPORT_AT = 10
_RANKINGS_AT_ONCE = 500
SUPPORT_F1 = "Support F1"

MEASURES: dict[str, tuple[ir_measures.Measure, int]] = {
    **{f"Hit@{k}": (Success @ k, k) for k in (1, 3, 5, 50)},
    **{f"MRR@{k}": (RR @ k, k) for k in (5, 50)},
    "MAP": (AP, 1),
    **{f"Recall@{k}": (R @ k, k) for k in (5, 10, 20)},
    **{f"nDCG@{k}": (nDCG @ k, k) for k in (5, 10)},
    SUPPORT_F1: (SetF(beta=1.0), _SUPPORT_AT),
}
"""By name: the measure of `ir_measures`, and how many places it looks at (1 for MAP, which looks at all).

Support F1 is the F1 of the first ten papers as a set; with fewer papers, its precision is over these
(HopWeaver).
"""

HEADLINES = {
    "cluster": ("Hit@1", "Hit@3", "MRR@5"),
    "random": ("Hit@1", "Hit@3", "MRR@5"),
    "full": ("Hit@1", "Hit@50", "MRR@50"),
}
"""What Table 6 of the paper reports, by setting."""

COMPARED = {setting: (names[0], names[-1]) for setting, names in HEADLINES.items()}
"""The measures by which retrievers are compared. They are given for any number of candidates."""


def measures_for(setting: str, candidates: int) -> list[str]:
    """The measures that are worth reporting for rankings of at most `candidates` papers.

    A measure that looks at as many places as there are papers is left out: Hit@5 of five papers is always 1.
    Those in `COMPARED` are always given.
    """
    return [name for name, (_, k) in MEASURES.items() if k < candidates or name in COMPARED[setting]]


def query_values(
    rankings: Mapping[str, Sequence[str]], gold: Mapping[str, Sequence[str]], measures: Sequence[str]
) -> dict[str, npt.NDArray[np.float64]]:
    """Each measure's values, in the order of `rankings`: the papers of each item, the best first.

    `gold` are the gold papers by item. Some rankings are measured at a time, because `ir_measures` needs much
    memory for each.
    """
    values = {name: np.zeros(len(rankings)) for name in measures}
    items = list(rankings)
    for start in range(0, len(items), _RANKINGS_AT_ONCE):
        block = items[start : start + _RANKINGS_AT_ONCE]
        for name, of_items in _block_values(block, rankings, gold, measures).items():
            values[name][start : start + len(block)] = [of_items[item] for item in block]
    return values


def _block_values(
    items: Sequence[str],
    rankings: Mapping[str, Sequence[str]],
    gold: Mapping[str, Sequence[str]],
    measures: Sequence[str],
) -> dict[str, dict[str, float]]:
    # Places serve as scores, because `ir_measures` puts equal or missing scores into its own order.
    run = {item: {paper: float(-place) for place, paper in enumerate(rankings[item])} for item in items}
    qrels = {item: dict.fromkeys(gold[item], 1) for item in items}
    values = _by_item({name: MEASURES[name][0] for name in measures if name != SUPPORT_F1}, qrels, run)
    if SUPPORT_F1 in measures:
        first = {item: dict(list(papers.items())[:_SUPPORT_AT]) for item, papers in run.items()}
        values |= _by_item({SUPPORT_F1: MEASURES[SUPPORT_F1][0]}, qrels, first)
    return values


def _by_item(
    measures: Mapping[str, ir_measures.Measure],
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {name: {} for name in measures}
    names = {measure: name for name, measure in measures.items()}
    if qrels:
        for metric in ir_measures.iter_calc(list(names), qrels, run):
            found[names[metric.measure]][metric.query_id] = metric.value
    return found
