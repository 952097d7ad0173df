"""What requests gave: requests and items of each system, and how Findings came from papers to items."""

from collections.abc import Mapping, Sequence

from aimsciqa_assets.release.report.charts import bar
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
    plain,
    score,
)


def yields(rows: Mapping[str, Sequence[Row]]) -> Section:
    """Return the section on requests and what they gave; without exhibits if no model was asked."""
    systems = rows["yield"]
    lead = "What models were asked, and how many accepted items that gave. A judge has to say which are good."
    exhibits = [_systems(systems), _tasks(systems)] if systems else []
    exhibits += [_funnel(system) for system in systems if system["funnel"]]
    return Section("yield", "Yield", lead, [*exhibits, _reasons(systems)] if systems else [])


def _systems(systems: Sequence[Row]) -> Exhibit:
    lines = [
        [
            system["system"],
            *_taken(system),
            count(system["accepted"]),
            score(system["per_1000_requests"], 1),
            score(system["per_paper"], 2),
        ]
        for system in systems
    ]
    return Exhibit(
        "yield-systems",
        "Accepted items for requests",
        "Requests of earlier prompts, models and settings do not count. Cost is what the replies cost when "
        "they were made.",
        [
            Column("System"),
            *_TAKEN,
            *(
                Column(title, "number", none="undefined")
                for title in ("Accepted", "Per 1,000 requests", "Per paper")
            ),
        ],
        plain(lines),
        "No model was asked yet.",
    )


_TAKEN = (
    *(Column(title, "number") for title in ("Requests", "Tokens in", "Tokens out")),
    Column("Cost", "number", none="no price"),
)


def _taken(row: Row) -> list[Cell]:
    counts = [count(row[name]) for name in ("requests", "prompt_tokens", "reply_tokens")]
    return [*counts, score(row["cost"], 2)]


def _tasks(systems: Sequence[Row]) -> Exhibit:
    groups = [
        Group(
            system["system"],
            [[task["task"].replace("_", " "), *_taken(task)] for task in system["tasks"]],
        )
        for system in systems
    ]
    return Exhibit(
        "yield-tasks",
        "Requests by task",
        "Tasks in the order in which they were asked first.",
        [Column("Task"), *_TAKEN],
        groups,
        "No model was asked yet.",
    )


def _funnel(system: Row) -> Exhibit:
    scale = bars_scale(system["funnel"], "rows")
    lines = [
        [row["step"], bar(row["rows"], scale, f"{row['step']}: {row['rows']:,}"), count(row["rows"])]
        for row in system["funnel"]
    ]
    return Exhibit(
        "yield-funnel",
        f"{system['system']}: from papers to items",
        "A draft is challenged, then read strictly, and may be dropped in either.",
        [Column("Step"), chart_column("rows", scale), Column("Rows", "number")],
        plain(lines),
        "No paper was read yet.",
        half=True,
    )


def _reasons(systems: Sequence[Row]) -> Exhibit:
    scale = bars_scale([reason for system in systems for reason in system["reasons"] or ()], "rows")
    groups = [
        Group(
            system["system"],
            [
                [
                    row["reason"].replace("_", " "),
                    row["table"],
                    bar(row["rows"], scale, f"{row['table']}, {row['reason']}: {row['rows']:,}"),
                    count(row["rows"]),
                ]
                for row in system["reasons"] or ()
            ],
        )
        for system in systems
    ]
    return Exhibit(
        "yield-reasons",
        "Most frequent reasons for rejection",
        "The ten most frequent reasons of each system, over all its tables.",
        [Column("Reason"), Column("Table"), chart_column("rows rejected", scale), Column("Rows", "number")],
        groups,
        "No rejection is recorded yet.",
        half=True,
    )
