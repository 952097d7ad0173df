"""Evidence accessibility and answerability on the page: can the documents be found, and do they help?"""

from collections.abc import Sequence
from typing import Final

from aimsciqa_assets.items import kinds
from aimsciqa_assets.release.report.charts import UNIT, bar
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
    score,
)

MEASURES: Final = {
    "accuracy": "Accuracy",
    "fact_recall": "Fact recall",
    "fact_precision": "Fact precision",
    "exact_match": "Exact match",
    "token_f1": "Token F1",
    "exact_match_bridge": "Exact match (HopWeaver, bridge)",
    "token_f1_bridge": "Token F1 (HopWeaver, bridge)",
    "exact_match_comparison": "Exact match (HopWeaver, comparison)",
    "token_f1_comparison": "Token F1 (HopWeaver, comparison)",
    "rouge_l": "ROUGE-L",
    **{
        f"rouge{which}_{part}": f"ROUGE-{which.strip('_').upper()} {said}"
        for which in ("1", "2", "_l")
        for part, said in (("precision", "precision"), ("recall", "recall"), ("f1", "F1"))
    },
    "rouge_mean": "Mean ROUGE F1",
    "bert_score": "BERTScore",
    "bleurt": "BLEURT",
    "aspects": "Four aspects",
    "scidqa_avg": "Avg",
    "found_target": "All targets found",
}
"""The measures of answers in words."""


def evidence_access(rows: Sequence[Row]) -> Exhibit:
    """How well each retriever finds the gold papers of the items among all papers."""
    groups = []
    for (variant, measure), of in grouped(rows, "variant", "measure"):
        lines = [_found(row) for row in of]
        groups.append(Group(f"{_title(variant)}: {measure}", lines))
    return Exhibit(
        "evidence-access",
        "Evidence accessibility",
        "After Table 3 of HopWeaver's paper: are the gold papers found among all papers? MAP and Support F1 "
        f"are at 10. {_missing(rows)} Lines are 95 % bootstrap intervals.",
        [
            Column("Retriever"),
            chart_column("mean over the queries", UNIT),
            Column("Mean", "number", none="undefined"),
            Column("95 %", "number"),
            *(Column(title, "number") for title in ("Queries", "Without gold", "Without result")),
        ],
        groups,
        "No retriever was evaluated yet.",
        folded=True,
    )


def answerability(rows: Sequence[Row]) -> Exhibit:
    """What models answer without documents, and with all of them."""
    groups = []
    for (variant, measure, judge), of in grouped(rows, "variant", "measure", "judge"):
        by = f", judged by {judge}" if judge else ""
        lines: list[list[Cell]] = [
            [
                row["answerer"],
                score(row["question_only"]),
                interval(row["question_only_low"], row["question_only_high"]),
                score(row["with_documents"]),
                interval(row["with_documents_low"], row["with_documents_high"]),
                score(row["gain"]),
                count(row["answers"]),
            ]
            for row in of
        ]
        groups.append(Group(f"{_title(variant)}: {MEASURES.get(measure, measure)}{by}", lines))
    return Exhibit(
        "answerability",
        "Answerability",
        "Question only: the model reads no document (closed book). With documents: it reads all documents of "
        "the item (oracle). A question that needs its documents gains much by them.",
        [
            Column("Model"),
            Column("Question only", "number"),
            Column("95 %", "number"),
            Column("With documents", "number"),
            Column("95 %", "number"),
            Column("Gain", "number"),
            Column("Answers", "number"),
        ],
        groups,
        "No model has answered with and without documents yet.",
        folded=True,
    )


def _found(row: Row) -> list[Cell]:
    said = f"{row['retriever']}, {row['measure']}: {score(row['value'])}"
    return [
        row["retriever"],
        bar(row["value"], UNIT, said, row["low"], row["high"]),
        score(row["value"]),
        interval(row["low"], row["high"]),
        *(count(row[name]) for name in ("queries", "without_gold", "without_ranking")),
    ]


def _missing(rows: Sequence[Row]) -> str:
    if any(row["missing"] == "skip" for row in rows):
        return "Queries without gold papers or without a result are skipped."
    return "Queries without gold papers or without a result count as 0."


def _title(variant: str) -> str:
    kind = kinds().get(variant)
    return kind.title if kind else variant
