"""The eight baselines by name: what each asks, and what it needs of the paper store."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.airqa.agent.loop import AGENT
from aimsciqa_assets.airqa.baselines.reading import READING
from aimsciqa_assets.airqa.baselines.text2sql import SQL_ANSWER, STATEMENT
from aimsciqa_assets.asking.task import Task

VIEW: Final = "View"


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline. `actions` are an agent's; none for the others."""

    tasks: tuple[Task[Any], ...]
    actions: tuple[str, ...] = ()
    reads_papers: bool = False
    reads_texts: bool = False
    searches: bool = False

    def actions_with(self, *, view: bool) -> tuple[str, ...]:
        """What its agent may do; to look at pages where the settings let it."""
        return (*self.actions[:-1], VIEW, self.actions[-1]) if view else self.actions


BASELINES: Final[Mapping[str, Baseline]] = {
    "question_only": Baseline((READING,), reads_papers=True),
    "title_abstract": Baseline((READING,), reads_papers=True),
    "full_text": Baseline((READING,), reads_papers=True, reads_texts=True),
    "rag": Baseline((READING,), reads_papers=True, searches=True),
    "text2sql": Baseline((STATEMENT, SQL_ANSWER)),
    "agentic_rag": Baseline((AGENT,), ("Retrieve", "Answer"), searches=True),
    "agentic_text2sql": Baseline((AGENT,), ("Query", "Answer")),
    "agentic_hybrid": Baseline((AGENT,), ("Retrieve", "Query", "Answer"), searches=True),
}
TASKS: Final = (READING, STATEMENT, SQL_ANSWER, AGENT)
