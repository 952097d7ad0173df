"""Answers to items with their own evaluator: a function of the item's form scores them, not a judge."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from aimsciqa_assets.benchmark.answering.judging import without_answer
from aimsciqa_assets.items import form_of

Row = dict[str, Any]

EVALUATOR: Final = "evaluator"


def divided(answers: Iterable[Row], items: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """The answers for the judges, and the answers to items with an `evaluator`, each with that evaluator."""
    evaluators = {item["item_id"]: item["evaluator"] for item in items if item["evaluator"] is not None}
    listed = list(answers)
    judged = [row for row in listed if row["item_id"] not in evaluators]
    return judged, [
        row | {"evaluator": evaluators[row["item_id"]]} for row in listed if row["item_id"] in evaluators
    ]


def evaluated_judgements(answers: Sequence[Row]) -> Iterator[Row]:
    """Rows of `benchmark.judgements`; an answer that was not given gets 0.

    Raises `ValueError` when the form of an item has no function `evaluate`.
    """
    for row in answers:
        form = form_of(row["variant"])
        if form.evaluate is None:
            raise ValueError(
                f"Item {row['item_id']} has an evaluator, but the form {form.name!r} cannot evaluate: give "
                "it a function `evaluate` in aimsciqa_assets/items/."
            )
        score, reason = without_answer(row)
        if row["prediction"] is not None:
            score, reason = form.evaluate(row["evaluator"], row["prediction"]), None
        yield {
            "answer_id": row["answer_id"],
            "judge": EVALUATOR,
            "answerer": row["answerer"],
            "item_id": row["item_id"],
            "setting": row["setting"],
            "kind": EVALUATOR,
            "score": score,
            "rejection_reason": reason,
            "reply": None,
            "prompt_version": "",
        }
