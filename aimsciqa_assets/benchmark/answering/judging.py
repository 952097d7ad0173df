"""Judges answers: by their words, and by language models of other families (section 5.2)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa.measures import lexical
from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.benchmark.answering.answers import DECLINED
from aimsciqa_assets.benchmark.answering.readings import NO_TEXT, NOT_ASKED
from aimsciqa_assets.benchmark.answering.tasks import ANSWER_JUDGE
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]

NO_ANSWER: Final = "no_answer"
SAME_FAMILY: Final = "same_family"


def judged_answers(answers: Iterable[Row], queries: Iterable[Row], titles: dict[str, str]) -> list[Row]:
    """The answers that may count, each with its question, right answer and the title of its target."""
    items = {row["item_id"]: row for row in queries}
    return [
        row
        | {
            "question": items[row["item_id"]]["question"],
            "answer": items[row["item_id"]]["answer"],
            "title": titles.get(items[row["item_id"]]["target_paper_id"], ""),
        }
        for row in answers
        if row["rejection_reason"] not in NOT_ASKED - {NO_TEXT}
    ]


def lexical_judgements(answers: Iterable[Row]) -> Iterator[Row]:
    """The lexical judge's rows."""
    for row in answers:
        if row["prediction"] is None:
            yield _unanswered(row, lexical.NAME, "lexical")
            continue
        score = lexical.lexical_score(row["question"], row["answer"], row["prediction"], row["title"])
        yield _judgement(row, lexical.NAME, "lexical", score=score)


def judge_dialogues(answers: Iterable[Row], judge: str) -> Iterator[Dialogue[Outcome[float]]]:
    """One dialogue per answer that was given."""
    for row in answers:
        if row["prediction"] is not None:
            told = {name: row[name] for name in ("question", "answer", "prediction")}
            yield ANSWER_JUDGE.ask(row_id(row["answer_id"], judge), **told)


def model_judgements(outcomes: Iterable[Outcome[float]], answers: Sequence[Row], judge: str) -> Iterator[Row]:
    """A judge's rows; a reply that cannot be read has its reason and no score."""
    by_key = {outcome.key: outcome for outcome in outcomes}
    for row in answers:
        outcome = by_key.get(row_id(row["answer_id"], judge))
        if outcome is None:
            yield _unanswered(row, judge, "model")
            continue
        yield _judgement(row, judge, "model", score=outcome.value, reason=outcome.reason, reply=outcome.text)


def refused_judgements(answers: Iterable[Row], judge: str) -> Iterator[Row]:
    """Rows of a judge that may not judge its own family: no score, and the reason."""
    for row in answers:
        yield _judgement(row, judge, "model", reason=SAME_FAMILY)


def judged_by(judge: str, row: Row) -> Row:
    """The columns that say which judge judges which answer."""
    answer = {name: row[name] for name in ("answer_id", "answerer", "item_id", "setting")}
    return {"judge": judge, **answer}


def without_answer(row: Row) -> tuple[float | None, str | None]:
    """Score and reason of an answer that was not given: 0, with a reason unless the model declined.

    No score where a paper has no text: nobody was asked.
    """
    if row["rejection_reason"] == NO_TEXT:
        return None, NO_TEXT
    return 0.0, None if row["rejection_reason"] == DECLINED else NO_ANSWER


def _unanswered(row: Row, judge: str, kind: str) -> Row:
    """The row of a judge that was not asked, because there is no answer."""
    score, reason = without_answer(row)
    return _judgement(row, judge, kind, score=score, reason=reason)


def _judgement(
    row: Row,
    judge: str,
    kind: str,
    *,
    score: float | None = None,
    reason: str | None = None,
    reply: str | None = None,
) -> Row:
    return {
        **judged_by(judge, row),
        "kind": kind,
        "score": score,
        "rejection_reason": reason,
        "reply": reply,
        "prompt_version": ANSWER_JUDGE.version if kind == "model" else "",
    }
