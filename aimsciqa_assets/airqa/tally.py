"""Results by tag and in total: count, correct, score with its 95 % interval, and every answer that failed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.airqa.evaluation.functions import UnknownFunctionError, asks_a_judge
from aimsciqa_assets.airqa.evaluation.judges import Judge
from aimsciqa_assets.airqa.evaluation.scoring import PASSES, score
from aimsciqa_assets.airqa.examples.example import TAG_FAMILIES, Example

NO_ANSWER: Final = "no answer"
TOTAL: Final = "total"


@dataclass(frozen=True, slots=True)
class Scored:
    """An example with its answer. `judged`: a judge may have been asked; `reason`: why there is no verdict.

    Without a verdict (no answer, an evaluator that names no function) an answer counts as wrong.
    """

    example: Example
    answer: Any
    score: float
    judged: bool = False
    reason: str | None = None

    @property
    def is_correct(self) -> bool:
        """Whether it counts as correct."""
        return self.score >= PASSES


@dataclass(frozen=True, slots=True)
class TagScore:
    """The score of the examples with a tag; `low` and `high` bound it (Wilson, 95 %)."""

    family: str
    tag: str
    count: int
    correct: int
    score: float | None
    low: float | None
    high: float | None


def scored_examples(
    examples: Iterable[Example], answers: Mapping[str, Any], judge: Judge | None
) -> Iterator[Scored]:
    """Every example with the score of its answer, by uuid."""
    for example in examples:
        if example.uuid not in answers:
            yield Scored(example, None, 0.0, reason=NO_ANSWER)
            continue
        answer = answers[example.uuid]
        try:
            verdict = score(example.evaluator_shape, answer, judge)
        except UnknownFunctionError as error:
            yield Scored(example, answer, 0.0, reason=str(error))
        else:
            yield Scored(example, answer, verdict, asks_a_judge(example.evaluator_shape))


def tag_scores(scored: Sequence[Scored]) -> list[TagScore]:
    """A row for each tag that any example has, family by family, then the total."""
    rows = [
        _row(family, tag, [one for one in scored if tag in one.example.tags])
        for family, tags in TAG_FAMILIES.items()
        for tag in tags
    ]
    return [*(row for row in rows if row.count), _row(TOTAL, TOTAL, scored)]


def right_part(evaluator: Mapping[str, Any]) -> dict[str, Any]:
    """What the evaluator says of the right answer: all that it is called with but the question."""
    return {name: value for name, value in evaluator["eval_kwargs"].items() if name != "question"}


def _row(family: str, tag: str, scored: Sequence[Scored]) -> TagScore:
    count, correct = len(scored), sum(one.is_correct for one in scored)
    if not count:
        return TagScore(family, tag, 0, 0, None, None, None)
    return TagScore(family, tag, count, correct, correct / count, *wilson(correct, count))


def wilson(correct: int, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    from scipy.stats import binomtest  # It takes a second to load.

    interval = binomtest(correct, count).proportion_ci(0.95, "wilson")
    return float(interval.low), float(interval.high)
