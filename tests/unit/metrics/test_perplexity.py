"""Perplexity under a tiny causal model, checked against the logits."""

import pytest

from aimsciqa_assets.metrics.perplexity import NoLanguageModelError, Perplexity
from tests.tiny_language_model import write_language_model

pytestmark = pytest.mark.slow
TEXT = "Five seeds are used for each setting."


def test_it_is_the_inverse_geometric_mean_of_the_probabilities_of_the_tokens(tmp_path):
    import torch

    folder = write_language_model(tmp_path, [TEXT])
    measure = Perplexity(folder)
    told = []
    found, short = measure.of([TEXT, ""], told.append)
    tokens = measure._tokenizer(TEXT, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        odds = measure._model(input_ids=tokens).logits[0, :-1].log_softmax(-1)
    each = odds.gather(1, tokens[0, 1:, None])
    assert found == pytest.approx(float(torch.exp(-each.mean())), rel=1e-4)
    assert (short, told) == (None, [1, 1])


def test_a_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(NoLanguageModelError, match="it has no config"):
        Perplexity(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(NoLanguageModelError, match="holds no causal language model"):
        Perplexity(tmp_path)
