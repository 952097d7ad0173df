"""Perplexity of texts under a causal language model of a local folder, as SciDQA measured its rewriting."""

from collections.abc import Sequence
from math import exp
from pathlib import Path
from typing import Any, Final

from aimsciqa_assets.platform.progress import Advance

_LONGEST: Final = 1024
"""Tokens of a text that count, as GPT-2 takes them; what follows is cut."""


class NoLanguageModelError(Exception):
    """The folder holds no language model that can be loaded; the message says why."""


class Perplexity:
    """A causal language model in a folder, as `save_pretrained` of transformers writes it.

    Nothing is downloaded. Raises `NoLanguageModelError`.
    """

    def __init__(self, folder: Path) -> None:
        if not (folder / "config.json").is_file():
            raise NoLanguageModelError(f"{folder} holds no language model: it has no config.json")
        from transformers import AutoModelForCausalLM, AutoTokenizer

        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self._model: Any = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True)
        except (OSError, ValueError) as error:
            raise NoLanguageModelError(f"{folder} holds no causal language model: {error}") from error
        self._model.requires_grad_(False).train(False)

    def of(self, texts: Sequence[str], advance: Advance) -> list[float | None]:
        """The perplexity of each text, exp of the mean negative log-likelihood of its tokens but the first.

        None for a text of fewer than two tokens.
        """
        found = []
        for text in texts:
            found.append(self._of(text))
            advance(1)
        return found

    def _of(self, text: str) -> float | None:
        import torch

        longest = min(getattr(self._model.config, "max_position_embeddings", _LONGEST), _LONGEST)
        tokens = self._tokenizer(text, return_tensors="pt", truncation=True, max_length=longest)["input_ids"]
        if tokens.shape[1] < 2:
            return None
        with torch.inference_mode():
            return exp(float(self._model(input_ids=tokens, labels=tokens).loss))
