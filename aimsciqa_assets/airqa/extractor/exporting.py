"""An export: trajectories as training files, with what LLaMA-Factory needs to train on them, and a card.

The same trajectories with the same choices give the same files, byte for byte.
"""

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from aimsciqa_resources.tokens import token_counts
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa.files import json_text
from aimsciqa_assets.airqa.extractor.card import card
from aimsciqa_assets.airqa.extractor.messages import sharegpt_row, tool_call_row
from aimsciqa_assets.airqa.extractor.reading import Choice, Picture, actors, choose, trajectories
from aimsciqa_assets.airqa.extractor.recipe import (
    PAPER,
    SHAREGPT,
    TOOL_CALLS,
    dataset_info,
    llama_factory,
)
from aimsciqa_assets.airqa.extractor.statistics import Statistics
from aimsciqa_assets.airqa.extractor.trajectories import Trajectory
from aimsciqa_assets.airqa.extractor.windows import Cut, Sample, samples_of

DATASET_INFO: Final = "dataset_info.json"
CONFIGURATION: Final = "train.yaml"
STATISTICS: Final = "statistics.json"
CARD: Final = "README.md"


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: numbers of trajectories and samples, and all statistics as in `statistics.json`."""

    trajectories: int
    samples: int
    told: dict[str, Any]


def export(
    warehouse: Warehouse, folder: Path, cut: Cut, choice: Choice, picture: Picture | None = None
) -> Exported:
    """Write the trajectories of a home into an empty folder.

    `picture` keeps the picture of a View in the folder; it is asked where `cut` has views.
    """
    examples, refused = choose(warehouse, choice)
    found = trajectories(warehouse, examples, picture if cut.views else None)
    counted = write_samples(folder, found, cut).as_object()
    told = {
        "settings": {**asdict(cut), **asdict(choice)},
        "actors": actors(warehouse),
        "trajectories_left_out": dict(sorted(refused.items())),
        "counts": counted,
    }
    _write(folder / DATASET_INFO, _indented(dataset_info(cut)))
    _write(folder / CONFIGURATION, yaml.safe_dump(llama_factory(cut), sort_keys=False))
    _write(folder / STATISTICS, _indented(told))
    _write(folder / CARD, card(told))
    total = counted["total"]
    return Exported(total["trajectories"], total["samples"], told)


def write_samples(folder: Path, found: Iterable[Trajectory], cut: Cut) -> Statistics:
    """Write the samples of trajectories as ShareGPT and as tool calls; gives their statistics."""
    statistics = Statistics(PAPER.cutoff, token_counts)
    with ExitStack() as stack:
        sharegpt = stack.enter_context(_new(folder / SHAREGPT))
        tool_calls = stack.enter_context(_new(folder / TOOL_CALLS))
        for trajectory in found:
            samples = list(samples_of(trajectory, cut))
            statistics.add(trajectory, samples)
            for one in samples:
                if isinstance(one, Sample):
                    sharegpt.write(_line(sharegpt_row(one, views=cut.views)))
                    tool_calls.write(_line(tool_call_row(one, views=cut.views)))
    return statistics


def _line(row: dict[str, Any]) -> str:
    return json_text(row) + "\n"


def _indented(value: dict[str, Any]) -> str:
    return json_text(value, indent=2) + "\n"


def _write(path: Path, text: str) -> None:
    with _new(path) as file:
        file.write(text)


def _new(path: Path) -> Any:
    return path.open("x", encoding="utf-8", newline="\n")
