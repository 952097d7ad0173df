"""What the making of examples will ask, cost and take: an estimate before the first request.

It goes by the replies in this home so far. Without any, agents act as in AirQA's table 13, every second try
succeeds, and a request takes as long as nobody knows.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil
from typing import Final

from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.warehouse import Warehouse
from aimsciqa_resources.warehouse.store_elements import PAPER

from aimsciqa_assets.airqa.agent.loop import AGENT
from aimsciqa_assets.airqa.baselines.reading import READING
from aimsciqa_assets.airqa.evaluation.catalogue import catalogue
from aimsciqa_assets.airqa.extractor.exploring import EXPLORER, RETRIEVAL
from aimsciqa_assets.airqa.extractor.making import Making
from aimsciqa_assets.airqa.extractor.tracking import TRACKER
from aimsciqa_assets.cli.costs import reply_tokens
from aimsciqa_assets.settings import Settings

_SO_FAR: Final = """
select count(*) filter (status = 'accepted' or rejection_reason in ('merged', 'surplus')) as good,
    count(*) as tried
from extractor.examples where kind <> 'multiple'
"""
_TURNS: Final = "select avg(turns) as turns from extractor.trajectories"
_OF_TASK: Final = """
select avg(prompt_tokens) filter (prompt_tokens > 0) as tokens,
    avg(latency_seconds) filter (not from_journal and model = $model) as seconds
from ops.llm_calls where task = $task and outcome = 'ok'
"""
_TRIES_PER_EXAMPLE: Final = 2.0
_TURNS_OF_AN_AGENT: Final = 5.95
_TOKENS_OF_A_TURN: Final = 10_500
_REPLY_TOKENS: Final = {
    EXPLORER.name: 300,
    RETRIEVAL.name: 200,
    TRACKER.name: 400,
    READING.name: 50,
    AGENT.name: 130,
}
_CHARACTERS_PER_TOKEN: Final = 4
_LOOKED_AT: Final = 20


@dataclass(frozen=True, slots=True)
class Foretold:
    """Requests of a task, about; `seconds` is how long one takes, None where nobody knows."""

    task: str
    model: ModelSettings
    to_send: int
    prompt_tokens: int
    reply_tokens: int
    seconds: float | None


def foretold(making: Making, settings: Settings, warehouse: Warehouse) -> list[Foretold]:
    """What is asked of each task, about, until all examples and trajectories are made."""
    found = []
    for task, model, requests, tokens in _asked(making, settings, warehouse):
        so_far = warehouse.read(_OF_TASK, {"task": task, "model": model.name}).row(0, named=True)
        of_one = so_far["tokens"] or tokens
        one = Foretold(task, model, requests, round(requests * of_one), 0, so_far["seconds"])
        replies = reply_tokens(one, warehouse) or _REPLY_TOKENS[task] * requests
        found.append(Foretold(task, model, requests, one.prompt_tokens, replies, one.seconds))
    return found


def minutes_of(asked: Sequence[Foretold]) -> float | None:
    """How long it takes with as many requests at once as the settings say; None where nobody knows."""
    seconds = [one.seconds for one in asked]
    if None in seconds:
        return None
    return sum((one.seconds or 0) * one.to_send / one.model.in_flight for one in asked) / 60


def _asked(
    making: Making, settings: Settings, warehouse: Warehouse
) -> Iterator[tuple[str, ModelSettings, int, float]]:
    """Task, model, number of requests, and tokens of the prompt of one as it is written."""
    good, tried = warehouse.read(_SO_FAR).row(0)
    per_example = tried / good if good else _TRIES_PER_EXAMPLE
    tries = _tries(making, per_example)
    described = tries.pop(PAPER, 0)
    explored = sum(tries.values())
    lengths = _lengths(making)
    models = settings.models
    for task, requests in ((EXPLORER, explored), (RETRIEVAL, described)):
        if requests:
            yield task.name, models["extractor"], requests, lengths[task.name]
    if explored:
        shown = TRACKER.request("", question="", answer="", functions=list(catalogue()))
        length = sum(len(message.text) for message in shown.messages) / _CHARACTERS_PER_TOKEN
        yield TRACKER.name, models["tracker"], explored, length
    examples = min(settings.extractor.examples, explored + described)
    if settings.extractor.alone:
        yield READING.name, models["actor"], examples, lengths[READING.name]
    turns = warehouse.read(_TURNS)["turns"][0] or _TURNS_OF_AN_AGENT
    yield AGENT.name, models["actor"], ceil(examples * turns), _TOKENS_OF_A_TURN


def _tries(making: Making, per_example: float) -> dict[str, int]:
    """How often each element is asked about: as often as its quotas need, and as the store has it."""
    wanted: Counter[str] = Counter()
    for quota in making.plan.quotas:
        wanted[quota.element or PAPER] += quota.wanted
    return {name: min(ceil(count * per_example), making.seeds.get(name, 0)) for name, count in wanted.items()}


def _lengths(making: Making) -> dict[str, float]:
    """Tokens of the first prompts of a task, on average, by their characters."""
    found: dict[str, list[int]] = {EXPLORER.name: [0], RETRIEVAL.name: [0], READING.name: [0]}
    for dialogue in islice(making.first_round(), _LOOKED_AT * len(found)):
        request = next(dialogue)
        dialogue.close()
        found[request.task].append(sum(len(message.text) for message in request.messages))
    read = READING.request("", question="", answer_format="", conference=[], papers=[], passages=[])
    found[READING.name].append(sum(len(message.text) for message in read.messages))
    return {task: sum(some) / max(1, len(some) - 1) / _CHARACTERS_PER_TOKEN for task, some in found.items()}
