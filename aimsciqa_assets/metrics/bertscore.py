"""BERTScore (Zhang et al. 2020), with or without its baseline, if its package and model are installed."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from aimsciqa_assets.platform.progress import Advance

_AT_ONCE: Final = 256
# DeBERTa's tokenizer states no maximum length; the number that stands for none is too large for it.
_LONGEST: Final = 512


class NoBertScoreError(Exception):
    """BERTScore is not available; the message says why in one line."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What BERTScore needs on this machine: the folder of the model, and the file of its baseline."""

    folder: str
    baseline: Path


def why_none(model: str, folder: Path | None = None) -> str:
    """Why there would be no BERTScore by this model, in one line; empty where there is. Nothing is loaded."""
    try:
        _found(model, folder)
    except NoBertScoreError as error:
        return str(error)
    return ""


class BertScore:
    """A model of `bert-score` by its hub name, from the local cache or a `folder`: nothing is downloaded.

    Values are rescaled with the baseline of the model unless `rescaled` is false. Raises `NoBertScoreError`.
    """

    def __init__(self, model: str, *, folder: Path | None = None, rescaled: bool = True) -> None:
        found = _found(model, folder)
        import bert_score
        from bert_score.utils import model2layers

        if model not in model2layers:
            raise NoBertScoreError(f"bert-score does not know the layers of {model}")
        self._scorer = bert_score.BERTScorer(
            model_type=found.folder,
            num_layers=model2layers[model],
            lang="en",
            rescale_with_baseline=rescaled,
            baseline_path=str(found.baseline),
        )
        tokenizer = self._scorer._tokenizer
        tokenizer.model_max_length = min(tokenizer.model_max_length, _LONGEST)

    def scores(self, answers: Sequence[str], predictions: Sequence[str], advance: Advance) -> list[float]:
        """F1 of each prediction for its answer; none of them may be empty."""
        return [f1 for _, _, f1 in self.parts(answers, predictions, advance)]

    def parts(
        self, answers: Sequence[str], predictions: Sequence[str], advance: Advance
    ) -> list[tuple[float, float, float]]:
        """Precision, recall and F1 of each prediction for its answer; none of them may be empty."""
        found: list[tuple[float, float, float]] = []
        for start in range(0, len(answers), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            scored = self._scorer.score(list(predictions[part]), list(answers[part]))
            found += zip(*(one.tolist() for one in scored), strict=True)
            advance(len(answers[part]))
        return found


def _found(model: str, folder: Path | None = None) -> _Found:
    """Raises `NoBertScoreError`. Importing the package would take seconds: it is only looked for."""
    package = find_spec("bert_score")
    if package is None or package.origin is None:
        raise NoBertScoreError("the package bert-score is not installed: pip install '.[bertscore]'")
    baseline = Path(package.origin).parent / "rescale_baseline" / "en" / f"{model}.tsv"
    if not baseline.is_file():
        raise NoBertScoreError(f"bert-score has no baseline for {model}")
    if folder and not (folder / "config.json").is_file():
        raise NoBertScoreError(f"{folder} is no folder of a model: it has no config.json")
    return _Found(str(folder) if folder else _folder_of(model), baseline)


def _folder_of(model: str) -> str:
    """Where the model lies in the local cache of the hub; raises `NoBertScoreError`."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return snapshot_download(model, local_files_only=True)
    except LocalEntryNotFoundError:
        raise NoBertScoreError(f"{model} is not on this machine: `hf download {model}`") from None
