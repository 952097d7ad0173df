"""A cross-encoder of two small layers with random weights, made from nothing within a second."""

import re
from collections.abc import Iterable
from pathlib import Path


def write_cross_encoder(folder: Path, texts: Iterable[str], tokens: int = 64) -> Path:
    """Save it in `folder`, with a vocabulary from the texts; it reads so many tokens."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    # No trainer: of words that are equally frequent, each process keeps others.
    words = sorted({word for text in texts for word in re.findall(r"\w+|[^\w\s]+", text)})
    numbers = {word: number for number, word in enumerate([*special, *words])}
    tokenizer = Tokenizer(models.WordLevel(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token"), special, strict=True))
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=tokens, **names).save_pretrained(
        folder
    )
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=tokens, num_labels=1, **sizes
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder
