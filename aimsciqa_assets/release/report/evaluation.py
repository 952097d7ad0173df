"""Retrieval and answering on the page: Tables 6, 7 and 8 of the paper as bars with intervals."""

from collections.abc import Sequence

from aimsciqa_assets.release.report.accessibility import answerability, evidence_access
from aimsciqa_assets.release.report.answers import (
    OF_LONG_ANSWERS,
    all_settings,
    measure_name,
    of_long_answers,
)
from aimsciqa_assets.release.report.charts import UNIT, bar, dumbbell, scale_of
from aimsciqa_assets.release.report.exhibits import (
    Cell,
    Column,
    Exhibit,
    Group,
    Row,
    Section,
    chart_column,
    grouped,
    interval,
    score,
)
from aimsciqa_assets.release.report.figures import Rows, named, titles

_SETTINGS = {
    "cluster": "the item's cluster",
    "random": "a random cluster",
    "full": "the whole corpus",
}
_MEASURES = {
    "cluster": ("Hit@1", "Hit@3", "MRR@5"),
    "random": ("Hit@1", "Hit@3", "MRR@5"),
    "full": ("Hit@1", "Hit@50", "MRR@50"),
}
"""What the paper reports (Table 6)."""
_NOT_COMPARED = frozenset(
    {
        *OF_LONG_ANSWERS,
        # It says nothing in the oracle setting, which gives all papers.
        "found_target",
        *(
            f"{measure}_{kind}"
            for measure in ("exact_match", "token_f1")
            for kind in ("bridge", "comparison")
        ),
    }
)


def retrieval(rows: Rows) -> Section:
    """Does the retrieval question find the papers that are to be found?"""
    lead = "The query is the retrieval question alone." + _right_papers(rows["right_papers"][0])
    exhibits = [
        _bars(variant, setting, of_setting)
        for (setting, variant), of_setting in grouped(rows["retrieval_scores"], "setting", "variant")
    ]
    missing = "No retriever was evaluated yet."
    nothing = Exhibit("retrieval-none", "Retrieval scores", "", [], [], missing)
    exhibits = [
        *(exhibits or [nothing]),
        _all_measures(rows),
        evidence_access(rows["evidence_access"]),
        _comparisons(rows),
    ]
    return Section("retrieval", "Retrieval", lead, exhibits)


def answering(rows: Rows) -> Section:
    """Do models answer with the right papers, and with those that retrieval gives?"""
    lead = (
        "Oracle: the model reads the papers of the item. Realistic: those in hand (the source), and in place "
        "of the others as many papers that were retrieved first."
    )
    listed = rows["answering_scores"]
    exhibits = [
        _oracle_and_realistic(variant, of_variant) for (variant,), of_variant in grouped(listed, "variant")
    ]
    missing = "No model has answered the items yet."
    nothing = Exhibit("answering-none", "Oracle and realistic", "", [], [], missing)
    exhibits = [*(exhibits or [nothing]), answerability(rows["answerability"]), all_settings(listed)]
    if there := of_long_answers(listed):
        exhibits.append(there)
    return Section("answering", "Answering", lead, exhibits)


def _right_papers(found: Row) -> str:
    least, most = found["least"], found["most"]
    if not most:
        return ""
    if most == 1:
        return " For each query, one paper is right."
    return f" For each query, {most if least == most else f'{least} to {most}'} papers are right."


def _main_measures(setting: str, rows: Sequence[Row]) -> list[str]:
    """The measures that the paper reports for a setting; all measures if none of these were taken."""
    there = dict.fromkeys(row["measure"] for row in rows)
    return [measure for measure in _MEASURES.get(setting, ()) if measure in there] or list(there)


def _where(variant: str, setting: str) -> str:
    return f"{variant.upper()}, {_SETTINGS.get(setting, setting)}"


def _bars(variant: str, setting: str, rows: Sequence[Row]) -> Exhibit:
    groups = []
    for measure in _main_measures(setting, rows):
        lines: list[list[Cell]] = []
        for row in rows:
            if row["measure"] != measure:
                continue
            ends = interval(row["low"], row["high"])
            said = f"{row['retriever']}, {measure}: {score(row['value'])}" + (f" ({ends})" if ends else "")
            lines.append(
                [
                    row["retriever"],
                    bar(row["value"], UNIT, said, row["low"], row["high"]),
                    score(row["value"]),
                    ends,
                ]
            )
        groups.append(Group(measure, lines))
    queries = max((row["queries"] for row in rows), default=0)
    return Exhibit(
        f"retrieval-{variant}-{setting}",
        f"{variant.upper()}: in {_SETTINGS.get(setting, setting)}",
        f"After Table 6 of the paper; {queries:,} queries. Lines are 95 % bootstrap intervals.",
        [
            Column("Retriever"),
            chart_column("mean over the queries", UNIT),
            Column("Mean", "number"),
            Column("95 %", "number"),
        ],
        groups,
        "No retriever was evaluated yet.",
        half=True,
    )


