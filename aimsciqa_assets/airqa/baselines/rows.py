"""Rows of `airqa.runs`, `airqa.turns` and `airqa.answers`."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import polars as pl
from aimsciqa_resources.language_model import LanguageModel

from aimsciqa.files import json_text
from aimsciqa_assets.airqa.agent.turns import Answered, total_cost
from aimsciqa_assets.airqa.baselines.methods import BASELINES
from aimsciqa_assets.asking.task import version_of
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.settings.airqa_runs import Run
from aimsciqa_assets.tables import TABLES

RUNS: Final = "airqa.runs"
TURNS: Final = "airqa.turns"
ANSWERS: Final = "airqa.answers"
_AT_ONCE: Final = 2000

Row = dict[str, Any]


def frames_of(run_id: str, answered: Iterable[Answered]) -> Frames:
    """The frames of turns and answers; rows are packed as they come, so that thousands take little memory."""
    packed: dict[str, list[pl.DataFrame]] = {TURNS: [], ANSWERS: []}
    rows: dict[str, list[Row]] = {TURNS: [], ANSWERS: []}
    for one in answered:
        rows[TURNS] += turn_rows(run_id, one)
        rows[ANSWERS].append(answer_row(run_id, one))
        for table, some in rows.items():
            if len(some) >= _AT_ONCE:
                packed[table].append(frame_of(table, some))
                some.clear()
    return {
        table: pl.concat([*packed[table], frame_of(table, some)]).sort(*TABLES[table].key)
        for table, some in rows.items()
    }


def run_rows(
    named: Run, model: LanguageModel, system: str, *, repeats: int, examples: int, summaries: int
) -> Iterator[Row]:
    """A row for each repetition of a run; `summaries` are those of the store."""
    for repeat in range(1, repeats + 1):
        yield {
            "run_id": named.run_id,
            "repeat": repeat,
            "baseline": named.baseline,
            "model": model.name,
            "model_revision": model.revision,
            "sampling": model.sampling,
            "prompt_version": version_of(*BASELINES[named.baseline].tasks),
            "settings": as_json(dict(named.settings)),
            "system": system,
            "examples": examples,
            "summaries": summaries if BASELINES[named.baseline].sees_summaries else None,
        }


def turn_rows(run_id: str, answered: Answered) -> Iterator[Row]:
    """A row for each turn."""
    for turn in answered.turns:
        yield {
            "run_id": run_id,
            "repeat": answered.repeat,
            "example_id": answered.example_id,
            "turn": turn.number,
            "reply": turn.reply,
            "thought": turn.thought,
            "action": turn.call.action if turn.call else None,
            "arguments": as_json(dict(turn.call.arguments)) if turn.call else None,
            "action_text": turn.said,
            "observation": turn.observation,
            "error": turn.error,
            "has_image": turn.image is not None,
            "input_tokens": turn.input_tokens,
            "output_tokens": turn.output_tokens,
            "seconds": turn.seconds,
        }


def answer_row(run_id: str, answered: Answered) -> Row:
    """The row of an answer."""
    turns = answered.turns
    return {
        "run_id": run_id,
        "repeat": answered.repeat,
        "example_id": answered.example_id,
        "status": answered.status,
        "answer": None if answered.status == "failed" else as_json(answered.answer),
        "reason": answered.reason,
        "was_cut": answered.was_cut,
        "task": answered.task,
        "turns": len(turns),
        "input_tokens": sum(turn.input_tokens for turn in turns),
        "output_tokens": sum(turn.output_tokens for turn in turns),
        "seconds": sum(turn.seconds for turn in turns),
        "cost": total_cost(turns),
    }


def as_json(value: Any) -> str:
    """A value as JSON."""
    return json_text(value)
