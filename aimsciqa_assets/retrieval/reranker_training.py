"""Training of a reranker on which documents served a query and which did not (HopWeaver, simulated feedback).

A group is a query with documents that a model could use (positives) and could not use (negatives). The loss
is the mean cross-entropy over groups of one positive and some negatives: that of FlagEmbedding, which
HopWeaver uses, and of `ListNetLoss` with labels 100 and 0.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from aimsciqa_resources.encoder import PairScorer, beginning, cross_encoder

if TYPE_CHECKING:
    from datasets import Dataset
    from sentence_transformers import CrossEncoder

Part = Literal["training", "held_out"]
_SURE: Final = 100.0
"""The label of a positive. `ListNetLoss` takes the softmax of the labels: with 1 and 0 it would ask for
scores that differ by one only."""


class TrainingUnavailableError(RuntimeError):
    """What training needs is not installed."""


class NothingToLearnError(ValueError):
    """No query has both a document that served it and one that did not."""


@dataclass(frozen=True, slots=True)
class Group:
    """A query with the documents that served it and those that did not."""

    query: str
    positives: tuple[str, ...]
    negatives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a reranker is trained.

    `group_size` documents of a query are compared at once, one of them a positive; `batch` groups make a step
    of the optimiser. Lengths are in tokens. `save_steps` steps lie between two checkpoints.
    """

    learning_rate: float
    epochs: float
    batch: int
    group_size: int = 4
    warmup: float = 0.1
    weight_decay: float = 0.01
    query_tokens: int = 512
    passage_tokens: int = 8196
    save_steps: int = 100
    seed: int = 42


RECIPES: Final[Mapping[str, Recipe]] = {
    # The script of the authors: two devices with four groups each.
    "paper": Recipe(learning_rate=6e-5, epochs=10, batch=8),
    # What their README advises: 5e-6 to 7e-6, two or three epochs.
    "readme": Recipe(learning_rate=6e-6, epochs=3, batch=16),
}


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The loss over the steps since the point before; `epoch` counts from 0, in parts."""

    step: int
    epoch: float
    loss: float
    learning_rate: float


def part_of(query: str, held_out: float) -> Part:
    """Whether a query is trained on. Its hash decides, so that later feedback moves no query."""
    number = int.from_bytes(sha256(query.encode()).digest()[:8], "big") / 2**64
    return "held_out" if number < held_out else "training"


def training_rows(groups: Sequence[Group], size: int, seed: int) -> list[tuple[str, list[str]]]:
    """A query with `size` documents, the positive first, for each positive of each group.

    Of more than `size` - 1 negatives some are drawn; of fewer, all are taken once. Groups that lack a
    positive or a negative teach nothing and are left out.
    """
    drawn = random.Random(seed)
    return [
        (group.query, [positive, *_some(group.negatives, size - 1, drawn)])
        for group in groups
        if group.negatives
        for positive in group.positives
    ]


def _some(negatives: Sequence[str], most: int, drawn: random.Random) -> list[str]:
    return list(negatives) if len(negatives) <= most else drawn.sample(negatives, most)


def train(base: str, groups: Sequence[Group], folder: Path, recipe: Recipe) -> list[CurvePoint]:
    """Train the cross-encoder `base` on the groups, and save it in `folder`; its loss by step.

    `base` is a folder or a name on the Hugging Face hub. Checkpoints lie in `folder/checkpoints`; a training
    that was killed goes on from the last one. Raises `NothingToLearnError`, `TrainingUnavailableError`
    without the extra `train`, and `EncoderUnavailableError` for a model that cannot be loaded or gives more
    than one score.
    """
    rows = training_rows(groups, recipe.group_size, recipe.seed)
    if not rows:
        raise NothingToLearnError(
            "There is nothing to learn from: no query has both a document that served it and one that "
            "did not."
        )
    trainer = _trainer(cross_encoder(base), rows, folder / "checkpoints", recipe)
    begun = any((folder / "checkpoints").glob("checkpoint-*"))
    trainer.train(resume_from_checkpoint=begun)
    trainer.model.save_pretrained(str(folder))
    return [
        CurvePoint(one["step"], one["epoch"], one["loss"], one["learning_rate"])
        for one in trainer.state.log_history
        if "loss" in one
    ]


def _trainer(
    model: "CrossEncoder", rows: Sequence[tuple[str, list[str]]], checkpoints: Path, recipe: Recipe
) -> Any:
    try:
        from datasets import Dataset
        from sentence_transformers.cross_encoder import (
            CrossEncoderTrainer,
            CrossEncoderTrainingArguments,
        )
        from sentence_transformers.cross_encoder.losses import ListNetLoss
        from torch.cuda import is_available
        from transformers import PrinterCallback

        arguments = CrossEncoderTrainingArguments(
            output_dir=str(checkpoints),
            learning_rate=recipe.learning_rate,
            num_train_epochs=recipe.epochs,
            per_device_train_batch_size=recipe.batch,
            # A number below 1 is a share of all steps.
            warmup_steps=recipe.warmup,
            weight_decay=recipe.weight_decay,
            save_steps=recipe.save_steps,
            save_total_limit=3,
            logging_steps=1,
            seed=recipe.seed,
            report_to=[],
            disable_tqdm=True,
            dataloader_pin_memory=is_available(),
        )
    except ImportError as error:
        raise TrainingUnavailableError(
            "Training a reranker needs two more packages: pip install '.[train]'"
        ) from error
    trainer = CrossEncoderTrainer(
        model=model,
        args=arguments,
        train_dataset=_dataset(Dataset, model, rows, recipe),
        loss=ListNetLoss(model),
    )
    # The curve has what it would print.
    trainer.remove_callback(PrinterCallback)
    return trainer


def _dataset(
    kind: "type[Dataset]", model: "CrossEncoder", rows: Sequence[tuple[str, list[str]]], recipe: Recipe
) -> "Dataset":
    made: Dataset = kind.from_dict(
        {
            "query": [beginning(query, recipe.query_tokens, model) for query, _ in rows],
            "documents": [
                [beginning(one, recipe.passage_tokens, model) for one in documents] for _, documents in rows
            ],
            "labels": [[_SURE] + [0.0] * (len(documents) - 1) for _, documents in rows],
        }
    )
    return made


def positive_ranks(scorer: PairScorer, groups: Sequence[Group]) -> list[int]:
    """The rank, from 1, of the best positive of each group; of equal scores the negatives stand first."""
    ranks = []
    for group in groups:
        scores = scorer.scores(group.query, [*group.positives, *group.negatives])
        best = max(scores[: len(group.positives)])
        ranks.append(1 + sum(score >= best for score in scores[len(group.positives) :]))
    return ranks
