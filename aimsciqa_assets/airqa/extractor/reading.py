"""Trajectories of a home, read some at a time: observations are long."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.airqa.extractor.trajectories import ActorTurn, Trajectory, thought_in

Row = dict[str, Any]
Picture = Callable[[Mapping[str, Any]], str | None]
"""The arguments of a View -> the file of its picture in an export, or None where there is none any more."""

_AT_ONCE: Final = 100
_FATES: Final = """
select example_id, kind, score, rejection_reason from extractor.trajectories order by example_id
"""
_TRAJECTORIES: Final = """
select example_id, kind, system, task, action_format, score
from extractor.trajectories where example_id in (select unnest($some)) order by example_id
"""
_TURNS: Final = """
select example_id, turn, said, action, observation, error, has_image
from extractor.turns where example_id in (select unnest($some)) order by example_id, turn
"""
_ACTORS: Final = """
select distinct model, model_revision, sampling, prompt_version, action_format
from extractor.trajectories where status = 'accepted' order by all
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which accepted trajectories are taken: of these kinds, or of all; with a right answer, or any."""

    kinds: tuple[str, ...] = ()
    correct_only: bool = False

    def refuses(self, row: Row) -> str | None:
        """Why a row of `extractor.trajectories` is not taken; None when it is."""
        if row["rejection_reason"]:
            return str(row["rejection_reason"])
        if self.kinds and row["kind"] not in self.kinds:
            return "other_kind"
        return "not_correct" if self.correct_only and row["score"] != 1 else None


def choose(warehouse: Warehouse, choice: Choice) -> tuple[list[str], Counter[str]]:
    """The examples whose trajectories are taken, in order, and how many are not taken for which reason."""
    taken, refused = [], Counter[str]()
    for row in warehouse.read(_FATES).iter_rows(named=True):
        if reason := choice.refuses(row):
            refused[reason] += 1
        else:
            taken.append(row["example_id"])
    return taken, refused


def actors(warehouse: Warehouse) -> list[Row]:
    """The models that took the accepted trajectories, with what determined their replies."""
    return warehouse.read(_ACTORS).to_dicts()


def trajectories(
    warehouse: Warehouse, examples: Sequence[str], picture: Picture | None = None
) -> Iterator[Trajectory]:
    """The trajectories of these examples, in their order by id."""
    for start in range(0, len(examples), _AT_ONCE):
        some = {"some": list(examples[start : start + _AT_ONCE])}
        turns: dict[str, list[Row]] = {}
        for turn in warehouse.read(_TURNS, some).iter_rows(named=True):
            turns.setdefault(turn["example_id"], []).append(turn)
        for row in warehouse.read(_TRAJECTORIES, some).iter_rows(named=True):
            yield _trajectory(row, turns.get(row["example_id"], ()), picture)


def _trajectory(row: Row, turns: Collection[Row], picture: Picture | None) -> Trajectory:
    form = row["action_format"]
    return Trajectory(
        row["example_id"],
        row["kind"],
        row["system"],
        row["task"],
        tuple(_turn(turn, form, picture) for turn in turns),
        form,
        row["score"],
    )


def _turn(row: Row, form: Any, picture: Picture | None) -> ActorTurn:
    call = json.loads(row["action"]) if row["action"] else {"action": None, "arguments": {}}
    shown = picture(call["arguments"]) if picture and row["has_image"] else None
    return ActorTurn(
        row["turn"],
        row["said"],
        thought_in(row["said"], form),
        call["action"],
        call["arguments"],
        row["observation"],
        row["error"],
        row["has_image"],
        shown,
    )
