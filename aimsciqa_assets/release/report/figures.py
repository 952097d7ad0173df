"""Figures and tables of what there is: papers, questions, items, rejections.

Each is made of one query in `dbt_like_sql/analyses/report/`.
"""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from aimsciqa_assets.items import kinds
from aimsciqa_assets.platform.stages import STAGE_NAMES
from aimsciqa_assets.release.report.charts import UNIT, bar, stack
from aimsciqa_assets.release.report.evidence import shortened
from aimsciqa_assets.release.report.exhibits import (
    BASELINE,
    Cell,
    Column,
    Exhibit,
    Group,
    Row,
    Section,
    bars_scale,
    chart_column,
    count,
    grouped,
    plain,
    score,
    share,
)
from aimsciqa_assets.release.report.necessity import necessity

Rows = Mapping[str, Sequence[Row]]
"""Rows of the queries of `dbt_like_sql/analyses/report/`, by the query's name."""

_FATES = ("accepted", "pre_rejected", "rejected", "invalid")
_GATES = {
    "single_document": "no paper alone gives the answer",
    "closed_book": "memory does not give the answer",
    "unique_retrieval": "two retrievers rank the target first in its cluster",
    "no_duplicate": "no earlier item asks nearly the same",
    "relabelling": "the cards of the papers lead to them",
    "necessity": "no test of the necessity ledger failed",
}
_VERDICTS = (("good", "passed"), ("bad", "failed"), ("unknown", "not measured"))


def overview(rows: Rows) -> Section:
    """What there is, and which models made it."""
    lead = "From papers to items, and who wrote them. Every number below is read from the warehouse."
    return Section("overview", "Overview", lead, [_stages(rows), _licences(rows), _models(rows)])


def questions(rows: Rows) -> Section:
    """Single-hop questions: figures 3 and 4, Table 2, evidence coverage; nothing where AIM-SciQA is off."""
    lead = "Questions about single paragraphs, each with a quote that carries its answer."
    if _is_off(rows):
        return Section("questions", "Questions", lead, [])
    return Section(
        "questions",
        "Questions",
        lead,
        [
            _per_section_kind(rows, "average", "pairs_per_section", "Questions per section", "Figure 3"),
            _per_section_kind(rows, "total", "pairs", "Questions in all", "Figure 4"),
            _pair_statistics(rows),
            _coverage(rows),
        ],
    )


def _is_off(rows: Rows) -> bool:
    """Whether HopWeaver alone makes questions: AIM-SciQA has asked about no paragraph."""
    asked = {row["stage"]: row["rows"] for row in rows["stages"]}.get("paragraphs asked about", 0)
    return bool(rows["weaving"]) and not asked


def multi_hop(rows: Rows) -> Section:
    """Multi-hop items: Table 3, their fates, the quality gates, the necessity ledger."""
    lead = "Items that need several papers: how many there are, how long they are, and which gates they pass."
    lengths = [] if _is_off(rows) else [_item_statistics(rows)]
    exhibits = [*lengths, _fates(rows), _gates(rows), *necessity(rows)]
    return Section("items", "Items", lead, exhibits)


def rejections(rows: Rows) -> Section:
    """What was rejected at each stage, and why."""
    lead = "Nothing is dropped silently: rejected rows stay in their table with a reason."
    listed = sorted(rows["rejections"], key=lambda row: _place_of(row["table_name"]))
    scale = bars_scale(listed, "rows")
    groups = [
        Group(
            table,
            [
                [reason, bar(row["rows"], scale, f"{table}, {reason}: {row['rows']:,}"), count(row["rows"])]
                for row in of_table
                for reason in [shortened(row["reason"], 200)]
            ],
        )
        for (table,), of_table in grouped(listed, "table_name")
    ]
    columns = [Column("Reason"), chart_column("rows rejected", scale), Column("Rows", "number")]
    exhibit = Exhibit(
        "rejected",
        "Rejections by stage",
        "Rows by the reason for which they were rejected, the most frequent first.",
        columns,
        groups,
        "No rejection is recorded yet.",
    )
    return Section("rejections", "Rejections", lead, [exhibit])


def named(answerer: str) -> Cell:
    """An answerer, marked if it is the extractive reader."""
    return Markup("{}{}").format(answerer, BASELINE) if answerer == "extractive" else answerer


def titles() -> dict[str, str]:
    """The titles of the kinds of items."""
    return {name: kind.title for name, kind in kinds().items()}


def _place_of(table: str) -> int:
    """The place of a table's stage in the method."""
    stage = table.split(".", maxsplit=1)[0]
    return STAGE_NAMES.index(stage) if stage in STAGE_NAMES else len(STAGE_NAMES)


def _stages(rows: Rows) -> Exhibit:
    # Without any rows the table would show only zeros.
    listed = rows["stages"] if any(row["rows"] for row in rows["stages"]) else []
    found = {one["variant"] for row in listed for one in row["kinds"] or []}
    names = [name for name in kinds() if name in found or not found]
    lines = []
    for row in listed:
        of_kinds = {one["variant"]: one["rows"] for one in row["kinds"] or []}
        cells = [count(of_kinds.get(name, 0)) if row["kinds"] else None for name in names]
        lines.append([row["stage"], count(row["rows"]), *cells])
    return Exhibit(
        "stages",
        "From papers to items",
        f"Rows of each step. {'; '.join(titles()[name] for name in names)}.",
        [
            Column("Step"),
            Column("All", "number"),
            *(Column(name.upper(), "number", none="") for name in names),
        ],
        plain(lines),
        "No papers yet.",
        half=True,
    )


def _models(rows: Rows) -> Exhibit:
    def name(row: Row) -> Cell:
        return Markup("{}{}").format(row["model"], BASELINE) if row["baseline"] else row["model"]

    lines = [[row["task"], name(row), row["revision"], count(row["rows"])] for row in rows["models"]]
    return Exhibit(
        "models",
        "Models used",
        "Who wrote, encoded, answered and judged. A rule-based baseline works without a language model; it "
        "shows that the pipeline runs, not what a model can do.",
        [Column("For"), Column("Model"), Column("Revision"), Column("Rows", "number")],
        plain(lines),
        "No model was used yet.",
        half=True,
    )


def _licences(rows: Rows) -> Exhibit:
    refused = any(row["reasons"] for row in rows["licences"])
    lines = [
        [
            row["licence"],
            count(row["papers"]),
            count(row["releasable"]),
            *([row["reasons"].replace("_", " ") or None] if refused else []),
        ]
        for row in rows["licences"]
    ]
    return Exhibit(
        "licences",
        "Licences",
        "Papers by licence, and how many of them may be passed on with what was made of them.",
        [
            Column("Licence"),
            Column("Papers", "number"),
            Column("May be passed on", "number"),
            *([Column("Why not", none="")] if refused else []),
        ],
        plain(lines),
        "No licence was looked at yet.",
        half=True,
    )


def _per_section_kind(rows: Rows, slug: str, name: str, title: str, figure: str) -> Exhibit:
    listed = sorted(rows["questions_per_section_kind"], key=lambda row: (-(row[name] or 0), row["kind"]))
    scale = bars_scale(listed, name)
    total = name == "pairs"
    lines = []
    for row in listed:
        shown = count(row[name]) if total else score(row[name], 2)
        lines.append([row["kind"], bar(row[name], scale, f"{row['kind']}: {shown}"), shown])
    label = "kept QA pairs" if total else "kept QA pairs per section"
    caption = (
        "Kept QA pairs by kind of section."
        if total
        else "Kept QA pairs per section, by kind. Sections without pairs count too."
    )
    return Exhibit(
        slug,
        title,
        f"{caption} After {figure} of the paper.",
        [Column("Section"), chart_column(label, scale), Column("Pairs", "number")],
        plain(lines),
        "No sections with questions yet.",
        half=True,
    )


def _pair_statistics(rows: Rows) -> Exhibit:
    def value(row: Row) -> str | None:
        whole = row["value"] is not None and row["value"] == int(row["value"])
        return count(int(row["value"])) if whole else score(row["value"], 2)

    lines = [[row["item"], value(row), row["unit"]] for row in rows["pair_statistics"]]
    return Exhibit(
        "table-2",
        "Single-hop statistics",
        "After Table 2 of the paper. Lengths are in characters, over kept pairs.",
        [Column("Figure"), Column("Value", "number", none="undefined"), Column("Unit")],
        plain(lines),
        "No statistics of QA pairs yet.",
        half=True,
    )


