"""Items drawn for the judges, and the judges' replies as ratings."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl
from aimsciqa_resources.language_model import Dialogue, LanguageModel, beginning_with

from aimsciqa_assets.asking.families import same_family
from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.judging.dimensions import DIMENSIONS
from aimsciqa_assets.judging.showing import MOST_DOCUMENTS
from aimsciqa_assets.judging.task import MISSING_DIMENSION, QUALITY, Scores
from aimsciqa_assets.platform.frames import frame_of

Row = dict[str, Any]

OWN_FAMILY = "own_family"
TOO_MANY_DOCUMENTS = "too_many_documents"


def divided(rows: Iterable[Row], judge: str) -> tuple[list[Row], list[Row]]:
    """Items that the judge may rate, and the others with their `reason`.

    These are what a model of its own family wrote, and items of more documents than a judge is shown.
    """
    rated: list[Row] = []
    others: list[Row] = []
    for row in rows:
        if same_family(row["written_by"], judge):
            others.append(row | {"reason": OWN_FAMILY})
        elif len(row["told"]["documents"]) > MOST_DOCUMENTS:
            others.append(row | {"reason": TOO_MANY_DOCUMENTS})
        else:
            rated.append(row)
    return rated, others


def rating_dialogues(rows: Iterable[Row], runs: int) -> Iterator[Dialogue[Outcome[Scores]]]:
    """One dialogue per item and run; the runs of an item follow each other, for the prefix cache."""
    for row in rows:
        for run in range(1, runs + 1):
            asked = QUALITY.ask(f"{row['item_id']}/{run}", run=run, **row["told"])
            yield beginning_with(row["item_id"], asked)


def ratings_of(
    outcomes: Iterable[Outcome[Scores]],
    rated: Iterable[Row],
    others: Iterable[Row],
    *,
    runs: int,
    judge: str,
    model: LanguageModel,
) -> pl.DataFrame:
    """Rows of `benchmark.ratings`: every dimension of every item and run, scored or with a reason.

    `rated` and `others` are what `divided` gives.
    """
    items = {row["item_id"]: row for row in rated}
    made_by = {"model": model.name, "model_revision": model.revision, "prompt_version": QUALITY.version}
    rows: list[Row] = []
    for outcome in outcomes:
        item, _, number = outcome.key.rpartition("/")
        rows += _rows(items[item], int(number), outcome.value or {}, outcome.failure or MISSING_DIMENSION)
    for row in others:
        for run in range(1, runs + 1):
            rows += _rows(row, run, {}, row["reason"])
    whole = [{"judge": judge} | row | made_by for row in rows]
    return frame_of("benchmark.ratings", whole).sort("item_id", "run", "dimension")


def _rows(item: Row, run: int, scores: Mapping[str, int], otherwise: str) -> list[Row]:
    return [
        {
            "item_id": item["item_id"],
            "shown": item["shown"],
            "shown_words": item["shown_words"],
            "run": run,
            "dimension": dimension,
            "score": scores.get(dimension),
            "rejection_reason": None if dimension in scores else otherwise,
        }
        for dimension in DIMENSIONS
    ]
