"""Answers rated by a judge of another family than the model that gave them, as rows."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.asking.families import same_family
from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.benchmark.answering.judging import NO_ANSWER, SAME_FAMILY, judged_by
from aimsciqa_assets.benchmark.answering.readings import NO_TEXT
from aimsciqa_assets.benchmark.aspects.task import ASPECT_JUDGE, ASPECTS, Ratings
from aimsciqa_assets.metrics.rouge import ANSWER_MARK
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]


def may_judge(judge: str, answerer: str) -> bool:
    """A judge never rates the answers of its own family."""
    return not same_family(judge, answerer)


def rating_dialogues(answers: Iterable[Row], judge: str) -> Iterator[Dialogue[Outcome[Ratings]]]:
    """One dialogue per answer that was given; the right answer is shown without SciDQA's "A: "."""
    for row in answers:
        if row["prediction"] is not None:
            yield ASPECT_JUDGE.ask(
                row_id(row["answer_id"], judge),
                question=row["question"],
                answer=row["answer"].removeprefix(ANSWER_MARK),
                prediction=row["prediction"],
            )


def rating_rows(outcomes: Iterable[Outcome[Ratings]], answers: Sequence[Row], judge: str) -> Iterator[Row]:
    """A judge's rows of `benchmark.aspect_ratings`; what was not given or cannot be read has its reason."""
    by_key = {outcome.key: outcome for outcome in outcomes}
    for row in answers:
        outcome = by_key.get(row_id(row["answer_id"], judge))
        if outcome is None:
            yield _row(row, judge, reason=NO_TEXT if row["rejection_reason"] == NO_TEXT else NO_ANSWER)
            continue
        yield _row(row, judge, outcome.value, outcome.reason, outcome.text)


def refused_rows(answers: Iterable[Row], judge: str) -> Iterator[Row]:
    """Rows of a judge of the answering model's family: nobody asks it."""
    for row in answers:
        yield _row(row, judge, reason=SAME_FAMILY)


def _row(
    row: Row, judge: str, ratings: Ratings | None = None, reason: str | None = None, reply: str | None = None
) -> Row:
    return {
        **judged_by(judge, row),
        **{aspect: getattr(ratings, aspect) if ratings else None for aspect in ASPECTS},
        "overall": ratings.overall if ratings else None,
        "status": "rated" if ratings else "rejected",
        "rejection_reason": None if ratings else reason,
        "reply": reply,
        "prompt_version": ASPECT_JUDGE.version,
    }
