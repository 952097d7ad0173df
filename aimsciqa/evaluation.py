"""The result of an evaluation: means with 95 % intervals by split and variant, and the value of each item."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from aimsciqa.files import json_text
from aimsciqa.measures.dependence import clusters_of
from aimsciqa.measures.resampling import bootstrap_intervals

if TYPE_CHECKING:
    from aimsciqa.release import Release


class EvaluationError(ValueError):
    """Rankings or answers that cannot be evaluated; the message says what is wrong with them."""


@dataclass(frozen=True, slots=True)
class Score:
    """The mean of a measure over the items of a split and variant.

    The interval is drawn over `groups` of items that share a fact; a single group has none.
    """

    split: str
    variant: str
    measure: str
    value: float
    low: float | None
    high: float | None
    items: int
    groups: int


@dataclass(frozen=True, slots=True)
class Part:
    """An item that counts, with what its results are grouped by."""

    item_id: str
    split: str
    variant: str
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Evaluation:
    """What was measured: `scores`, the `values` of each item by measure and item id, and `notes`.

    The notes say what was missing or left out.
    """

    task: str
    setting: str
    scores: tuple[Score, ...]
    values: Mapping[str, Mapping[str, float]]
    notes: tuple[str, ...]

    def mean(self, measure: str) -> float:
        """The mean of a measure over all items, whatever their split and variant."""
        return float(np.mean(list(self.values[measure].values())))

    def score(self, measure: str, split: str, variant: str) -> Score:
        """The score of a measure for a split and variant. Raises `KeyError`."""
        for score in self.scores:
            if (score.measure, score.split, score.variant) == (measure, split, variant):
                return score
        raise KeyError((measure, split, variant))

    def as_json(self) -> str:
        """The scores and notes as a JSON object."""
        told: dict[str, Any] = {
            "task": self.task,
            "setting": self.setting,
            "scores": [asdict(score) for score in self.scores],
            "notes": list(self.notes),
        }
        return json_text(told, indent=1)

    def __str__(self) -> str:
        """The scores as a table."""
        head = ("split", "variant", "items", "measure", "mean", "95 % interval")
        rows = [
            (s.split, s.variant, f"{s.items:,}", s.measure, f"{s.value:.3f}", _interval(s))
            for s in self.scores
        ]
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in (head, *rows)
        ]
        return "\n".join((f"{self.task}, {self.setting}" if self.setting else self.task, "", *lines))


def scores_of(
    parts: Sequence[Part], values: Mapping[str, Mapping[str, float]], release: "Release"
) -> tuple[Score, ...]:
    """The mean of each measure by split and variant, over the items that have a value, in their order.

    How intervals are drawn is said by the settings in the release's `PROVENANCE.json`.
    """
    settings = release.manifest["settings"]["benchmark"]
    depend = settings.get("resampled") != "items"
    clusters = clusters_of(
        {part.item_id: part.facts for part in parts} if depend else {}, (part.item_id for part in parts)
    )
    groups: dict[tuple[str, str], list[str]] = {}
    for part in sorted(parts, key=lambda part: part.item_id):
        groups.setdefault((part.split, part.variant), []).append(part.item_id)
    found = []
    for (split, variant), items in sorted(groups.items()):
        for measure, of_items in values.items():
            measured = [item for item in items if item in of_items]
            if not measured:
                continue
            numbers = np.array([of_items[item] for item in measured], dtype=np.float64)
            drawn = [clusters[item] for item in measured]
            ((low, high),) = bootstrap_intervals(
                numbers[:, None], settings["resamples"], settings["seed"], drawn
            )
            mean, drawn_from = float(numbers.mean()), len(set(drawn))
            found.append(Score(split, variant, measure, mean, low, high, len(numbers), drawn_from))
    return tuple(found)


def check_known(ids: Iterable[str], known: Set[str], what: str, release: str, where: str) -> None:
    """Raise `EvaluationError` for ids of `what` that the release does not have; `where` says which it has."""
    if unknown := sorted(set(ids) - known):
        raise EvaluationError(
            f"{len(unknown):,} {what} ids are not in {release}: {some_of(unknown)}. The ids are {where}."
        )


def some_of(names: Sequence[str]) -> str:
    """The first of some ids, for a message."""
    shown = ", ".join(str(name) for name in names[:3])
    return shown if len(names) <= 3 else f"{shown}, ..."


def _interval(score: Score) -> str:
    return "–" if score.low is None else f"{score.low:.3f} to {score.high:.3f}"
