"""Trajectories of runs: an answer with its turns as the messages of a dialogue, read some at a time.

Observations are long, so the turns of few examples are held at once.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.airqa.agent.telling import observed
from aimsciqa_assets.airqa.examples.example import Example
from aimsciqa_assets.airqa.examples.taking import EXAMPLES, example_of

Row = dict[str, Any]

_AT_ONCE = 100
_RUNS = "select * from airqa.runs order by run_id, repeat"
_ANSWERED = """
select example_id from airqa.answers where run_id = $run_id and repeat = $repeat order by example_id
"""
_ANSWERS = """
select answers.*, verdicts.score, verdicts.judge, verdicts.stand_in, verdicts.reason as no_verdict
from airqa.answers as answers
left join airqa.verdicts as verdicts using (run_id, repeat, example_id)
where run_id = $run_id and repeat = $repeat and example_id in (select unnest($some))
order by example_id
"""
_TURNS = """
select * from airqa.turns
where run_id = $run_id and repeat = $repeat and example_id in (select unnest($some))
order by example_id, turn
"""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A row of `airqa.answers` with its verdict, its turns, its run, and its example if it is still there."""

    run: Row
    answer: Row
    turns: list[Row]
    example: Example | None

    @property
    def given(self) -> Any:
        """The answer; where there is none, the text that AirQA's evaluation takes for a failed run."""
        if self.answer["status"] == "failed":
            return f"[ERROR]: {self.answer['reason']}"
        return json.loads(self.answer["answer"])

    @property
    def messages(self) -> list[Row]:
        """The dialogue as chat messages, in AirQA's form: system, task, then action and observation in turn.

        The observation of the last action, the answer, is the answer itself. A picture is not kept: in its
        place stand the arguments of the action that showed it.
        """
        told = [
            {"role": "system", "content": self.run["system"]},
            {"role": "user", "content": self.answer["task"]},
        ]
        for turn in self.turns:
            told.append({"role": "assistant", "content": turn["action_text"] or turn["reply"]})
            told.append({"role": "user", "content": self._observation(turn)})
        return told

    def _observation(self, turn: Row) -> str | list[Row]:
        if turn["observation"] is None:
            given = self.given
            return observed(given if isinstance(given, str) else json.dumps(given, ensure_ascii=False))
        text = observed(turn["observation"])
        if not turn["has_image"]:
            return text
        shown = {"type": "image_url", "image_url": {"url": f"view:{turn['arguments']}"}}
        return [{"type": "text", "text": text}, shown]


def runs_in(warehouse: Warehouse) -> list[Row]:
    """The rows of `airqa.runs`, in order."""
    return warehouse.read(_RUNS).to_dicts()


def trajectories(warehouse: Warehouse, run: Row) -> Iterator[Trajectory]:
    """The trajectories of a row of `airqa.runs`, by example."""
    by = {"run_id": run["run_id"], "repeat": run["repeat"]}
    known = warehouse.read(_ANSWERED, by)["example_id"].to_list()
    for start in range(0, len(known), _AT_ONCE):
        some = {"some": known[start : start + _AT_ONCE]}
        held = f"select * from {EXAMPLES} where example_id in (select unnest($some))"
        rows = warehouse.read(held, some).iter_rows(named=True)
        examples = {row["example_id"]: example_of(row) for row in rows}
        turns: dict[str, list[Row]] = {}
        for turn in warehouse.read(_TURNS, by | some).iter_rows(named=True):
            turns.setdefault(turn["example_id"], []).append(turn)
        for answer in warehouse.read(_ANSWERS, by | some).iter_rows(named=True):
            uuid = answer["example_id"]
            yield Trajectory(run, answer, turns.get(uuid, []), examples.get(uuid))
