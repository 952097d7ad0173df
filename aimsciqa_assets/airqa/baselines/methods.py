"""The eight baselines by name: what each asks, and what it needs of the paper store."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.airqa.actions import describe, tool_specifications
from aimsciqa_assets.airqa.actions.forms import FORMATS
from aimsciqa_assets.airqa.agent.loop import AGENT, searched_columns
from aimsciqa_assets.airqa.baselines.reading import READING
from aimsciqa_assets.airqa.baselines.text2sql import SQL_ANSWER, STATEMENT
from aimsciqa_assets.airqa.store.schema import schema_sql
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

    @property
    def sees_summaries(self) -> bool:
        """Whether it can come upon the store's summaries, by a search or by SQL."""
        return self.searches or not self.reads_papers

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
_ACTIONS: Final = ("Retrieve", "Query", VIEW, "Answer")


def told_by_code() -> list[Any]:
    """What agents are told of tables and actions, which is made of code and stands in no prompt."""
    return [
        *(schema_sql(), searched_columns(), tool_specifications(_ACTIONS)),
        *(describe(_ACTIONS, form) for form in FORMATS),
    ]


TASKS: Final = (READING, STATEMENT, SQL_ANSWER, AGENT)
