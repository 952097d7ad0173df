"""A RemBERT of one small layer with random weights and one output, as BLEURT is kept: it scores noise."""

from collections.abc import Iterable
from pathlib import Path


def write_bleurt(folder: Path, texts: Iterable[str]) -> Path:
    """Save one in `folder`, with a vocabulary of the words of the texts."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast, RemBertConfig, RemBertForSequenceClassification

    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.train_from_iterator(texts, trainers.WordLevelTrainer(special_tokens=list(names.values())))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = RemBertConfig(
        vocab_size=len(fast),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        input_embedding_size=8,
        output_embedding_size=8,
        num_labels=1,
        pad_token_id=0,
        initializer_range=0.5,
    )
    RemBertForSequenceClassification(config).save_pretrained(folder)
    return folder