def _coverage(rows: Rows) -> Exhibit:
    lines = [
        [
            row["kind"],
            bar(row["coverage"], UNIT, f"{row['kind']}: {score(row['coverage'])}"),
            score(row["coverage"]),
            count(row["evidence_sentences"]),
            count(row["sentences"]),
        ]
        for row in rows["evidence_coverage"]
    ]
    return Exhibit(
        "coverage",
        "Evidence coverage",
        "Share of a section's sentences that are evidence of a kept QA pair: mean over the sections of a "
        "kind.",
        [
            Column("Section"),
            chart_column("mean share of sentences", UNIT),
            Column("Mean", "number"),
            Column("Evidence", "number"),
            Column("Sentences", "number"),
        ],
        plain(lines),
        "Evidence coverage was not measured yet.",
        half=True,
    )


def _item_statistics(rows: Rows) -> Exhibit:
    lengths = [f"{part}_question" for part in ("retrieval", "inter_document", "merged")]
    lengths += [f"{part}_answer" for part in ("inter_document", "merged")]
    lines = [
        [
            f"{row['variant'].upper()}, {row['split']}",
            count(row["items"]),
            *(count(row[name]) for name in ("core_pairs", "mirrored_items", "dropped_mirrors")),
            *(score(row[f"{length}_words"], 2) for length in lengths),
        ]
        for row in rows["item_statistics"]
    ]
    titles = [length.replace("_", " ").replace("inter document", "inter-document") for length in lengths]
    return Exhibit(
        "table-3",
        "Multi-hop statistics",
        "After Table 3 of the paper. Average lengths in words, over accepted items. A to B and B to A on one "
        "core pair are one fact; the mirrors dropped are those of the variant, of both splits together.",
        [
            Column("Variant and split"),
            Column("Items", "number"),
            Column("Core pairs", "number", none="unknown"),
            Column("Mirrored items", "number", none="unknown"),
            Column("Mirrors dropped", "number", none="unknown"),
            *(Column(title.capitalize(), "number", none="undefined") for title in titles),
        ],
        plain(lines),
        "No accepted items yet.",
    )


def _fates(rows: Rows) -> Exhibit:
    lines = [
        [
            titles().get(row["variant"], row["variant"]),
            count(row["items"]),
            *(count(row[fate]) for fate in _FATES),
            share(row["accepted"], row["items"]),
        ]
        for row in rows["items_by_fate"]
    ]
    return Exhibit(
        "fates",
        "Fates of the items",
        "Pre-rejected: the composer found nothing to ask. Rejected: validation said no. Invalid: the reply "
        "could not be used.",
        [
            Column("Variant"),
            Column("Composed", "number"),
            *(Column(fate.replace("_", "-").capitalize(), "number") for fate in _FATES),
            Column("Accepted", "number", none="undefined"),
        ],
        plain(lines),
        "No items yet.",
    )


def _gates(rows: Rows) -> Exhibit:
    lines: list[list[Cell]] = []
    for row in rows["gates"]:
        counts = [row["passed"], row["failed"], row["unknown"]]
        said = f"{row['gate']}: {counts[0]} passed, {counts[1]} failed, {counts[2]} unknown"
        parts = [(tone, number) for (tone, _), number in zip(_VERDICTS, counts, strict=True)]
        lines.append(
            [
                Markup("{}<small>{}</small>").format(
                    row["gate"].replace("_", " "), _GATES.get(row["gate"], "")
                ),
                stack(parts, said),
                share(row["passed"], row["passed"] + row["failed"]),
                *(count(number) for number in counts),
            ]
        )
    return Exhibit(
        "gates",
        "Quality gates",
        "Accepted items at gates that the paper does not have. The share is of the items with a verdict.",
        [
            Column("Gate"),
            Column("share of the items", "chart"),
            Column("Passed", "number", none="undefined"),
            *(Column(title.capitalize(), "number") for title in ("pass", "fail", "unknown")),
        ],
        plain(lines),
        "No quality gate has checked an item yet.",
        legend=_VERDICTS,
    )
