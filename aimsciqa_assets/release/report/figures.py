"""The figures and tables of the page, each made of one query in `dbt_like_sql/analyses/report/`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from aimsciqa_assets.items import FORMS, kinds
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
    distribution,
    grouped,
    plain,
    score,
    share,
)

Rows = Mapping[str, Sequence[Row]]
"""Rows of the queries of `dbt_like_sql/analyses/report/`, by the query's name."""

_FATES = ("accepted", "pre_rejected", "rejected", "invalid")
_GATES = {
    "single_document": "no paper alone gives the answer",
    "closed_book": "memory does not give the answer",
    "unique_retrieval": "two retrievers rank the target first in its cluster",
    "no_duplicate": "no earlier item asks nearly the same",
}
_LIKERT = (1.0, 2.0, 3.0, 4.0, 5.0)
_SCORES_OF_PAIRS = (0.0, 0.5, 1.0)
_VERDICTS = (("good", "passed"), ("bad", "failed"), ("unknown", "not measured"))


def overview(rows: Rows) -> Section:
    """What there is, and which models made it."""
    lead = "From papers to items, and who wrote them. Every number below is read from the warehouse."
    return Section("overview", "Overview", lead, [_stages(rows), _licences(rows), _models(rows)])


def questions(rows: Rows) -> Section:
    """Single-hop questions: figures 3 and 4, Table 2, evidence coverage."""
    lead = "Questions about single paragraphs, each with a quote that carries its answer."
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


def multi_hop(rows: Rows) -> Section:
    """Multi-hop items: Table 3, their fates, the quality gates."""
    lead = "Items that need several papers: how many there are, how long they are, and which gates they pass."
    exhibits = [_item_statistics(rows), _fates(rows), _gates(rows)]
    return Section("items", "Items", lead, exhibits)


def quality(rows: Rows) -> Section:
    """What judges and people say of pairs and items: figure 5 and agreement."""
    lead = "How judges and people rate pairs and items, and how far they agree."
    exhibits = [*_judged(rows), _reliability(rows), *_audited(rows), _agreement(rows)]
    return Section("quality", "Quality", lead, exhibits)


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


def named(model: str) -> Cell:
    """A model, marked when it is the rule-based baseline."""
    return Markup("{}{}").format(model, BASELINE) if model == "extractive" else model


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
    names = list(kinds())
    lines = []
    for row in listed:
        of_kinds = {one["variant"]: one["rows"] for one in row["kinds"] or []}
        cells = [count(of_kinds.get(name, 0)) if row["kinds"] else None for name in names]
        lines.append([row["stage"], count(row["rows"]), *cells])
    return Exhibit(
        "stages",
        "From papers to items",
        f"Rows of each step. {'; '.join(titles().values())}.",
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