def _all_measures(rows: Rows) -> Exhibit:
    """Measures by retriever, everything that was measured."""
    listed = rows["retrieval_scores"]
    retrievers = sorted({row["retriever"] for row in listed})
    groups = []
    for (setting, variant), of_setting in grouped(listed, "setting", "variant"):
        lines: list[list[Cell]] = []
        for (measure,), of_measure in grouped(of_setting, "measure"):
            values = {row["retriever"]: row["value"] for row in of_measure}
            lines.append([measure, *(score(values.get(retriever)) for retriever in retrievers)])
        groups.append(Group(_where(variant, setting), lines))
    columns = [Column("Measure"), *(Column(retriever, "number") for retriever in retrievers)]
    return Exhibit(
        "retrieval-measures",
        "All measures of retrieval",
        "Means over the queries.",
        columns,
        groups,
        "No measures of retrieval yet.",
        folded=True,
    )


def _comparisons(rows: Rows) -> Exhibit:
    groups = []
    for (setting, variant), of_setting in grouped(rows["retrieval_comparisons"], "setting", "variant"):
        main = _main_measures(setting, of_setting)
        lines: list[list[Cell]] = [
            [
                f"{row['retriever']} − {row['other']}",
                row["measure"],
                score(row["difference"]),
                interval(row["low"], row["high"]),
                _chance(row["p_adjusted"]),
            ]
            for row in of_setting
            if row["measure"] in main
        ]
        groups.append(Group(_where(variant, setting), lines))
    return Exhibit(
        "comparisons",
        "Retrievers compared",
        "Differences on the same queries. p: two-sided paired randomisation test, with Holm's adjustment.",
        [
            Column("Retrievers"),
            Column("Measure"),
            Column("Difference", "number"),
            Column("95 %", "number"),
            Column("p", "number", none="undefined"),
        ],
        groups,
        "No retrievers were compared yet.",
        folded=True,
    )


def _chance(value: float | None) -> str | None:
    return "< 0.001" if value is not None and value < 0.001 else score(value)


def _oracle_and_realistic(variant: str, rows: Sequence[Row]) -> Exhibit:
    compared = [
        row
        for row in rows
        if row["setting"] in {"oracle", "realistic"} and row["measure"] not in _NOT_COMPARED
    ]
    scale = scale_of([1.0, *(row["value"] for row in compared)])
    groups = []
    for _, of_measure in grouped(compared, "measure", "judge"):
        values: dict[str, dict[str, float]] = {}
        for row in of_measure:
            values.setdefault(row["answerer"], {})[row["setting"]] = row["value"]
        lines: list[list[Cell]] = []
        for answerer, both in values.items():
            oracle, realistic = both.get("oracle"), both.get("realistic")
            gap = None if oracle is None or realistic is None else realistic - oracle
            said = f"{answerer}: oracle {score(oracle)}, realistic {score(realistic)}"
            line = [dumbbell(oracle, realistic, scale, said), score(oracle), score(realistic), score(gap)]
            lines.append([named(answerer), *line])
        groups.append(Group(measure_name(of_measure[0]), lines))
    return Exhibit(
        f"answering-{variant}",
        f"Oracle and realistic, {variant.upper()}",
        f"After Tables 7 and 8 of the paper: {titles().get(variant, variant)}.{_no_bert_score(rows)}",
        [
            Column("Model"),
            chart_column("mean over the answers", scale),
            *(Column(title, "number") for title in ("Oracle", "Realistic", "Difference")),
        ],
        groups,
        "No answers in the oracle or realistic setting yet.",
        legend=(("dot", "oracle"), ("ring", "realistic")),
    )


def _no_bert_score(rows: Sequence[Row]) -> str:
    there = any(row["measure"] == "bert_score" for row in rows)
    return "" if there else " BERTScore is missing: its model is not installed."
