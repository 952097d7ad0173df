"""How far the raters of a sheet agree, criterion by criterion."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from aimsciqa_assets.judging.audit.criteria import criteria_of, sheet_kinds
from aimsciqa_assets.metrics.agreement import fleiss_kappa, gwet_ac1, krippendorff_alpha
from aimsciqa_assets.platform.frames import frame_of


def agreement_of(ratings: pl.DataFrame) -> pl.DataFrame:
    """Rows of `benchmark.audit_agreement` from rows of `benchmark.audit_ratings`.

    Ratings may be missing: AC1 and alpha use those that exist, kappa only the subjects that all raters of the
    criterion rated.
    """
    return frame_of("benchmark.audit_agreement", _rows(ratings))


def _rows(ratings: pl.DataFrame) -> Iterator[dict[str, Any]]:
    scales = {(kind, one.name): list(one.scores) for kind in sheet_kinds() for one in criteria_of(kind)}
    groups = dict(ratings.group_by("sheet", "kind", "criterion"))
    for key in sorted(groups):
        sheet, kind, criterion = map(str, key)
        group = groups[key]
        categories = scales[kind, criterion]
        wide = group.sort("rater").pivot("rater", index="subject_id", values="score").sort("subject_id")
        table = wide.drop("subject_id").rows()
        agreement = gwet_ac1(table, categories)
        lowest = group.group_by("subject_id").agg(pl.col("score").min())
        yield {
            "sheet": sheet,
            "kind": kind,
            "criterion": criterion,
            "subjects": len(table),
            "raters": group["rater"].n_unique(),
            "mean": group["score"].mean(),
            "perfect": lowest.filter(pl.col("score") == max(categories)).height,
            "gwet_ac1": agreement and agreement.ac1,
            "fleiss_kappa": fleiss_kappa(table, categories),
            "krippendorff_alpha": krippendorff_alpha(table),
        }
