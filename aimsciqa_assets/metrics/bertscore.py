"""BERTScore (Zhang et al. 2020): F1, rescaled with its baseline, if its package and model are installed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from aimsciqa_assets.platform.progress import Advance

_AT_ONCE: Final = 256
# DeBERTa's tokenizer states no maximum length; the number that stands for none is too large for it.
_LONGEST: Final = 512


class NoBertScoreError(Exception):
    """BERTScore is not available; the message says why in one line."""


class BertScore:
    """A model of `bert-score` by its hub name, from the local cache: nothing is downloaded.

    Raises `NoBertScoreError`.
    """

    def __init__(self, model: str) -> None:
        try:
            import bert_score
            from bert_score.utils import model2layers
        except ImportError:
            raise NoBertScoreError(
                "the package bert-score is not installed: pip install 'aimsciqa[bertscore]'"
            ) from None
        baseline = Path(bert_score.__file__).parent / "rescale_baseline" / "en" / f"{model}.tsv"
        if model not in model2layers or not baseline.is_file():
            raise NoBertScoreError(f"bert-score has no baseline for {model}")
        self._scorer = bert_score.BERTScorer(
            model_type=_folder_of(model),
            num_layers=model2layers[model],
            lang="en",
            rescale_with_baseline=True,
            baseline_path=str(baseline),
        )
        tokenizer = self._scorer._tokenizer
        tokenizer.model_max_length = min(tokenizer.model_max_length, _LONGEST)

    def scores(self, answers: Sequence[str], predictions: Sequence[str], advance: Advance) -> list[float]:
        """F1 of each prediction for its answer; none of them may be empty."""
        found: list[float] = []
        for start in range(0, len(answers), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            _, _, f1 = self._scorer.score(list(predictions[part]), list(answers[part]))
            found += f1.tolist()
            advance(len(answers[part]))
        return found


def _folder_of(model: str) -> str:
    """Where the model lies in the local cache of the hub; raises `NoBertScoreError`."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return snapshot_download(model, local_files_only=True)
    except LocalEntryNotFoundError:
        raise NoBertScoreError(f"{model} is not on this machine: `hf download {model}`") from None
