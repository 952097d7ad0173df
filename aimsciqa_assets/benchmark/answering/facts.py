"""Scores answers by the facts that they state: by rules where a fact has a number, by judges otherwise."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl
from aimsciqa_resources.language_model import Dialogue
from pydantic import BaseModel

from aimsciqa.measures.facts import Fact, Sources, precision, stated
from aimsciqa_assets.asking.task import Outcome, Task, json_task
from aimsciqa_assets.benchmark.answering.judging import SAME_FAMILY, judged_by, without_answer
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.platform.queries import query_of

Row = dict[str, Any]

STATED_FACTS: Final = query_of("benchmark.stated_facts")
RULES: Final = "rules"
RECALL: Final = "fact_recall"
PRECISION: Final = "fact_precision"


class Stated(BaseModel):
    """The numbers of the facts that an answer states, from 1."""

    stated: list[int]


FACT_JUDGE: Final[Task[Stated]] = json_task("fact_judge", Stated)


@dataclass(frozen=True, slots=True)
class ByRules:
    """An answer to an item with facts, and what rules say of it.

    `stated` says for each fact whether the answer states it, None for a fact without a number.
    """

    answer: Row
    statements: tuple[str, ...]
    stated: tuple[bool | None, ...]
    precision: float | None

    @property
    def open(self) -> list[int]:
        """Return the places of the facts that have no number."""
        return [place for place, found in enumerate(self.stated) if found is None]

    @property
    def is_asked(self) -> bool:
        """Say whether a judge has something to decide."""
        return bool(self.open) and self.answer["prediction"] is not None


def by_rules(answers: Iterable[Row], items: Iterable[Row]) -> list[ByRules]:
    """Return the answers to items with facts; `items` are rows of `benchmark/stated_facts.sql`.

    `answers` are those of `judged_answers`. One that was not given states nothing.
    """
    known = {item["item_id"]: item for item in items}
    return [_by_rules(answer, known[answer["item_id"]]) for answer in answers if answer["item_id"] in known]


def _by_rules(answer: Row, item: Row) -> ByRules:
    facts = [Fact(fact["amount"], fact["unit"], fact["evidence"]) for fact in item["facts"]]
    text = answer["prediction"] or ""
    return ByRules(
        answer,
        tuple(fact["statement"] for fact in item["facts"]),
        tuple(stated(text, fact) for fact in facts),
        precision(text, Sources(answer["question"], facts, item["results"])),
    )


def fact_dialogues(scored: Iterable[ByRules], judge: str) -> Iterator[Dialogue[Outcome[Stated]]]:
    """Yield one dialogue per answer, about the facts that have no number."""
    for entry in scored:
        if entry.is_asked:
            yield FACT_JUDGE.ask(
                row_id(entry.answer["answer_id"], judge),
                question=entry.answer["question"],
                prediction=entry.answer["prediction"],
                facts=[entry.statements[place] for place in entry.open],
            )


def rule_scores(scored: Iterable[ByRules]) -> Iterator[Row]:
    """Yield the rows of the rules in `benchmark.fact_scores`."""
    for entry in scored:
        yield _row(entry, RULES, entry.stated) | {PRECISION: entry.precision}


def judge_scores(
    scored: Iterable[ByRules], judge: str, outcomes: Mapping[str, Outcome[Stated]]
) -> Iterator[Row]:
    """Yield the rows of a judge. A reply that cannot be read leaves its facts unscored."""
    for entry in scored:
        outcome = outcomes.get(row_id(entry.answer["answer_id"], judge))
        if outcome is None or outcome.value is None:
            missing = outcome.reason if outcome else None
            verdicts = entry.stated if entry.is_asked else tuple(bool(found) for found in entry.stated)
        else:
            missing, named = None, {entry.open[number - 1] for number in _numbers(entry, outcome.value)}
            verdicts = tuple(
                place in named if found is None else found for place, found in enumerate(entry.stated)
            )
        row = _row(entry, judge, verdicts)
        if missing:
            row |= {RECALL: None, "rejection_reason": missing}
        asked = {"reply": outcome.text, "prompt_version": FACT_JUDGE.version} if outcome else {}
        yield row | asked


def refused_scores(scored: Iterable[ByRules], judge: str) -> Iterator[Row]:
    """Yield the rows of a judge that may not judge the model that answered."""
    for entry in scored:
        yield _row(entry, judge, entry.stated) | {RECALL: None, "rejection_reason": SAME_FAMILY}


def recalls(scores: pl.DataFrame) -> pl.DataFrame:
    """Return fact recall as judges' scores; without answers whose facts no rule can score."""
    by_rules_alone = pl.col("judge") == RULES
    kind = pl.when(by_rules_alone).then(pl.lit(RULES)).otherwise(pl.lit("model"))
    unscored = by_rules_alone & (pl.col("stated").list.drop_nulls().list.len() == 0)
    return scores.filter(~unscored).select(
        "answer_id", "judge", pl.col(RECALL).alias("score"), "rejection_reason", kind=kind
    )


def precisions(scores: pl.DataFrame) -> pl.DataFrame:
    """Return fact precision by answer, without answers that state no number."""
    return scores.drop_nulls(PRECISION).select("answer_id", value=PRECISION)


def _numbers(entry: ByRules, reply: Stated) -> list[int]:
    return [number for number in reply.stated if 1 <= number <= len(entry.open)]


def _row(entry: ByRules, judge: str, verdicts: Sequence[bool | None]) -> Row:
    known = [verdict for verdict in verdicts if verdict is not None]
    value = sum(known) / len(known) if known else None
    reason = None
    if entry.answer["prediction"] is None:
        score, reason = without_answer(entry.answer)
        value = score if known else None
    return {
        **judged_by(judge, entry.answer),
        "stated": list(verdicts),
        "unscored": len(verdicts) - len(known),
        RECALL: value,
        PRECISION: None,
        "rejection_reason": reason,
        "reply": None,
        "prompt_version": "",
    }
