"""What models answered, as rows of the ledger; and the rows of tests that no model was asked for."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.items.form import alone_setting
from aimsciqa_assets.judging.gates import BestScore
from aimsciqa_assets.judging.necessity.items import Item
from aimsciqa_assets.judging.necessity.rules import NO_BRIDGE, masked, row
from aimsciqa_assets.tables.quality import MODEL_TESTS

Row = dict[str, Any]

NO_MODEL: Final = "no_model"
NONE: Final = "none"
NOT_ASKED: Final = "not asked"
_SUCCEEDS: Final = ("renamed", "counterfactual")
_FAILS: Final = {"bridge_masked": "masked", "shortcut": "third", "twin": "twin"}


@dataclass(frozen=True, slots=True)
class Mark:
    """Whether an answer was right; None where nothing says so, and then why."""

    right: bool | None
    why: str


Marks = Mapping[tuple[str, str], Mark]
"""The marks of an item's answers by one model, by reading and role."""

_UNASKED: Final = Mark(None, NOT_ASKED)


def of_benchmark(scores: Mapping[tuple[str, str], BestScore], item: Item) -> dict[tuple[str, str], Mark]:
    """The marks that the answering benchmark has of an item's answers by one answerer."""
    settings = {("all", ""): "oracle", ("none", ""): "closed_book"} | {
        ("alone", source.role): alone_setting(source.role) for source in item.sources
    }
    return {
        reading: Mark(score.value == 1, score.said)
        for reading, setting in settings.items()
        if (score := scores.get((item.item_id, setting))) and score.value is not None
    }


def of_trials(trials: Iterable[Row]) -> dict[tuple[str, str], Mark]:
    """The marks of trials of one item by one model."""
    return {
        (one["reading"], (one["role"] or "") if one["reading"] == "alone" else ""): Mark(
            None if one["score"] is None else one["score"] == 1,
            one["rejection_reason"] or f"{one['score']:g} by {one['judge']}",
        )
        for one in trials
    }


def by_model(item: Item, model: str, marks: Marks, tests: Container[str]) -> Iterator[Row]:
    """Rows of the tests that a model took: by the benchmark, by trials, or by both."""
    if not marks:
        return
    if "answerability" in tests and {reading for reading, _ in marks} & {"all", "alone", "negatives"}:
        yield _answerability(item, model, marks)
    if "guessing" in tests and ("none", "") in marks:
        yield _must_fail(item, "guessing", model, marks["none", ""])
    for test, reading in _FAILS.items():
        if test in tests and (reading, "") in marks:
            yield _must_fail(item, test, model, marks[reading, ""])
    for test in _SUCCEEDS:
        if test in tests and (test, "") in marks:
            mark = marks[test, ""]
            verdict = "unknown" if mark.right is None else "pass" if mark.right else "fail"
            yield row(item, test, model, verdict, f"{test}: {mark.why}")


def not_taken(item: Item, models: Sequence[str], taken: Container[tuple[str, str]]) -> Iterator[Row]:
    """The tests that only a model can decide, where none is configured or one did not take them.

    `taken` are tests and models that have a row.
    """
    for test in MODEL_TESTS:
        for model in models or (NONE,):
            if (test, model) in taken:
                continue
            if test == "renamed" and not masked(item):
                yield row(item, test, model, "not_applicable", NO_BRIDGE)
            else:
                yield row(item, test, model, "unknown", NOT_ASKED if models else NO_MODEL)


def _answerability(item: Item, model: str, marks: Marks) -> Row:
    """All documents alone must succeed: not nothing, and no single one; hard negatives must do no harm.

    What was not asked leaves the verdict unknown, unless another answer fails the item already.
    """
    must_fail = [("none", "")]
    if len(item.sources) > 1:
        must_fail += [("alone", source.role) for source in item.sources]
    must_succeed = [("all", ""), ("negatives", "")]
    known = {reading: marks.get(reading, _UNASKED) for reading in (*must_fail, *must_succeed)}
    if known["negatives", ""] is _UNASKED:
        # The benchmark does not ask with hard negatives: what it asks decides.
        del known["negatives", ""]
    failed = any(mark.right for reading, mark in known.items() if reading in must_fail) or any(
        mark.right is False for reading, mark in known.items() if reading in must_succeed
    )
    unknown = any(mark.right is None for mark in known.values())
    verdict = "fail" if failed else "unknown" if unknown else "pass"
    said = "; ".join(f"{role or reading}: {mark.why}" for (reading, role), mark in known.items())
    return row(item, "answerability", model, verdict, said)


def _must_fail(item: Item, test: str, model: str, mark: Mark) -> Row:
    verdict = "unknown" if mark.right is None else "fail" if mark.right else "pass"
    return row(item, test, model, verdict, mark.why)
