"""The RAG baselines by the names that the settings give them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.asking.task import Task
from aimsciqa_assets.benchmark.answering.rag import tasks
from aimsciqa_assets.benchmark.answering.rag.flare import MOST_SENTENCES, flare
from aimsciqa_assets.benchmark.answering.rag.inquiry import Limits, Method
from aimsciqa_assets.benchmark.answering.rag.ircot import ircot
from aimsciqa_assets.benchmark.answering.rag.replug import replug
from aimsciqa_assets.benchmark.answering.rag.search_loop import search_loop
from aimsciqa_assets.benchmark.answering.rag.standard import standard
from aimsciqa_assets.benchmark.answering.rag.sure import CANDIDATES_ASKED, sure

PREFIX: Final = "rag_"
"""Begins the setting of an answer by one of these methods."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """A method, what it asks, whether it needs log-probabilities, and how many requests it makes at most."""

    method: Method
    tasks: tuple[Task[str], ...]
    most_requests: Callable[[Limits], int]
    needs_logprobs: bool = False


def _most_of_replug(limits: Limits) -> int:
    papers = limits.papers
    return papers * limits.output_tokens if limits.replug == "tokens" else papers * (1 + papers)


BASELINES: Final[Mapping[str, Baseline]] = {
    "standard": Baseline(standard, (tasks.ANSWER,), lambda _limits: 1),
    "sure": Baseline(
        sure,
        (tasks.CANDIDATES, tasks.SUMMARY, tasks.VALIDITY, tasks.RANKING),
        lambda _limits: 1 + CANDIDATES_ASKED * (1 + CANDIDATES_ASKED),
    ),
    "ircot": Baseline(ircot, (tasks.THOUGHT, tasks.ANSWER), lambda limits: limits.iterations + 1),
    "flare": Baseline(flare, (tasks.SENTENCE,), lambda _limits: 2 * MOST_SENTENCES, needs_logprobs=True),
    "replug": Baseline(replug, (tasks.ANSWER,), _most_of_replug, needs_logprobs=True),
    "search": Baseline(search_loop, (tasks.SEARCH, tasks.READING), lambda limits: 2 * limits.searches + 2),
}
