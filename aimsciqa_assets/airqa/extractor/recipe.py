"""How an agent is trained on an export (AirQA, EXTRACTOR, table 9), for LLaMA-Factory and for `training`."""

from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.airqa.extractor.windows import Cut

Row = dict[str, Any]

DATASET: Final = "extractor"
SHAREGPT: Final = "sharegpt.jsonl"
TOOL_CALLS: Final = "tool_calls.jsonl"
TAGS: Final = {
    "role_tag": "from",
    "content_tag": "value",
    "user_tag": "human",
    "assistant_tag": "gpt",
    "observation_tag": "observation",
    "function_tag": "function_call",
    "system_tag": "system",
}
_SEVEN_B: Final = "Qwen/Qwen2.5-7B-Instruct"


@dataclass(frozen=True, slots=True)
class Recipe:
    """LoRA on all linear layers; as it stands, with the paper's numbers.

    `cutoff` is in tokens. `batch` samples are computed at once, `accumulation` such batches make a step.
    `warmup` is a share of all steps.
    """

    rank: int = 16
    alpha: int = 16
    dropout: float = 0.05
    cutoff: int = 4096
    batch: int = 1
    accumulation: int = 16
    learning_rate: float = 1e-4
    epochs: float = 1.0
    scheduler: str = "cosine"
    warmup: float = 0.1
    seed: int = 42


PAPER: Final = Recipe()


def dataset_info(cut: Cut) -> Row:
    """`dataset_info.json`: where LLaMA-Factory finds what in the ShareGPT file."""
    columns = {"messages": "conversations", "system": "system", "tools": "tools"}
    if cut.views:
        columns["images"] = "images"
    described = {"file_name": SHAREGPT, "formatting": "sharegpt", "columns": columns, "tags": dict(TAGS)}
    return {DATASET: described}


def llama_factory(cut: Cut, recipe: Recipe = PAPER) -> Row:
    """The arguments of `llamafactory-cli train`.

    Windows are trained on their last turn (`mask_history`), whole trajectories on all of their turns.
    """
    model, template = ("Qwen/Qwen2.5-VL-7B-Instruct", "qwen2_vl") if cut.views else (_SEVEN_B, "qwen")
    return {
        "model_name_or_path": model,
        "stage": "sft",
        "do_train": True,
        "finetuning_type": "lora",
        "lora_target": "all",
        "lora_rank": recipe.rank,
        "lora_alpha": recipe.alpha,
        "lora_dropout": recipe.dropout,
        "dataset_dir": ".",
        "dataset": DATASET,
        "template": template,
        "cutoff_len": recipe.cutoff,
        "mask_history": cut.window > 0,
        "per_device_train_batch_size": recipe.batch,
        "gradient_accumulation_steps": recipe.accumulation,
        "learning_rate": recipe.learning_rate,
        "num_train_epochs": recipe.epochs,
        "lr_scheduler_type": recipe.scheduler,
        "warmup_ratio": recipe.warmup,
        "optim": "adamw_torch",
        "bf16": True,
        "seed": recipe.seed,
        "output_dir": f"saves/{DATASET}",
    }
