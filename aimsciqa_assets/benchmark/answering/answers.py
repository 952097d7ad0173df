"""Makes rows of `benchmark.answers` of a model's replies, each compared with the right answer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl
from aimsciqa_resources.language_model import LanguageModel

from aimsciqa.measures.answers import declines
from aimsciqa_assets.asking.task import Outcome, version_of
from aimsciqa_assets.benchmark.answering.measuring import BY_MODELS, by_models, by_words
from aimsciqa_assets.benchmark.answering.readings import NOT_ASKED, Reading
from aimsciqa_assets.benchmark.answering.tasks import ANSWERING, CITATION_MARKER
from aimsciqa_assets.items import kind_of
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.settings.benchmark import BenchmarkSettings

Row = dict[str, Any]

DECLINED = "declined"


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
    """Rows without BERTScore and BLEURT, by id; `version` is that of a baseline's prompts."""
    by_key = {outcome.key: outcome for outcome in outcomes}
    made_by = {
        "answerer": answerer,
        "model": model.name,
        "model_revision": model.revision,
        "prompt_version": version or prompt_version(),
    }
    rows = [_row(reading, by_key.get(reading.answer_id)) | made_by for reading in readings]
    return sorted(rows, key=lambda row: str(row["answer_id"]))


def answer_frame(rows: Sequence[Row], queries: pl.DataFrame, chosen: BenchmarkSettings) -> pl.DataFrame:
    """The rows with BERTScore and BLEURT, where their models are named and at hand, else null."""
    found = by_models(rows, queries, chosen)
    full = [row | {name: _of_model(row, found.get(name)) for name in BY_MODELS} for row in rows]
    return frame_of("benchmark.answers", full)


def _of_model(row: Row, scores: Mapping[str, float] | None) -> float | None:
    return None if scores is None else _counted(row, scores.get(row["answer_id"], 0.0))


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
    kind = kind_of(reading.item["variant"])
    measured = by_words(reading.item["answer"], prediction, long_answers=kind.long_answers)
    return row | {name: _counted(row, value) for name, value in measured.items()}


def _only(papers: Sequence[str]) -> str | None:
    return papers[0] if len(papers) == 1 else None


def _counted(row: Mapping[str, Any], score: float | None) -> float | None:
    """The score; None if the question could not be asked, so that it does not count."""
    return None if row["rejection_reason"] in NOT_ASKED else score


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
