"""How many requests AirQA's baselines and judges would send at most, after those that are known to be next.

An agent takes all its turns, and sees in each as much of the turns before as its window holds: replies and
observations as long as they may be.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from aimsciqa_resources.language_model import ModelRequest
from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.airqa.agent.loop import AGENT
from aimsciqa_assets.airqa.baselines.methods import BASELINES
from aimsciqa_assets.airqa.baselines.text2sql import SQL_ANSWER, STATEMENT
from aimsciqa_assets.airqa.evaluation.functions import JUDGED, with_joined
from aimsciqa_assets.airqa.examples.taking import EXAMPLES, example_of
from aimsciqa_assets.airqa.sandbox.observations import Shown
from aimsciqa_assets.airqa.store.schema import schema_sql
from aimsciqa_assets.asking.families import same_family
from aimsciqa_assets.asking.prompts import load_prompt
from aimsciqa_assets.platform.drawing import drawn
from aimsciqa_assets.platform.steps import StepRun
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.settings.airqa import AirqaSettings
from aimsciqa_assets.settings.airqa_runs import Run

CHARACTERS_PER_TOKEN: Final = 4


@dataclass(frozen=True, slots=True)
class Later:
    """So many requests of a task to a model `to_send` at most, with about so many tokens in all."""

    task: str
    model: ModelSettings
    to_send: int
    prompt_tokens: int

    def plus(self, other: "Later") -> "Later":
        """Both together."""
        tokens = self.prompt_tokens + other.prompt_tokens
        return Later(self.task, self.model, self.to_send + other.to_send, tokens)


@dataclass(slots=True)
class LaterTurns:
    """Counts the turns of dialogues, and what those that stop may still ask."""

    chosen: AirqaSettings
    turns: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    found: dict[tuple[str, str], Later] = field(default_factory=dict)

    def note(self, model: ModelSettings, request: ModelRequest, *, known: bool) -> None:
        """Told of each request of a dialogue in its order, and whether the reply to it is known."""
        label = model.label or model.backend
        self.turns[request.task, label, request.key] += 1
        if known or not request.acts:
            return
        asked = self.turns[request.task, label, request.key]
        opening = sum(len(message.text) for message in request.messages[:2]) // CHARACTERS_PER_TOKEN
        if request.task == AGENT.name:
            later = agent_turns(model, self.chosen, opening, asked)
        else:
            later = sql_answers(model, 1)
        before = self.found.get((later.task, label), Later(later.task, model, 0, 0))
        self.found[later.task, label] = before.plus(later)


def agent_turns(model: ModelSettings, chosen: AirqaSettings, opening: int, asked: int) -> Later:
    """The turns of a dialogue after so many were `asked`; `opening` are the tokens that every turn shows."""
    pair = Shown().max_tokens + model.reply_tokens
    later = range(asked + 1, chosen.turns + 1)
    shown = sum(min(turn - 1, chosen.window) for turn in later)
    return Later(AGENT.name, model, len(later), len(later) * opening + shown * pair)


def sql_answers(model: ModelSettings, count: int) -> Later:
    """The answers of text2sql, after a statement and its result."""
    prompt = len(load_prompt(SQL_ANSWER.name).text) // CHARACTERS_PER_TOKEN
    each = prompt + Shown().max_tokens + model.reply_tokens
    return Later(SQL_ANSWER.name, model, count, count * each)


def answers_at_most(run: StepRun) -> Iterator[Later]:
    """What a run of a baseline asks at most that waits for the store or the examples."""
    named, chosen = run.agent_run, run.settings.airqa
    count = chosen.repeats * len(_examples(run, chosen))
    baseline = BASELINES[named.baseline]
    task = baseline.tasks[0].name
    opening = (len(load_prompt(task).text) + len(schema_sql())) // CHARACTERS_PER_TOKEN
    if baseline.actions:
        of_one = agent_turns(named.model, chosen, opening, 0)
        yield Later(task, named.model, count * of_one.to_send, count * of_one.prompt_tokens)
        return
    shown = chosen.full_text_tokens if baseline.reads_papers else 0
    yield Later(task, named.model, count, count * (opening + shown))
    if task == STATEMENT.name:
        yield sql_answers(named.model, count)


def verdicts_at_most(run: StepRun) -> Iterator[Later]:
    """What the judge of a run is asked at most: once for each judged function of an evaluator."""
    judge, named, chosen = run.model_settings, run.agent_run, run.settings.airqa
    if not judge.name or may_not_judge(run.settings, named):
        return
    count = chosen.repeats * sum(_judged(row) for row in _examples(run, chosen))
    prompt = max(len(load_prompt(task).text) for task in run.prompts) // CHARACTERS_PER_TOKEN
    yield Later(run.prompts[0], judge, count, count * (prompt + named.model.reply_tokens))


def may_not_judge(settings: Settings, named: Run) -> bool:
    """Whether the judge model is of the family of the model that answers, and the settings do not let it."""
    judge, answerer = settings.judge_model, named.model.label or named.model.backend
    return bool(judge.name) and same_family(judge.label, answerer) and not settings.benchmark.same_family


def _examples(run: StepRun, chosen: AirqaSettings) -> list[Mapping[str, Any]]:
    examples = run.read(EXAMPLES)
    ids = set(drawn(examples["example_id"], chosen.sample or examples.height, chosen.seed))
    return [row for row in examples.iter_rows(named=True) if row["example_id"] in ids]


def _judged(row: Mapping[str, Any]) -> int:
    joined = with_joined(example_of(row).evaluator_shape)
    return sum(one.get("eval_func") in JUDGED for _, one in joined)


BY_RUN: Final[Mapping[str, Callable[[StepRun], Iterator[Later]]]] = {
    "airqa.answers": answers_at_most,
    "airqa.verdicts": verdicts_at_most,
}
"""What a step that waits would ask at most for a run of AirQA, by the table that it writes."""
