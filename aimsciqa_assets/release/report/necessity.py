"""The necessity ledger on the page: which tests the items pass, and how hard they are."""

from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup

from aimsciqa_assets.release.report.charts import UNIT, bar
from aimsciqa_assets.release.report.exhibits import (
    Cell,
    Column,
    Exhibit,
    Group,
    Row,
    bars_scale,
    chart_column,
    count,
    grouped,
    interval,
    score,
)

_TESTS: Final = {
    "answerability": "all documents give the answer, none alone",
    "bridge_masked": "without its bridge the later hop leads nowhere",
    "renamed": "the answer stays when the bridge gets a made-up name",
    "counterfactual": "the answer follows another value",
    "shortcut": "no third document gives the answer",
    "guessing": "the question alone does not give the answer",
    "twin": "with a near document instead there is no answer",
    "difficulty": "its cell has room for it",
}


def necessity(rows: Mapping[str, Sequence[Row]]) -> list[Exhibit]:
    """Tests with the share of items that pass them, and cells of difficulty with their items."""
    return [_tests(rows["necessity"]), _cells(rows["difficulty"])]


def _tests(rows: Sequence[Row]) -> Exhibit:
    groups = [
        Group(variant.upper(), [_test(row) for row in of]) for (variant,), of in grouped(rows, "variant")
    ]
    return Exhibit(
        "necessity",
        "Necessity ledger",
        "Does an item need its documents and hops? Shares of the items with a verdict, with 95 % bootstrap "
        "intervals. rules: by words and searches; none: no model was named for a test that needs one.",
        [
            Column("Test"),
            Column("By"),
            chart_column("share that passed", UNIT),
            Column("Share", "number", none="undefined"),
            Column("95 %", "number"),
            *(Column(title, "number") for title in ("Passed", "Failed", "Unknown")),
        ],
        groups,
        "No item was tested yet.",
    )


def _test(row: Row) -> list[Cell]:
    said = f"{row['test']} by {row['model']}: {row['passed']} passed, {row['failed']} failed"
    drawn = "" if row["value"] is None else bar(row["value"], UNIT, said, row["low"], row["high"])
    return [
        Markup("{}<small>{}</small>").format(row["test"].replace("_", " "), _TESTS.get(row["test"], "")),
        row["model"],
        drawn,
        score(row["value"]),
        interval(row["low"], row["high"]),
        *(count(row[verdict]) for verdict in ("passed", "failed", "unknown")),
    ]


def _cells(rows: Sequence[Row]) -> Exhibit:
    scale = bars_scale(rows, "items")
    groups = [
        Group(
            variant.upper(),
            [
                [
                    row["cell"],
                    bar(row["items"], scale, f"{row['cell']}: {row['items']:,}"),
                    count(row["items"]),
                ]
                for row in of
            ],
        )
        for (variant,), of in grouped(rows, "variant")
    ]
    return Exhibit(
        "difficulty",
        "Difficulty",
        "Items by hops, place of the worst of their documents when the question is searched for, share of "
        "the question's words that stand in the quotes, and answerers that are right with all documents.",
        [Column("Cell"), chart_column("items", scale), Column("Items", "number")],
        groups,
        "No item was tested yet.",
        folded=True,
    )
