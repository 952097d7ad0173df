"""Choice of judges by how far they agree with themselves, and never of a generator's family (HopWeaver).

A judge is good if alpha and kappa of its runs are high and their spread is low. The three count alike: judges
are ranked by each, and the mean of a judge's ranks decides.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import polars as pl

from aimsciqa_assets.asking.families import same_family
from aimsciqa_assets.judging.dimensions import OVERALL
from aimsciqa_assets.judging.ratings import OWN_FAMILY
from aimsciqa_assets.judging.reliability import ALL

NOT_MEASURED: Final = "not_measured"
"""Alpha, kappa or spread is undefined: the judge rated once, or gave the same rating everywhere."""
LESS_RELIABLE: Final = "less_reliable"
_BETTER_IF_HIGH: Final = {"krippendorff_alpha": True, "fleiss_kappa": True, "average_sd": False}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A judge, the mean of its ranks (1 is the best), and why it was not chosen; None if it was."""

    judge: str
    mean_rank: float | None
    reason: str | None


def choose_judges(
    reliability: pl.DataFrame, generators: Collection[str], count: int, dimension: str = OVERALL
) -> list[Candidate]:
    """All judges of `benchmark.reliability`: the `count` chosen ones first, the best first, then the others.

    `generators` are the models that wrote the items. Ties go to the name that is first in the alphabet.
    """
    rows = reliability.filter(pl.col("dimension") == dimension, pl.col("judge") != ALL).sort("judge")
    own = [judge for judge in rows["judge"] if any(same_family(judge, one) for one in generators)]
    foreign = rows.filter(~pl.col("judge").is_in(own))
    measured = foreign.drop_nulls(list(_BETTER_IF_HIGH))
    ranks = [pl.col(name).rank("average", descending=high) for name, high in _BETTER_IF_HIGH.items()]
    ranked = measured.select("judge", rank=pl.mean_horizontal(ranks)).sort("rank", "judge")
    unmeasured = sorted(set(foreign["judge"]) - set(measured["judge"]))
    return [
        *(
            Candidate(judge, rank, None if place < count else LESS_RELIABLE)
            for place, (judge, rank) in enumerate(ranked.iter_rows())
        ),
        *(Candidate(judge, None, NOT_MEASURED) for judge in unmeasured),
        *(Candidate(judge, None, OWN_FAMILY) for judge in own),
    ]
