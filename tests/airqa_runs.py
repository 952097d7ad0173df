"""Runs of AirQA made by hand: rows of examples, runs, turns and answers, written into a warehouse."""

import json
from pathlib import Path
from typing import Any

from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.airqa.examples.taking import Taken, take_examples
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.tables import TABLES

PAPER = "16f7e6e6-6bfa-5c74-9c8b-1adc5bf7e3b9"


def example_shape(uuid: str, gold: Any = 4, *tags: str, **more: Any) -> dict[str, Any]:
    """An example as a file has it; its answer is a number."""
    return {
        "uuid": uuid,
        "question": f"How many {uuid}?",
        "answer_format": "A number.",
        "tags": list(tags) or ["single", "text", "objective"],
        "anchor_pdf": [PAPER],
        "reference_pdf": [],
        "conference": [],
        "evaluator": {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": gold}},
    } | more


def judged_shape(uuid: str, right: str, **more: Any) -> dict[str, Any]:
    """An example whose answer a judge compares with the right one."""
    arguments = {"question": "?", "reference_answer": right}
    evaluator = {"eval_func": "eval_reference_answer_with_llm", "eval_kwargs": arguments}
    return example_shape(uuid, 0, "single", "text", "subjective", evaluator=evaluator, **more)


def run_row(run_id: str, repeat: int = 1, baseline: str = "agentic_rag", **more: Any) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "repeat": repeat,
        "baseline": baseline,
        "model": "m-1",
        "model_revision": "",
        "sampling": "",
        "prompt_version": "p",
        "settings": '{"turns": 20}',
        "system": "You search papers.",
        "examples": 1,
        "summaries": 0,
    } | more


def answer_row(run_id: str, example_id: str, answer: Any, repeat: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "repeat": repeat,
        "example_id": example_id,
        "status": "answered",
        "answer": json.dumps(answer, ensure_ascii=False),
        "reason": None,
        "was_cut": False,
        "task": f"How many {example_id}?",
        "turns": 2,
        "input_tokens": 90,
        "output_tokens": 10,
        "seconds": 1.5,
        "cost": 0.25,
    } | more


def failed_row(run_id: str, example_id: str, repeat: int = 1, **more: Any) -> dict[str, Any]:
    failed = {"status": "failed", "answer": None, "reason": "timeout", "turns": 0, "cost": None}
    return answer_row(run_id, example_id, None, repeat) | failed | more


def turn_row(
    run_id: str,
    example_id: str,
    turn: int,
    action: str | None,
    arguments: dict[str, Any] | None,
    observation: str | None,
    repeat: int = 1,
    **more: Any,
) -> dict[str, Any]:
    called = None if action is None else f"[Thought]: I look.\n[Action]:\n{action}()"
    return {
        "run_id": run_id,
        "repeat": repeat,
        "example_id": example_id,
        "turn": turn,
        "reply": called or "nonsense",
        "thought": "I look.",
        "action": action,
        "arguments": None if arguments is None else json.dumps(arguments),
        "action_text": called,
        "observation": observation,
        "error": None,
        "has_image": False,
        "input_tokens": 45,
        "output_tokens": 5,
        "seconds": 0.75,
    } | more


def write_rows(warehouse: Warehouse, **tables: list[dict[str, Any]]) -> None:
    """Write whole tables of the schema airqa."""
    create_tables(warehouse)
    named = {f"airqa.{name}": rows for name, rows in tables.items()}
    warehouse.replace(
        [Write(table, TABLES[table].ddl(), frame_of(table, rows), {}) for table, rows in named.items()]
    )


def take(folder: Path, resources: dict[str, Any], *shapes: dict[str, Any], replace: bool = False) -> Taken:
    """Take examples in, from a file in this folder."""
    file = folder / "examples.jsonl"
    file.write_text("".join(json.dumps(shape) + "\n" for shape in shapes))
    return take_examples(file, resources["files"], resources["warehouse"], replace=replace)
