"""A language model of random weights, made in a few seconds.

Its tokenizer is trained on the demo corpus. What it writes is noise; that it is a real model for the real
engine is the point.
"""

from collections.abc import Iterator
from pathlib import Path

from tests.tiny_language_model import write_qwen2

ROOT = Path(__file__).resolve().parents[2]
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
NAMES = {"pad_token": "<|endoftext|>", "eos_token": "<|im_end|>"}
SHAPE = {
    "hidden_size": 128,
    "intermediate_size": 256,
    "num_attention_heads": 4,
    "max_position_embeddings": 4096,
}


def lines() -> Iterator[str]:
    """The lines of the demo corpus."""
    for path in sorted((ROOT / "examples" / "demo_corpus").glob("*.xml")):
        with path.open(encoding="utf-8") as file:
            yield from file


def write_tiny_model(folder: Path) -> Path:
    """Save it in a folder."""
    return write_qwen2(folder, lines(), 2000, NAMES, CHAT_TEMPLATE, SHAPE, seed=1)
