"""Judges on the page: which ones the rule chooses, and what those that count say of the items together."""

from collections.abc import Sequence
from typing import Final

from aimsciqa_assets.items import kinds
from aimsciqa_assets.release.report.charts import Scale, bar
from aimsciqa_assets.release.report.exhibits import (
    Cell,
    Column,
    Exhibit,
    Group,
    Row,
    chart_column,
    count,
    grouped,
    interval,
    plain,
    score,
)

_LIKERT: Final = Scale(0.0, 5.0, (0.0, 1.0, 2.0, 3.0, 4.0, 5.0))
_REASONS: Final = {
    "own_family": "its family wrote items",
    "not_measured": "its reliability is undefined",
    "less_reliable": "others are more reliable",
}


def judge_choice(rows: Sequence[Row]) -> Exhibit:
    """The judges in the order of their reliability, and why each is chosen or not."""
    lines: list[list[Cell]] = [
        [
            row["judge"],
            *(score(row[name]) for name in ("krippendorff_alpha", "fleiss_kappa", "average_sd")),
            score(row["mean_rank"], 2),
            "chosen" if row["chosen"] else _REASONS.get(row["rejection_reason"], row["rejection_reason"]),
            "yes" if row["counts"] else "no",
        ]
        for row in rows
    ]
    return Exhibit(
        "judge-choice",
        "Choice of judges",
        "By the overall ratings of their runs: alpha and kappa are to be high, the spread (SD) low; the mean "
        "of a judge's ranks by the three decides. A judge of a family that wrote items is never chosen.",
        [
            Column("Judge"),
            *(
                Column(title, "number", none="undefined")
                for title in ("Krippendorff’s alpha", "Fleiss’ kappa", "SD", "Mean rank")
            ),
            Column("By the rule"),
            Column("Ratings count"),
        ],
        plain(lines),
        "No reliability of judges yet.",
    )


def rating_scores(rows: Sequence[Row]) -> Exhibit:
    """What the judges that count say of each kind: means over judges and items."""
    titles = {name: kind.title for name, kind in kinds().items()}
    groups = [
        Group(f"{titles.get(variant, variant)}, judges saw {shown}", [_dimension(row) for row in of])
        for (variant, shown), of in grouped(rows, "variant", "shown")
    ]
    return Exhibit(
        "rating-scores",
        "Ratings of the kinds",
        "Means over runs, then judges, then items, with 95 % bootstrap intervals; 5 is best. Overall leaves "
        "out multi-hop, which is the share of yes.",
        [
            Column("Dimension"),
            chart_column("mean over the items", _LIKERT),
            Column("Mean", "number"),
            Column("95 %", "number"),
            Column("Items", "number"),
            Column("Judges", "number"),
        ],
        groups,
        "No judge has rated the items yet.",
        folded=True,
    )


def _dimension(row: Row) -> list[Cell]:
    name = row["dimension"].replace("_", " ")
    return [
        name,
        bar(row["value"], _LIKERT, f"{name}: {score(row['value'])}", row["low"], row["high"]),
        score(row["value"]),
        interval(row["low"], row["high"]),
        count(row["items"]),
        count(row["judges"]),
    ]
