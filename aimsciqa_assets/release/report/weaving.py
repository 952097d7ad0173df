"""HopWeaver on the page: how often attempts succeed, what that takes, why others fail, and polishing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from aimsciqa_assets.release.report.charts import UNIT, bar, stack
from aimsciqa_assets.release.report.exhibits import (
    Cell,
    Column,
    Exhibit,
    Group,
    Row,
    Section,
    bars_scale,
    chart_column,
    count,
    distribution,
    grouped,
    interval,
    plain,
    score,
)

_POLISHINGS: Final = (
    ("good", "pass"),
    ("tone-2", "adjust"),
    ("tone-1", "reworked"),
    ("bad", "rejected"),
    ("tone-5", "error"),
    ("unknown", "no reply"),
)


def weaving(rows: Mapping[str, Sequence[Row]]) -> Section:
    """Attempts by kind; nothing at all where HopWeaver is off."""
    if not rows["weaving"]:
        return Section("weaving", "Syntheses", "", [])
    lead = "How HopWeaver's questions over two documents came about: every source that was tried is counted."
    failed = [row for row in rows["weaving_failures"] if row["what"] == "attempts"]
    passed_over = [row for row in rows["weaving_failures"] if row["what"] == "candidates"]
    exhibits = [
        _success(rows["weaving"]),
        _tried(rows["weaving"]),
        _polished(rows["polishings"]),
        _reasons("attempts-failed", "Why attempts failed", "attempts", failed),
        _reasons("candidates-failed", "Why candidates failed", "candidates", passed_over),
    ]
    return Section("weaving", "Syntheses", lead, exhibits)


def _success(rows: Sequence[Row]) -> Exhibit:
    return Exhibit(
        "success",
        "Success rate",
        "Attempts that ended in an accepted item, with 95 % Wilson intervals. An attempt to which the model "
        "gave no reply is not counted in the share. A question is made before it is polished.",
        [
            Column("Kind"),
            chart_column("share accepted", UNIT),
            Column("Share", "number", none="undefined"),
            Column("95 %", "number"),
            *(Column(title, "number") for title in ("Attempts", "No reply", "Questions", "Accepted")),
        ],
        plain([_rate(row) for row in rows]),
        "No attempt yet.",
    )


def _rate(row: Row) -> list[Cell]:
    said = f"{row['kind']}: {row['accepted']} of {row['attempts'] - row['unanswered']} accepted"
    drawn = "" if row["value"] is None else bar(row["value"], UNIT, said, row["low"], row["high"])
    return [
        row["kind"],
        drawn,
        score(row["value"]),
        interval(row["low"], row["high"]),
        *(count(row[name]) for name in ("attempts", "unanswered", "made", "accepted")),
    ]


def _tried(rows: Sequence[Row]) -> Exhibit:
    counts: dict[str, dict[float | None, int]] = {
        row["kind"]: dict(Counter(map(float, row["tried"] or []))) for row in rows
    }
    return distribution(
        "documents-tried",
        "Documents tried for a question",
        "How many candidates the model was asked about until one gave a question. Each column counts the "
        "questions with so many; the paper of HopWeaver has 1.17 to 1.62 on average.",
        {kind: of_kind for kind, of_kind in counts.items() if of_kind},
        missing="No question was made yet.",
        titles=("Kind", "share of the questions"),
    )


def _polished(rows: Sequence[Row]) -> Exhibit:
    lines: list[list[Cell]] = []
    for (kind,), of_kind in grouped(rows, "kind"):
        found = {row["outcome"]: row["rows"] for row in of_kind}
        numbers = [found.get(outcome, 0) for _, outcome in _POLISHINGS]
        told = zip(numbers, (outcome for _, outcome in _POLISHINGS), strict=True)
        said = f"{kind}: " + ", ".join(f"{number} {outcome}" for number, outcome in told)
        parts = [(tone, number) for (tone, _), number in zip(_POLISHINGS, numbers, strict=True)]
        accepted = sum(row["accepted"] for row in of_kind)
        lines.append([kind, stack(parts, said), *map(count, numbers), count(accepted)])
    return Exhibit(
        "polishing",
        "What the polisher said",
        "pass: as it is; adjust: in better words; reworked: written anew; error: no reply could be read. A "
        "question that was adjusted or reworked may still break a rule, and is rejected then.",
        [
            Column("Kind"),
            Column("share of the questions", "chart"),
            *(Column(outcome.capitalize(), "number") for _, outcome in _POLISHINGS),
            Column("Accepted", "number"),
        ],
        plain(lines),
        "No question was polished yet.",
        legend=_POLISHINGS,
    )


def _reasons(slug: str, title: str, what: str, rows: Sequence[Row]) -> Exhibit:
    scale = bars_scale(rows, "rows")
    groups = [
        Group(kind, [_reason(row, bar(row["rows"], scale, f"{kind}, {row['reason']}")) for row in of_kind])
        for (kind,), of_kind in grouped(rows, "kind")
    ]
    return Exhibit(
        slug,
        title,
        f"Rejected {what} by reason, the most frequent first. docs/hopweaver.md explains the reasons.",
        [Column("Reason"), chart_column(what, scale), Column(what.capitalize(), "number")],
        groups,
        f"None of the {what} failed.",
        half=True,
    )


def _reason(row: Row, drawn: Cell) -> list[Cell]:
    return [(row["reason"] or "unknown").replace("_", " "), drawn, count(row["rows"])]
