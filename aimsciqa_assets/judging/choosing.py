"""Choice of judges by how far they agree with themselves, and never of a generator's family (HopWeaver).

A judge is good if alpha and kappa of its runs are high and their spread is low. The three count alike: judges
are ranked by each, and the mean of a judge's ranks decides.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from aimsciqa_assets.asking.families import same_family
from aimsciqa_assets.judging.dimensions import OVERALL
from aimsciqa_assets.judging.ratings import OWN_FAMILY
from aimsciqa_assets.judging.reliability import ALL

NOT_MEASURED: Final = "not_measured"
"""Alpha, kappa or spread is undefined: the judge rated once, or gave the same rating everywhere."""
LESS_RELIABLE: Final = "less_reliable"
_BETTER_IF_HIGH: Final = {"krippendorff_alpha": True, "fleiss_kappa": True, "average_sd": False}
_NO_FIGURES: Final = {"items": 0, "raters": 0} | dict.fromkeys(_BETTER_IF_HIGH)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A judge, the mean of its ranks (1 is the best), and why it was not chosen; None if it was."""

    judge: str
    mean_rank: float | None
    reason: str | None


def choose_judges(
    reliability: pl.DataFrame,
    generators: Collection[str],
    count: int,
    dimension: str = OVERALL,
    *,
    called: Callable[[str], str] = str,
    unscored: Collection[str] = (),
) -> list[Candidate]:
    """All judges of `benchmark.reliability`: the `count` chosen ones first, the best first, then the others.

    `generators` are the models that wrote the items; a judge is `called` what its server calls it. Judges
    that gave no score at all are `unscored`. Ties go to the name that is first in the alphabet.
    """
    rows = reliability.filter(pl.col("dimension") == dimension, pl.col("judge") != ALL).sort("judge")
    silent = set(unscored) - set(rows["judge"])
    own = [
        judge
        for judge in sorted({*rows["judge"], *silent})
        if any(same_family(called(judge), one) for one in generators)
    ]
    foreign = rows.filter(~pl.col("judge").is_in(own))
    measured = foreign.drop_nulls(list(_BETTER_IF_HIGH))
    ranks = [pl.col(name).rank("average", descending=high) for name, high in _BETTER_IF_HIGH.items()]
    ranked = measured.select("judge", rank=pl.mean_horizontal(ranks)).sort("rank", "judge")
    unmeasured = sorted(({*foreign["judge"]} | silent) - {*measured["judge"], *own})
    return [
        *(
            Candidate(judge, rank, None if place < count else LESS_RELIABLE)
            for place, (judge, rank) in enumerate(ranked.iter_rows())
        ),
        *(Candidate(judge, None, NOT_MEASURED) for judge in unmeasured),
        *(Candidate(judge, None, OWN_FAMILY) for judge in own),
    ]


def choice_rows(
    reliability: pl.DataFrame,
    candidates: Sequence[Candidate],
    generators: Collection[str],
    *,
    chosen_only: bool,
) -> Iterator[dict[str, Any]]:
    """Rows of `benchmark.judge_choice`. With `chosen_only`, only the ratings of chosen judges count."""
    figures = {row["judge"]: row for row in reliability.filter(pl.col("dimension") == OVERALL).to_dicts()}
    for place, candidate in enumerate(candidates, start=1):
        found = figures.get(candidate.judge, _NO_FIGURES)
        yield {
            "judge": candidate.judge,
            "place": None if candidate.mean_rank is None else place,
            "mean_rank": candidate.mean_rank,
            **{name: found[name] for name in ("items", "raters", *_BETTER_IF_HIGH)},
            "chosen": candidate.reason is None,
            "counts": candidate.reason is None or not chosen_only,
            "rejection_reason": candidate.reason,
            "detail": _said(candidate, found, generators),
        }


def _said(candidate: Candidate, found: Mapping[str, Any], generators: Collection[str]) -> str:
    """Why the rule chooses a judge or not, in words."""
    if candidate.reason == OWN_FAMILY:
        return f"of a family that wrote items: {', '.join(sorted(generators))}"
    figures = ", ".join(
        f"{title} {'undefined' if found[name] is None else format(found[name], '.3f')}"
        for name, title in (("krippendorff_alpha", "alpha"), ("fleiss_kappa", "kappa"), ("average_sd", "SD"))
    )
    if not found["items"]:
        return "it gave no score"
    if candidate.mean_rank is None:
        return f"{figures}: it rated once, or gave the same rating everywhere"
    return f"{figures}: mean rank {candidate.mean_rank:.2f}"
