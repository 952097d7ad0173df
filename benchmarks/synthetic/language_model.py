"""A language model with random weights, and an export of EXTRACTOR to train it on."""

import json
import random
from pathlib import Path

from aimsciqa_assets.airqa.extractor.exporting import STATISTICS
from aimsciqa_assets.airqa.extractor.recipe import SHAREGPT
from tests.tiny_language_model import write_language_model as write_small

_WORDS = 400
_LENGTH = 120
# Qwen2.5-1.5B, but for its vocabulary.
_SHAPE = {
    "hidden_size": 1536,
    "intermediate_size": 8960,
    "num_hidden_layers": 28,
    "num_attention_heads": 12,
    "num_key_value_heads": 2,
    "max_position_embeddings": 32768,
}


def write_export(folder: Path, samples: int, turns: int) -> None:
    """Write samples of so many turns of about 120 words each, the last of which is learnt."""
    drawn = random.Random(1)
    words = [f"word{number}" for number in range(_WORDS)]

    def said() -> str:
        return " ".join(drawn.choices(words, k=_LENGTH))

    folder.mkdir(parents=True)
    with (folder / SHAREGPT).open("w", encoding="utf-8") as lines:
        for _ in range(samples):
            told = [{"from": "human", "value": said()}]
            for _ in range(turns):
                told += [{"from": "gpt", "value": said()}, {"from": "human", "value": said()}]
            row = {"system": "You answer questions.", "conversations": told[:-1], "tools": ""}
            lines.write(json.dumps(row) + "\n")
    (folder / STATISTICS).write_text(json.dumps({"settings": {"views": False, "window": 5}}))


def write_language_model(folder: Path, export: Path, device: str, *, small: bool) -> int:
    """Write a model in the shape of Qwen2.5-1.5B, or a small one, with the words of an export.

    The weights are drawn on the device. Returns how many parameters it has.
    """
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    write_small(folder, (export / SHAREGPT).read_text(encoding="utf-8").splitlines())
    config = Qwen2Config.from_pretrained(folder)
    if not small:
        names = {name: getattr(config, name) for name in ("vocab_size", "pad_token_id", "eos_token_id")}
        config = Qwen2Config(**names, **_SHAPE)
        with torch.device(device):
            Qwen2ForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    with torch.device("meta"):
        return int(Qwen2ForCausalLM(config).num_parameters())
