"""Marks what models answered in trials: by a judge of another family, else by their words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from aimsciqa_resources.language_model import Dialogue

from aimsciqa.measures import lexical
from aimsciqa_assets.asking.families import same_family
from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.judging.necessity.tasks import MARK, Mark
from aimsciqa_assets.settings import Settings

Row = dict[str, Any]


def judge_of(settings: Settings, examined: str) -> str | None:
    """The first judge that may mark the answers of a model; None where there is none."""
    called = settings.benchmark.called
    return next(
        (
            judge
            for judge in settings.judge_names
            if settings.benchmark.same_family or not same_family(called(judge), called(examined))
        ),
        None,
    )


def given(rows: Iterable[Row]) -> list[Row]:
    """The rows with an answer."""
    return [row for row in rows if row["prediction"] is not None]


def mark_dialogues(rows: Sequence[Row]) -> Iterator[Dialogue[Outcome[Mark]]]:
    """One dialogue per answer."""
    for row in rows:
        told = {"question": row["question"], "answer": row["expected"], "prediction": row["prediction"]}
        yield MARK.ask(row["trial_id"], **told)


def marked(rows: Iterable[Row], outcomes: Iterable[Outcome[Mark]], judge: str | None) -> list[Row]:
    """The rows with scores: who declined has 0, and who gave no readable reply has none."""
    marks: Mapping[str, Outcome[Mark]] = {outcome.key: outcome for outcome in outcomes}
    return [row | _mark(row, marks.get(row["trial_id"]), judge) for row in rows]


def _mark(row: Row, outcome: Outcome[Mark] | None, judge: str | None) -> Row:
    by = {"judge": judge or lexical.NAME}
    if row["rejection_reason"]:
        return by
    if row["prediction"] is None:
        return by | {"score": 0.0}
    if outcome is None:
        score = lexical.lexical_score(row["question"], row["expected"], row["prediction"])
        return by | {"score": score}
    if outcome.value is None:
        return by | {"rejection_reason": f"judge_{outcome.reason}"}
    return by | {"score": float(outcome.value.mark == "right")}
