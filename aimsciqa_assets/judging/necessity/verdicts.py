"""All rows of the ledger: the tests by rules, by models, and those that nobody could take."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aimsciqa_assets.judging.gates import BestScore
from aimsciqa_assets.judging.necessity.difficulty import difficulty_verdict
from aimsciqa_assets.judging.necessity.guessing import Guess, habits
from aimsciqa_assets.judging.necessity.items import Item
from aimsciqa_assets.judging.necessity.ledger import Marks, by_model, not_taken, of_benchmark, of_trials
from aimsciqa_assets.judging.necessity.rules import ONE_DOCUMENT, RULES, Rules, guessing, row, with_answer
from aimsciqa_assets.judging.necessity.searching import Nearest

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answered:
    """What one model answered: in the benchmark, by item and setting, and in trials, by item."""

    scores: Mapping[tuple[str, str], BestScore]
    trials: Mapping[str, Sequence[Row]]

    def marks(self, item: Item) -> Marks:
        """The marks of an item's answers; those of the benchmark count where both asked."""
        return of_trials(self.trials.get(item.item_id, ())) | of_benchmark(self.scores, item)

    def solved(self, item: Item) -> bool | None:
        """Whether it was right with all documents; None where nothing says so."""
        mark = self.marks(item).get(("all", ""))
        return mark.right if mark else None


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What verdicts rest on: rules and searches, twins by item, difficulty by item, answers by model."""

    rules: Rules
    nearest: Nearest
    twins: Mapping[str, str]
    difficulty: Mapping[str, Row]
    answered: Mapping[str, Answered]
    tests: Container[str]
    models: Sequence[str]
    quota: int
    prior_share: float

    def of(self, items: Sequence[Item], advance: Callable[[int], None] = lambda _items: None) -> list[Row]:
        """The rows of all items, sorted by key."""
        by_habit = habits(items, self.prior_share)
        rows: list[Row] = []
        for item in items:
            made = list(self._by_rules(item, by_habit.get(item.item_id)))
            for model, answered in self.answered.items():
                made += by_model(item, model, answered.marks(item), self.tests)
            made += not_taken(item, self.models, {(one["test"], one["model"]) for one in made})
            rows += [one for one in made if one["test"] in self.tests]
            advance(1)
        return sorted(rows, key=lambda one: (one["item_id"], one["test"], one["model"]))

    def _by_rules(self, item: Item, habit: Guess | None) -> Iterator[Row]:
        yield self.rules.answerability(item)
        yield self.rules.shortcut(item, self.nearest.get(with_answer(item), []))
        yield self.rules.bridge_masked(item, self.nearest)
        yield guessing(item, habit)
        yield self._twin(item)
        yield difficulty_verdict(item, self.difficulty[item.item_id], self.quota)

    def _twin(self, item: Item) -> Row:
        if len(item.sources) == 1:
            return row(item, "twin", RULES, "not_applicable", ONE_DOCUMENT)
        twin = self.twins.get(item.item_id)
        if twin is None:
            return row(item, "twin", RULES, "unknown", "no near paper lacks the fact")
        return row(item, "twin", RULES, "pass", f"{twin} in place of the {item.last.role}")
