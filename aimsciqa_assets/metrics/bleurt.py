"""BLEURT (Sellam et al. 2020): a RemBERT with one output, from a local folder of converted weights.

The package of its authors is not on PyPI. Nobody has compared these values with those of that package yet.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

from aimsciqa_assets.platform.progress import Advance

_AT_ONCE: Final = 16
_LONGEST: Final = 512


class NoBleurtError(Exception):
    """BLEURT is not available; the message says why in one line."""


def why_none(folder: Path) -> str:
    """Why there would be no BLEURT from this folder, in one line; empty where it holds a model."""
    there = (folder / "config.json").is_file()
    return "" if there else f"{folder} is no folder of a model: it has no config.json"


class Bleurt:
    """The model in a folder, as `transformers` saves it; nothing is downloaded. Raises `NoBleurtError`."""

    def __init__(self, folder: Path) -> None:
        if why := why_none(folder):
            raise NoBleurtError(why)
        try:
            from transformers import AutoTokenizer, RemBertForSequenceClassification
        except ImportError as error:
            raise NoBleurtError(f"transformers cannot load BLEURT: {error}") from None
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model = RemBertForSequenceClassification.from_pretrained(
                folder, num_labels=1, local_files_only=True
            )
            self._model = cast("Any", model).eval()
        except (OSError, ValueError, RuntimeError, ImportError) as error:
            reason = str(error).strip().split("\n")[0]
            raise NoBleurtError(f"{folder} does not hold BLEURT: {reason}") from None

    def scores(self, answers: Sequence[str], predictions: Sequence[str], advance: Advance) -> list[float]:
        """The score of each prediction for its answer, about 0 to 1; long pairs are cut at 512 tokens."""
        import torch

        found: list[float] = []
        for start in range(0, len(answers), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            encoded = self._tokenizer(
                list(answers[part]),
                list(predictions[part]),
                truncation=True,
                max_length=_LONGEST,
                padding=True,
                return_tensors="pt",
            )
            with torch.inference_mode():
                found += self._model(**encoded).logits.flatten().tolist()
            advance(len(answers[part]))
        return found
