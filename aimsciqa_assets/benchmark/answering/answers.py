"""Makes rows of `benchmark.answers` of a model's replies, each compared with the right answer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import polars as pl
from aimsciqa_resources.language_model import LanguageModel

from aimsciqa.measures.answers import declines, exact_match, rouge_l, token_f1
from aimsciqa.measures.short_answers import Counting, overlap
from aimsciqa_assets.asking.task import Outcome, version_of
from aimsciqa_assets.benchmark.answering.readings import NOT_ASKED, Reading
from aimsciqa_assets.benchmark.answering.tasks import ANSWERING, CITATION_MARKER
from aimsciqa_assets.metrics.bertscore import BertScore, NoBertScoreError
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.progress import progress

Row = dict[str, Any]

DECLINED = "declined"


def _exact_match_of(counting: Counting, answer: str, prediction: str) -> float:
    return overlap(answer, prediction, counting).exact_match


def _f1_of(counting: Counting, answer: str, prediction: str) -> float:
    return overlap(answer, prediction, counting).f1


_MEASURES: Final[Mapping[str, Callable[[str, str], float]]] = {
    "exact_match": exact_match,
    "token_f1": token_f1,
    "exact_match_bridge": partial(_exact_match_of, "bridge"),
    "token_f1_bridge": partial(_f1_of, "bridge"),
    "exact_match_comparison": partial(_exact_match_of, "comparison"),
    "token_f1_comparison": partial(_f1_of, "comparison"),
    "rouge_l": rouge_l,
}


def prompt_version() -> str:
    """The version of the prompts that an answering model sees outside the RAG baselines."""
    return version_of(ANSWERING, CITATION_MARKER)


def answers_of(
    outcomes: Iterable[Outcome[str]],
    readings: Sequence[Reading],
    answerer: str,
    model: LanguageModel,
    version: str | None = None,
) -> list[Row]:
    """Rows without BERTScore, one per reading, sorted by id; `version` is that of a baseline's prompts."""
    by_key = {outcome.key: outcome for outcome in outcomes}
    made_by = {
        "answerer": answerer,
        "model": model.name,
        "model_revision": model.revision,
        "prompt_version": version or prompt_version(),
    }
    rows = [_row(reading, by_key.get(reading.answer_id)) | made_by for reading in readings]
    return sorted(rows, key=lambda row: str(row["answer_id"]))


def answer_frame(rows: Sequence[Row], queries: pl.DataFrame, bert_score_model: str) -> pl.DataFrame:
    """The rows with BERTScore, if its model is named and installed; the progress says if it is not."""
    scores = _bert_scores(rows, queries, bert_score_model) if bert_score_model else None
    full = [
        row | {"bert_score": None if scores is None else _counted(row, scores.get(row["answer_id"], 0.0))}
        for row in rows
    ]
    return frame_of("benchmark.answers", full)


def _bert_scores(rows: Sequence[Row], queries: pl.DataFrame, model: str) -> dict[str, float] | None:
    """BERTScore of the answers that were given, by answer; None when it is not available."""
    right: dict[str, str] = dict(queries.select("item_id", "answer").iter_rows())
    given = [row for row in rows if row["prediction"]]
    with progress("BERTScore", len(given)) as advance:
        try:
            found = BertScore(model).scores(
                [right[row["item_id"]] for row in given], [row["prediction"] for row in given], advance
            )
        except NoBertScoreError as error:
            advance(0, f"none: {error}")
            return None
    return dict(zip((row["answer_id"] for row in given), found, strict=True))


def _row(reading: Reading, outcome: Outcome[str] | None) -> Row:
    prediction, reason = _read(reading, outcome)
    row: Row = {
        "answer_id": reading.answer_id,
        "item_id": reading.item["item_id"],
        "variant": reading.item["variant"],
        "setting": reading.setting,
        "retriever": reading.retriever,
        "marker": reading.marker,
        "marker_fault": reading.marker_fault,
        "read_paper_id": None if reading.reason else _only(reading.others),
        "found_target": reading.found_target,
        "shortened": outcome.parts if outcome else 0,
        "prediction": prediction,
        "rejection_reason": reason,
        "reply": outcome.text if outcome else reading.reply,
    }
    return row | {
        name: _counted(row, measure(reading.item["answer"], prediction) if prediction else 0.0)
        for name, measure in _MEASURES.items()
    }


def _only(papers: Sequence[str]) -> str | None:
    return papers[0] if len(papers) == 1 else None


def _counted(row: Mapping[str, Any], score: float) -> float | None:
    """0 if no answer was given; None if the question could not be asked, so that it does not count."""
    if row["rejection_reason"] in NOT_ASKED:
        return None
    return score if row["prediction"] else 0.0


def _read(reading: Reading, outcome: Outcome[str] | None) -> tuple[str | None, str | None]:
    """The prediction, or the reason why there is none."""
    if reading.reason or outcome is None:
        return None, reading.reason or "no_reply"
    answer = outcome.value
    if answer is None:
        return None, outcome.reason
    if not answer:
        return None, "empty_answer"
    return (None, DECLINED) if declines(answer) else (answer, None)
