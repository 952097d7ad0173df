"""Two trajectories made by hand, as rows of `extractor.trajectories` and `extractor.turns`.

`long` has eight turns: the second cannot be read, the fourth is wrong SQL, the fifth looks at a picture.
`short` has two turns, and a wrong answer.
"""

import json
from typing import Any

from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.airqa.extractor.reading import trajectories
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.tables import TABLES

SYSTEM = "You answer questions."
PAGE = {"paper_id": "p1", "page_number": 3, "bounding_box": []}


def trajectory_row(example_id: str, kind: str = "single", **more: Any) -> dict[str, Any]:
    return {
        "example_id": example_id,
        "kind": kind,
        "batch": "b1",
        "system": SYSTEM,
        "task": f"Question: {example_id}?",
        "model": "qwen",
        "model_revision": "r1",
        "sampling": "{}",
        "prompt_version": "v1",
        "action_format": "markdown",
        "ended": "answered",
        "turns": 2,
        "wrong_actions": 0,
        "answer": "4",
        "score": 1,
        "alone": None,
        "alone_score": None,
        "input_tokens": 90,
        "output_tokens": 10,
        "cost": None,
        "status": "accepted",
        "rejection_reason": None,
    } | more


def turn_row(
    example_id: str,
    turn: int,
    action: str | None,
    arguments: dict[str, Any] | None,
    observation: str | None,
    **more: Any,
) -> dict[str, Any]:
    written = ", ".join(f"{name}={value!r}" for name, value in (arguments or {}).items())
    called = {"action": action, "arguments": arguments}
    return {
        "example_id": example_id,
        "batch": "b1",
        "turn": turn,
        "said": f"[Thought]: t{turn}\n[Action]:\n{action}({written})" if action else f"mumble {turn}",
        "action": json.dumps(called) if action else None,
        "observation": observation,
        "error": None,
        "has_image": False,
        "loss": True,
        "input_tokens": 45,
        "output_tokens": 5,
        "status": "accepted",
        "rejection_reason": None,
    } | more


def long_rows(example_id: str = "long") -> list[dict[str, Any]]:
    def look(turn: int) -> dict[str, Any]:
        return turn_row(example_id, turn, "Retrieve", {"query": f"q{turn}", "limit": 5}, f"found {turn}")

    unread, wrong = {"error": "unparsable"}, {"error": "sql"}
    return [
        look(1),
        turn_row(example_id, 2, None, None, "[Error]: no action", **unread),
        look(3),
        turn_row(example_id, 4, "Query", {"sql": "SELEC"}, "[Error]: syntax", **wrong),
        turn_row(example_id, 5, "View", PAGE, "The picture shows page 3.", has_image=True),
        look(6),
        look(7),
        turn_row(example_id, 8, "Answer", {"answer": 4}, None),
    ]


def short_rows(example_id: str = "short") -> list[dict[str, Any]]:
    return [
        turn_row(example_id, 1, "Query", {"sql": "SELECT 1"}, '{"1": 1}'),
        turn_row(example_id, 2, "Answer", {"answer": ["a", "<image>"]}, None),
    ]


def write_trajectories(
    warehouse: Warehouse, rows: list[dict[str, Any]], turns: list[dict[str, Any]]
) -> Warehouse:
    """Write whole tables of trajectories and turns; gives the warehouse again."""
    create_tables(warehouse)
    tables = {"extractor.trajectories": rows, "extractor.turns": turns}
    warehouse.replace(
        [Write(name, TABLES[name].ddl(), frame_of(name, some), {}) for name, some in tables.items()]
    )
    return warehouse


def both(warehouse: Warehouse) -> Warehouse:
    """Write the two trajectories, and one that was rejected."""
    rejected = {"status": "rejected", "rejection_reason": "no_answer", "score": None, "ended": "failed"}
    rows = [
        trajectory_row("long"),
        trajectory_row("short", "retrieval", score=0),
        trajectory_row("none", **rejected),
    ]
    return write_trajectories(warehouse, rows, long_rows() + short_rows())


def read_both(warehouse: Warehouse, picture=None) -> list:
    """The two trajectories, as they are read."""
    return list(trajectories(both(warehouse), ["long", "short"], picture))
