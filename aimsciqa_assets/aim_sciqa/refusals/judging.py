"""Refused pairs judged again: by which of the four criteria no question can be made of them (table 4).

The paper reports that some 70 % of them fail relational appropriateness or cross-reference necessity.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal

import polars as pl
from aimsciqa_resources.language_model import Dialogue, LanguageModel
from pydantic import BaseModel

from aimsciqa_assets.aim_sciqa.multi_hop.replies import CRITERIA
from aimsciqa_assets.asking.task import Outcome, Task, json_task
from aimsciqa_assets.platform.frames import frame_of

Row = dict[str, Any]
_Verdict = Literal["accept", "reject"]
_TOLD: Final = tuple(
    f"{side}_{part}" for side in ("source", "target") for part in ("title", "question", "answer")
)


class Verdicts(BaseModel):
    """What the judge says of the best question that could be made of a refused pair."""

    fluency: _Verdict
    completeness: _Verdict
    cross_reference_necessity: _Verdict
    relational_appropriateness: _Verdict


REFUSAL_JUDGE: Final[Task[Verdicts]] = json_task("refusal_judge", Verdicts)


def refusal_dialogues(pairs: Sequence[Row]) -> Iterator[Dialogue[Outcome[Verdicts]]]:
    """One dialogue per refused pair."""
    for pair in pairs:
        yield REFUSAL_JUDGE.ask(pair["item_id"], **{name: pair[name] for name in _TOLD})


def refusals_of(
    outcomes: Iterable[Outcome[Verdicts]], pairs: Sequence[Row], model: LanguageModel
) -> pl.DataFrame:
    """Rows of `benchmark.refusals`: each criterion of each pair, with a verdict or the reason for none."""
    by_id = {pair["item_id"]: pair for pair in pairs}
    made_by = {
        "model": model.name,
        "model_revision": model.revision,
        "prompt_version": REFUSAL_JUDGE.version,
    }
    rows = [
        {
            "item_id": outcome.key,
            "variant": by_id[outcome.key]["variant"],
            "criterion": criterion,
            "verdict": getattr(outcome.value, criterion) if outcome.value else None,
            "rejection_reason": None if outcome.value else outcome.reason,
        }
        | made_by
        for outcome in outcomes
        for criterion in CRITERIA
    ]
    return frame_of("benchmark.refusals", rows).sort("item_id", "criterion")
