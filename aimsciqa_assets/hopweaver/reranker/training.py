"""A training as rows: the curve, and the ranks of held-out queries before and after it."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from aimsciqa_resources.encoder import CrossEncoderModel

from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.retrieval.reranker_training import (
    RECIPES,
    CurvePoint,
    Group,
    Recipe,
    part_of,
    positive_ranks,
    train,
)
from aimsciqa_assets.settings.hopweaver import RerankerTrainingSettings

Row = dict[str, Any]
MODELS = "models"


@dataclass(frozen=True, slots=True)
class Training:
    """A finished training: the `folder` of the model, its curve, and the ranks on held-out groups."""

    folder: Path
    recipe: Recipe
    groups: int
    curve: list[CurvePoint]
    held_out: list[Group]
    before: list[int]
    after: list[int]


def recipe_of(settings: RerankerTrainingSettings) -> Recipe:
    """The named recipe with the values that the settings give; 0 leaves one as it is."""
    named = RECIPES[settings.recipe]
    return replace(
        named,
        learning_rate=settings.learning_rate or named.learning_rate,
        epochs=settings.epochs or named.epochs,
        batch=settings.batch or named.batch,
        group_size=settings.group_size or named.group_size,
    )


def trained(
    settings: RerankerTrainingSettings, groups: Sequence[Group], home: Path, unfinished: Path
) -> Training:
    """Train on the groups but for the held-out ones, and rank these before and after.

    The model's folder is named by what determines it: a retriever that names the folder is made anew after
    another training. Checkpoints lie in `unfinished`, so that a killed training goes on.
    """
    recipe = recipe_of(settings)
    learnt = [group for group in groups if part_of(group.query, settings.held_out) == "training"]
    held_out = [group for group in groups if part_of(group.query, settings.held_out) == "held_out"]
    name = digest({"base": settings.base, "recipe": asdict(recipe), "groups": list(map(asdict, learnt))})[:12]
    made = unfinished / name
    curve = train(settings.base, learnt, made, recipe)
    before = positive_ranks(_scorer(settings.base, recipe), held_out)
    after = positive_ranks(_scorer(str(made), recipe), held_out)
    folder = home / MODELS / f"hopweaver-reranker-{name}"
    shutil.rmtree(made / "checkpoints")
    folder.parent.mkdir(exist_ok=True)
    if not folder.exists():
        made.replace(folder)
    return Training(folder, recipe, len(learnt), curve, held_out, before, after)


def _scorer(model: str, recipe: Recipe) -> CrossEncoderModel:
    return CrossEncoderModel(model, recipe.query_tokens, recipe.passage_tokens)


def training_row(base: str, training: Training) -> Row:
    """The row of `hopweaver.rerankers`."""
    return {
        "folder": str(training.folder),
        "base": base,
        "recipe": json.dumps(asdict(training.recipe)),
        "queries": training.groups,
        "held_out_queries": len(training.held_out),
        "first_before": _share_first(training.before),
        "first_after": _share_first(training.after),
        "mrr_before": _mean([1 / rank for rank in training.before]),
        "mrr_after": _mean([1 / rank for rank in training.after]),
    }


def curve_rows(curve: Sequence[CurvePoint]) -> list[Row]:
    """Rows of `hopweaver.reranker_curve`."""
    return [asdict(point) for point in curve]


def rank_rows(training: Training) -> list[Row]:
    """Rows of `hopweaver.reranker_ranks`."""
    ranks = zip(training.held_out, training.before, training.after, strict=True)
    return [
        {
            "query": group.query,
            "documents": len(group.positives) + len(group.negatives),
            "rank_before": before,
            "rank_after": after,
        }
        for group, before, after in ranks
    ]


def _share_first(ranks: Sequence[int]) -> float | None:
    return _mean([float(rank == 1) for rank in ranks])


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
