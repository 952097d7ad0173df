"""Evidence accessibility: how well a search finds the gold documents of a question (HopWeaver, evaluation).

`gold` are a question's documents as they are listed, the source first and the target last; one that is listed
twice counts twice, and can be found once. `ranking` is what was found, the best first; a document that is
found again counts at its first place only. Without gold or ranking, every measure is 0.

The measures of `aimsciqa.measures.ranking` are those of `ir_measures`. They are equal to these wherever
nothing is listed twice, but MAP there has no cut-off.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

Missing = Literal["zero", "skip"]
"""What becomes of questions without gold or without a ranking: they score 0, or they do not count."""


def average_precision(gold: Sequence[str], ranking: Sequence[str], k: int) -> float:
    """The precision at each gold document among the first `k`, summed and divided by the number of gold."""
    places = _places(gold, ranking, k)
    return _share(math.fsum(found / place for found, place in enumerate(places, start=1)), len(gold))


def recall(gold: Sequence[str], ranking: Sequence[str], k: int) -> float:
    """The share of the gold documents that are among the first `k`."""
    return _share(len(_places(gold, ranking, k)), len(gold))


def ndcg(gold: Sequence[str], ranking: Sequence[str], k: int) -> float:
    """Discounted gain of the first `k`, of 1 / log2(place + 1) each, over that of the best ranking."""
    best = math.fsum(map(_gain, range(1, min(len(gold), k) + 1)))
    return _share(math.fsum(map(_gain, _places(gold, ranking, k))), best)


def support_f1(gold: Sequence[str], ranking: Sequence[str], k: int) -> float:
    """F1 of the first `k` as a set; precision is over what was returned, where this is less than `k`."""
    found = len(_places(gold, ranking, k))
    return _share(2 * found, min(k, len(ranking)) + len(gold)) if gold else 0.0


def target_rank(gold: Sequence[str], ranking: Sequence[str]) -> int | None:
    """The place of the target, the last gold document; one past the end if it was not found."""
    if not gold:
        return None
    return list(ranking).index(gold[-1]) + 1 if gold[-1] in ranking else len(ranking) + 1


REPORTED: Final[Mapping[str, Callable[[Sequence[str], Sequence[str]], float]]] = {
    "MAP": partial(average_precision, k=10),
    **{f"Recall@{k}": partial(recall, k=k) for k in (5, 10, 20)},
    **{f"nDCG@{k}": partial(ndcg, k=k) for k in (5, 10)},
    "Support F1": partial(support_f1, k=10),
}
"""What the paper's Table 3 reports, of a question's gold and ranking. MAP and Support F1 are at 10."""


@dataclass(frozen=True, slots=True)
class EvidenceAccess:
    """Means over `counted` questions, None if there is none, and how many lacked gold or a ranking."""

    means: Mapping[str, float | None]
    counted: int
    without_gold: int
    without_ranking: int


def evidence_access(
    gold: Mapping[str, Sequence[str]], rankings: Mapping[str, Sequence[str]], missing: Missing = "zero"
) -> EvidenceAccess:
    """The reported measures over the questions of `gold`, which are by id like their rankings.

    HopWeaver's code skips what is missing, which makes a search look better that finds nothing at times.
    """
    without_gold = [item for item in gold if not gold[item]]
    without_ranking = [item for item in gold if gold[item] and not rankings.get(item)]
    left_out = {*without_gold, *without_ranking} if missing == "skip" else set()
    counted = [item for item in gold if item not in left_out]
    means = {
        name: math.fsum(measure(gold[item], rankings.get(item, ())) for item in counted) / len(counted)
        if counted
        else None
        for name, measure in REPORTED.items()
    }
    return EvidenceAccess(means, len(counted), len(without_gold), len(without_ranking))


def _places(gold: Sequence[str], ranking: Sequence[str], k: int) -> list[int]:
    """The places, from 1 on, at which gold documents first appear among the first `k`."""
    first: dict[str, int] = {}
    for place, document in enumerate(ranking[:k], start=1):
        first.setdefault(document, place)
    return sorted(first[document] for document in set(gold) & first.keys())


def _gain(place: int) -> float:
    return 1 / math.log2(place + 1)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
