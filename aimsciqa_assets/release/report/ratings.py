"""Ratings of pairs and items by judges and by people, and how far they agree."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aimsciqa_assets.items import FORMS
from aimsciqa_assets.release.report.exhibits import (
    Column,
    Exhibit,
    Row,
    Section,
    count,
    distribution,
    grouped,
    plain,
    score,
)
from aimsciqa_assets.release.report.figures import Rows
from aimsciqa_assets.release.report.judges import judge_choice, rating_scores

_LIKERT = (1.0, 2.0, 3.0, 4.0, 5.0)
_SCORES_OF_PAIRS = (0.0, 0.5, 1.0)


def quality(rows: Rows) -> Section:
    """What judges and people say of pairs and items: figure 5 and agreement."""
    lead = "How judges and people rate pairs and items, and how far they agree."
    exhibits = [
        *_judged(rows),
        _reliability(rows),
        judge_choice(rows["judge_choice"]),
        rating_scores(rows["rating_scores"]),
        *_audited(rows),
        _agreement(rows),
    ]
    return Section("quality", "Quality", lead, exhibits)


def _judged(rows: Rows) -> list[Exhibit]:
    """Ratings by judges: the Likert dimensions, and the binary one apart from them."""
    missing = "No judge has rated the items yet."
    likert = [row for row in rows["ratings"] if row["dimension"] != "multi_hop"]
    exhibits = [
        distribution(
            f"judged-{number}",
            f"Ratings by {judge}",
            "How often each score was given, over all items and runs; 5 is best.",
            _counts("dimension", of_judge),
            missing=missing,
            possible=_LIKERT,
        )
        for number, ((judge,), of_judge) in enumerate(grouped(likert, "judge"))
    ]
    binary = _counts("judge", (row for row in rows["ratings"] if row["dimension"] == "multi_hop"))
    if binary:
        caption = "Does the item need several documents? How often each judge said no (0) and yes (1)."
        exhibits.append(
            distribution(
                "judged-multi-hop", "Multi-hop or not", caption, binary, missing=missing, possible=(0.0, 1.0)
            )
        )
    return exhibits or [distribution("judged", "Ratings by judges", "", {}, missing=missing)]


def _audited(rows: Rows) -> list[Exhibit]:
    missing = "No ratings of people were imported yet."
    exhibits = [
        distribution(
            f"audited-{number}",
            f"Ratings by people: {sheet}",
            f"After Figure 5 of the paper; sampled {_sampled(kind)}. How often each score was given.",
            _counts("criterion", of_sheet),
            missing=missing,
            possible=_possible(kind),
        )
        for number, ((sheet, kind), of_sheet) in enumerate(grouped(rows["audit_ratings"], "sheet", "kind"))
    ]
    return exhibits or [distribution("audited", "Ratings by people", "", {}, missing=missing)]


def _sampled(kind: str) -> str:
    return "items" if kind in FORMS else "QA pairs"


def _possible(kind: str) -> Sequence[float]:
    """The scores of a sheet, as its first criterion has them."""
    return tuple(FORMS[kind].sheet.criteria[0].scores) if kind in FORMS else _SCORES_OF_PAIRS


def _counts(name: str, rows: Iterable[Row]) -> dict[str, dict[float | None, int]]:
    counts: dict[str, dict[float | None, int]] = {}
    for row in rows:
        label = row[name] if name == "judge" else row[name].replace("_", " ")
        counts.setdefault(label, {})[row["score"]] = row["rows"]
    return counts


def _reliability(rows: Rows) -> Exhibit:
    lines = [
        [
            row["judge"] if row["judge"] != "all" else "all judges",
            row["dimension"].replace("_", " "),
            count(row["items"]),
            count(row["raters"]),
            *_figures(row, "mean", "average_sd", "krippendorff_alpha", "fleiss_kappa"),
        ]
        for row in rows["reliability"]
    ]
    return Exhibit(
        "reliability",
        "Reliability of the judges",
        "Agreement between the runs of a judge, and between judges. SD: mean over the items of the sample "
        "standard deviation. Alpha is ordinal; kappa is of rounded ratings.",
        [
            Column("Judge"),
            Column("Dimension"),
            Column("Items", "number"),
            Column("Raters", "number"),
            *(
                Column(title, "number", none="undefined")
                for title in ("Mean", "SD", "Krippendorff’s alpha", "Fleiss’ kappa")
            ),
        ],
        plain(lines),
        "No reliability of judges yet.",
    )


def _agreement(rows: Rows) -> Exhibit:
    lines = [
        [
            row["sheet"],
            row["criterion"].replace("_", " "),
            count(row["subjects"]),
            count(row["raters"]),
            *_figures(row, "mean"),
            count(row["perfect"]),
            *_figures(row, "gwet_ac1", "fleiss_kappa", "krippendorff_alpha"),
        ]
        for row in rows["audit_agreement"]
    ]
    return Exhibit(
        "agreement",
        "Agreement of people",
        "Perfect: subjects to which every rater gave the highest rating.",
        [
            Column("Sheet"),
            Column("Criterion"),
            *(Column(title, "number") for title in ("Subjects", "Raters")),
            Column("Mean", "number", none="undefined"),
            Column("Perfect", "number"),
            *(
                Column(title, "number", none="undefined")
                for title in ("Gwet’s AC1", "Fleiss’ kappa", "Krippendorff’s alpha")
            ),
        ],
        plain(lines),
        "No agreement of people yet.",
    )


def _figures(row: Mapping[str, Any], *names: str) -> list[str | None]:
    return [score(row[name]) for name in names]
