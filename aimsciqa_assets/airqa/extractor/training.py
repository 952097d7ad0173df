"""Fine-tuning of a language model on an export, by TRL and PEFT (AirQA, EXTRACTOR, table 9).

The loss is on the last message of a sample; where samples are whole trajectories, on all of the assistant's.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from aimsciqa_assets.airqa.extractor.fitting import Count, ExportError, Form, file_of, fitted, rows_of
from aimsciqa_assets.airqa.extractor.recipe import PAPER, Recipe

Row = dict[str, Any]

RECORD: Final = "training.json"
CHECKPOINTS: Final = "checkpoints"
_SAVED_AFTER: Final = 50
"""Steps between two checkpoints."""


class TrainingUnavailableError(RuntimeError):
    """What training needs is not installed."""


class FolderTakenError(ValueError):
    """The folder for an adapter holds something else."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished training.

    `samples` were trained on, of which `shortened` lost turns; `too_long` ones do not even fit with one turn.
    `losses` are those of the steps.
    """

    samples: int
    shortened: int
    too_long: int
    losses: tuple[float, ...]


def train(export: Path, base: str, folder: Path, recipe: Recipe = PAPER, form: Form = "text") -> Trained:
    """Train an adapter for the model `base` on an export, and save it in `folder` with the tokenizer.

    `base` is a folder or a name on the Hugging Face hub. What was asked for, and what came of it, stands in
    `training.json`; a training that was killed goes on from its last checkpoint. Raises `ExportError`,
    `FolderTakenError`, `TrainingUnavailableError` without the extra `train`, and `OSError` for a model that
    cannot be loaded.
    """
    with file_of(export, form).open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    asked = {"base": base, "form": form, "samples_sha256": digest, "recipe": asdict(recipe)}
    if not (find_spec("trl") and find_spec("peft")):
        raise TrainingUnavailableError("Training an agent needs more packages: pip install '.[train]'")
    _claim(folder, asked)
    rows = list(rows_of(export, form))
    count = token_counter(base)
    fitting = [fitted(row, recipe.cutoff, count) for row in rows]
    taken = [row for row in fitting if row]
    if not taken:
        raise ExportError(f"Of {len(rows):,} samples none fits into {recipe.cutoff:,} tokens.")
    trainer = trainer_of(base, taken, folder / CHECKPOINTS, recipe)
    trainer.train(resume_from_checkpoint=any((folder / CHECKPOINTS).glob("checkpoint-*")))
    trainer.save_model(str(folder))
    losses = tuple(one["loss"] for one in trainer.state.log_history if "loss" in one)
    shortened = sum(new is not None and new != old for new, old in zip(fitting, rows, strict=True))
    trained = Trained(len(taken), shortened, len(rows) - len(taken), losses)
    _record(folder, asked | asdict(trained))
    return trained


def token_counter(base: str) -> Count:
    """Counts tokens as the model's chat template and tokenizer make them."""
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(base)

    def count(messages: Sequence[Row], tools: str | None) -> int:
        specified = json.loads(tools) if tools else None
        rendered = tokenizer.apply_chat_template(list(messages), tools=specified, return_dict=True)
        return len(rendered["input_ids"])

    return count


def trainer_of(base: str, rows: Sequence[Row], checkpoints: Path, recipe: Recipe) -> Any:
    """TRL's trainer for these rows, which all have the same columns; its dataset has tokens and labels."""
    from peft import LoraConfig
    from transformers import PrinterCallback
    from trl.trainer.sft_trainer import SFTTrainer

    adapter = LoraConfig(
        r=recipe.rank,
        lora_alpha=recipe.alpha,
        lora_dropout=recipe.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    arguments = _arguments(checkpoints, recipe, learns_all="messages" in rows[0])
    trainer = SFTTrainer(base, args=arguments, train_dataset=_dataset(rows), peft_config=adapter)
    # The record has what it would print.
    trainer.remove_callback(PrinterCallback)
    return trainer


def _claim(folder: Path, asked: Row) -> None:
    """Take the folder for a training, or take up the same one in it that did not come to its end."""
    record = folder / RECORD
    if record.is_file():
        known = json.loads(record.read_text(encoding="utf-8"))
        if "losses" in known:
            raise FolderTakenError(f"A training in {folder} has come to its end: name another folder.")
        if known != asked:
            raise FolderTakenError(f"Another training was begun in {folder}: name another folder.")
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderTakenError(f"{folder} is not an empty folder.")
    folder.mkdir(parents=True, exist_ok=True)
    _record(folder, asked)


def _record(folder: Path, told: Row) -> None:
    (folder / RECORD).write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


def _dataset(rows: Sequence[Row]) -> Any:
    from datasets import Dataset, Features, Json, List, Value

    # As JSON, because arguments of different actions would lend each other their names.
    messages = {name: List(Json()) for name in rows[0] if name != "tools"}
    return Dataset.from_list(list(rows), features=Features({**messages, "tools": Value("string")}))


def _arguments(checkpoints: Path, recipe: Recipe, *, learns_all: bool) -> Any:
    from torch.cuda import is_available
    from trl.trainer.sft_config import SFTConfig

    return SFTConfig(
        output_dir=str(checkpoints),
        max_length=recipe.cutoff,
        assistant_only_loss=learns_all,
        learning_rate=recipe.learning_rate,
        num_train_epochs=recipe.epochs,
        per_device_train_batch_size=recipe.batch,
        gradient_accumulation_steps=recipe.accumulation,
        lr_scheduler_type=recipe.scheduler,
        # A number below 1 is a share of all steps.
        warmup_steps=recipe.warmup,
        optim="adamw_torch",
        bf16=is_available(),
        gradient_checkpointing=is_available(),
        model_init_kwargs={"dtype": "bfloat16" if is_available() else "float32"},
        dataloader_pin_memory=is_available(),
        logging_steps=1,
        save_steps=_SAVED_AFTER,
        save_total_limit=2,
        seed=recipe.seed,
        report_to=[],
        disable_tqdm=not sys.stderr.isatty(),
    )
