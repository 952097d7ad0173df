"""What is measured of a prediction beside the right answer: by its words, and by local models."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import polars as pl

from aimsciqa.measures.answers import exact_match, rouge_l, token_f1
from aimsciqa.measures.short_answers import Counting, overlap
from aimsciqa_assets.metrics.bertscore import BertScore, NoBertScoreError
from aimsciqa_assets.metrics.bleurt import Bleurt, NoBleurtError
from aimsciqa_assets.metrics.rouge import PARTS, rouge
from aimsciqa_assets.platform.progress import Advance, progress
from aimsciqa_assets.settings.benchmark import BenchmarkSettings

Row = dict[str, Any]

OF_HOPWEAVER: Final = (
    *("exact_match_bridge", "token_f1_bridge"),
    *("exact_match_comparison", "token_f1_comparison"),
)
BY_MODELS: Final = ("bert_score", "bleurt")
"""Measures that need a model on this machine."""
ROUGE: Final = tuple(PARTS)
"""Measures of long answers (`Kind.long_answers`)."""
MEASURED: Final = ("exact_match", "token_f1", *OF_HOPWEAVER, "rouge_l", *ROUGE, *BY_MODELS, "found_target")
"""The columns of `benchmark.answers` of which means are taken."""

_Scores = Callable[[Sequence[str], Sequence[str], Advance], list[float]]
"""The scores of predictions: the answers, the predictions, and what tells of progress."""


def _exact_match_of(counting: Counting, answer: str, prediction: str) -> float:
    return overlap(answer, prediction, counting).exact_match


def _f1_of(counting: Counting, answer: str, prediction: str) -> float:
    return overlap(answer, prediction, counting).f1


_OF_ALL: Final[Mapping[str, Callable[[str, str], float]]] = {
    "exact_match": exact_match,
    "token_f1": token_f1,
    "exact_match_bridge": partial(_exact_match_of, "bridge"),
    "token_f1_bridge": partial(_f1_of, "bridge"),
    "exact_match_comparison": partial(_exact_match_of, "comparison"),
    "token_f1_comparison": partial(_f1_of, "comparison"),
    "rouge_l": rouge_l,
}


def by_words(answer: str, prediction: str | None, *, long_answers: bool) -> dict[str, float | None]:
    """All measures by words, 0 to 1; 0 without a prediction.

    ROUGE-1, -2 and -L with stemmer, as SciDQA measures, are of `long_answers` only, else None.
    """
    found: dict[str, float | None] = {
        name: measure(answer, prediction) if prediction else 0.0 for name, measure in _OF_ALL.items()
    }
    if not long_answers:
        return found | dict.fromkeys(ROUGE)
    shared = rouge(answer, prediction, without_mark=True) if prediction else None
    return found | {name: part(shared) / 100 if shared else 0.0 for name, part in PARTS.items()}


def by_models(
    rows: Sequence[Row], queries: pl.DataFrame, chosen: BenchmarkSettings
) -> dict[str, dict[str, float]]:
    """BERTScore and BLEURT of the answers that were given, by measure and answer.

    A measure whose model is not named or cannot be had is left out; the progress says why it cannot.
    """
    right: dict[str, str] = dict(queries.select("item_id", "answer").iter_rows())
    given = [row for row in rows if row["prediction"]]
    answers, predictions = [right[row["item_id"]] for row in given], [row["prediction"] for row in given]
    found = {}
    for name, title, load in _wanted(chosen):
        with progress(title, len(given)) as advance:
            try:
                scores = load()(answers, predictions, advance)
            except (NoBertScoreError, NoBleurtError) as error:
                advance(0, f"none: {error}")
                continue
        found[name] = dict(zip((row["answer_id"] for row in given), scores, strict=True))
    return found


def _wanted(chosen: BenchmarkSettings) -> Iterator[tuple[str, str, Callable[[], _Scores]]]:
    """The measures whose models the settings name: column, title, and what loads the model."""
    if chosen.bert_score_model:
        yield "bert_score", "BERTScore", partial(_bert_score, chosen)
    if chosen.bleurt_folder:
        yield "bleurt", "BLEURT", partial(_bleurt, chosen)


def _bert_score(chosen: BenchmarkSettings) -> _Scores:
    folder = Path(chosen.bert_score_folder) if chosen.bert_score_folder else None
    return BertScore(chosen.bert_score_model, folder=folder, rescaled=chosen.bert_score_rescaled).scores


def _bleurt(chosen: BenchmarkSettings) -> _Scores:
    return Bleurt(Path(chosen.bleurt_folder)).scores
