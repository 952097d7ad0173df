"""Answers before their judges: the lexical one, and language models of other families (section 5.2)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from aimsciqa_resources.language_model import ModelReply, ModelRequest

from aimsciqa_assets.asking.prompts import Prompt, load_prompt
from aimsciqa_assets.asking.repairing import repair_prompt
from aimsciqa_assets.benchmark.answering.answers import DECLINED
from aimsciqa_assets.benchmark.answering.readings import NOT_PUT
from aimsciqa_assets.benchmark.answering.replies import read_mark
from aimsciqa_assets.benchmark.answering.requests import OneField, reply_schema
from aimsciqa_assets.metrics import lexical
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]

TASK: Final = "answer_judge"
NO_ANSWER: Final = "no_answer"
SAME_FAMILY: Final = "same_family"


def judge_prompt() -> Prompt:
    """The prompt of the judges."""
    return load_prompt(TASK)


def prompt_version() -> str:
    """Changes with any text that a judge is shown; belongs into every row."""
    return f"{judge_prompt().version}+{repair_prompt().version}"


def judged_answers(answers: Iterable[Row], queries: Iterable[Row], titles: dict[str, str]) -> list[Row]:
    """The answers that count, each with its question, right answer and the title of its target."""
    items = {row["item_id"]: row for row in queries}
    return [
        row
        | {
            "question": items[row["item_id"]]["question"],
            "answer": items[row["item_id"]]["answer"],
            "title": titles.get(items[row["item_id"]]["target_paper_id"], ""),
        }
        for row in answers
        if row["rejection_reason"] not in NOT_PUT
    ]


def lexical_judgements(answers: Iterable[Row]) -> Iterator[Row]:
    """The lexical judge's rows."""
    for row in answers:
        if row["prediction"] is None:
            yield _unanswered(row, lexical.NAME, "lexical")
            continue
        mark = lexical.lexical_mark(row["question"], row["answer"], row["prediction"], row["title"])
        yield _judgement(row, lexical.NAME, "lexical", score=mark)


def judge_requests(answers: Iterable[Row], judge: str) -> Iterator[ModelRequest]:
    """One request per answer that was given."""
    for row in answers:
        if row["prediction"] is not None:
            variables = {name: row[name] for name in ("question", "answer", "prediction")}
            yield ModelRequest(
                TASK,
                row_id(row["answer_id"], judge),
                variables,
                judge_prompt().messages(variables),
                reply_schema=reply_schema("selection", ("1", "0.5", "0")),
                recourse=OneField("selection", read_mark),
            )


def model_judgements(replies: Iterable[ModelReply], answers: Sequence[Row], judge: str) -> Iterator[Row]:
    """A judge's rows; a reply that cannot be read has its reason and no score."""
    by_key = {reply.key: reply for reply in replies}
    for row in answers:
        reply = by_key.get(row_id(row["answer_id"], judge))
        if reply is None:
            yield _unanswered(row, judge, "model")
            continue
        score = read_mark(reply.text) if reply.text is not None else None
        reason = None
        if score is None:
            reason = "length_limit" if reply.truncated else (reply.failure or "malformed_reply")
        yield _judgement(row, judge, "model", score=score, reason=reason, reply=reply.text)


def refused_judgements(answers: Iterable[Row], judge: str) -> Iterator[Row]:
    """Rows of a judge that may not judge its own family: no score, and the reason."""
    for row in answers:
        yield _judgement(row, judge, "model", reason=SAME_FAMILY)


def _unanswered(row: Row, judge: str, kind: str) -> Row:
    """0 without asking; where the model did not decline but failed, with the reason."""
    reason = None if row["rejection_reason"] == DECLINED else NO_ANSWER
    return _judgement(row, judge, kind, score=0.0, reason=reason)


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
        "answer_id": row["answer_id"],
        "judge": judge,
        "answerer": row["answerer"],
        "item_id": row["item_id"],
        "setting": row["setting"],
        "kind": kind,
        "score": score,
        "rejection_reason": reason,
        "reply": reply,
        "prompt_version": prompt_version() if kind == "model" else "",
    }
