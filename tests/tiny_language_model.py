"""Chat models of two small layers with random weights and a byte-level BPE, made in a second or a few.

What they write is noise.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

CHAT = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message.role + '\\n' }}"
    "{% if message.role == 'assistant' %}{% generation %}"
    "{{ message.content }}"
    "{% for call in message.tool_calls or [] %}"
    "{{ ' call ' + call.function.name + ' ' + call.function.arguments | tojson }}"
    "{% endfor %}"
    "{{ '<|im_end|>' }}{% endgeneration %}{{ '\\n' }}"
    "{% else %}{{ message.content + '<|im_end|>\\n' }}{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


def write_language_model(folder: Path, texts: Iterable[str]) -> Path:
    """Save one in `folder` that can be trained, with a vocabulary of the words of the texts."""
    names = {"pad_token": "<pad>", "unk_token": "<unk>", "eos_token": "<|im_end|>"}
    shape = {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_attention_heads": 2,
        "max_position_embeddings": 2048,
        # With small weights no adapter could move what the model says by much.
        "initializer_range": 0.3,
    }
    return write_qwen2(folder, texts, 400, names, CHAT, shape)


def write_qwen2(
    folder: Path,
    texts: Iterable[str],
    vocabulary: int,
    names: dict[str, str],
    chat_template: str,
    shape: dict[str, Any],
    seed: int = 0,
) -> Path:
    """Save two layers of the Qwen2 architecture in `folder`, with a tokenizer trained on the texts.

    `names` are those of special tokens, `shape` is that of the layers.
    """
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    opening, ending = "<|im_start|>", names["eos_token"]
    special = [name for name in names.values() if name != ending] + [opening, ending]
    tokenizer = Tokenizer(models.BPE(unk_token=names.get("unk_token")))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=vocabulary, special_tokens=special, initial_alphabet=alphabet)
    )
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)
    fast.chat_template = chat_template
    fast.save_pretrained(folder)
    torch.manual_seed(seed)
    config = Qwen2Config(
        vocab_size=len(fast),
        num_hidden_layers=2,
        num_key_value_heads=2,
        pad_token_id=fast.pad_token_id,
        eos_token_id=fast.eos_token_id,
        **shape,
    )
    Qwen2ForCausalLM(config).save_pretrained(folder)
    return folder
