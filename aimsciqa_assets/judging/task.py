"""The task that rates an item. It is asked several times, and every run gets a new reply."""

from typing import Any, Final, Literal

from pydantic import BaseModel, create_model

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Task
from aimsciqa_assets.judging.dimensions import DIMENSIONS, words_of
from aimsciqa_assets.judging.replies import read_scores

MISSING_DIMENSION: Final = "missing_dimension"
Scores = dict[str, int]

# The value of each dimension is one of its words.
_FIELDS: Final[dict[str, Any]] = {dimension: Literal[tuple(words_of(dimension))] for dimension in DIMENSIONS}
_REPLY: Final[type[BaseModel]] = create_model("_Rating", **_FIELDS)


def _read(text: str) -> Scores | Fault[Scores]:
    """The scores of all dimensions, or a fault that names the missing ones and keeps the others."""
    scores = read_scores(text)
    missing = ", ".join(dimension for dimension in DIMENSIONS if dimension not in scores)
    if not missing:
        return scores
    return Fault(MISSING_DIMENSION, f"it gives no rating that can be read for {missing}", scores)


QUALITY: Final = Task[Scores]("quality_judge", _REPLY, _read)
