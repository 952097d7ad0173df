"""The four tasks of a comparison, with the form of their replies and both ways to read them."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal, TypeVar

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Task
from aimsciqa_assets.hopweaver.comparison import released
from aimsciqa_assets.hopweaver.comparison.queries import Queries, read_queries
from aimsciqa_assets.hopweaver.comparison.questions import (
    QUOTES,
    Built,
    Comparison,
    read_question,
    values_in,
)
from aimsciqa_assets.hopweaver.comparison.scores import Joined, Scores, joined, read_scores
from aimsciqa_assets.hopweaver.comparison.subjects import Attribute, Found, Subject, read_subject
from aimsciqa_assets.hopweaver.delimited import COMPLETE
from aimsciqa_assets.hopweaver.tasks import having

Reading = Literal["tolerant", "released"]
T = TypeVar("T")

_FIELD: Final = r"""field ::= "\"" [^"<>\n]+ "\""
"""
SUBJECT_GRAMMAR: Final = (
    rf"""root ::= (subject (" ## " attribute)+ | ambiguous) "{COMPLETE}"
subject ::= "(\"subject_entity\"<|>" field "<|>" field ")"
attribute ::= "(\"attribute\"<|>" field "<|>" field ")"
ambiguous ::= "(\"ambiguous_subject\"<|>" field ")"
"""
    + _FIELD
)
SCORES_GRAMMAR: Final = (
    rf"""root ::= "(\"entity_score\"<|>" [1-5] ")" (" ## " scored)+ "{COMPLETE}"
scored ::= "(\"attribute_score\"<|>" field "<|>" field "<|>" [1-5] ")"
"""
    + _FIELD
)
QUERIES_GRAMMAR: Final = rf"""root ::= "(\"" tag "\"<|>" field "<|>" field "<|>" field "){COMPLETE}"
tag ::= "search_queries" | "recall_focused_verify"
field ::= [^"<>\n]+
"""
_ORDER: Final = (
    *("entity_a", "entity_b", "attribute_compared", "multi_hop_question", "answer"),
    *("fact_entity_a", "fact_entity_b", "quote_a", "quote_b"),
    *("relevant_paragraph_a", "relevant_paragraph_b"),
)
_COMMON: Final = ("in_common", "common_quote_a", "common_quote_b")


def _lines(names: Iterable[str]) -> str:
    return " ".join(rf'"\n{name}: " line' for name in names)


QUESTION_GRAMMAR: Final = rf"""root ::= "FAIL\n" line | "PASS" common? {_lines(_ORDER)}
common ::= {_lines(_COMMON)}
line ::= [^\n]+
"""

_OF_ORDERED: Final = having(
    ordered=False,
    least_concreteness=0,
    least_comparability=0,
    in_common=False,
    most_years=0,
    ask_for="",
)

SUBJECT: Final = Task[Found]("hopweaver_comparison_subject", SUBJECT_GRAMMAR, read_subject)
SCORES: Final = Task[Scores]("hopweaver_comparison_scores", SCORES_GRAMMAR, read_scores, shown=_OF_ORDERED)
QUERIES: Final = Task[Queries]("hopweaver_comparison_queries", QUERIES_GRAMMAR, read_queries)
QUESTION: Final = Task[Built](
    "hopweaver_comparison_question", QUESTION_GRAMMAR, read_question, shown=_OF_ORDERED
)
TASKS: Final[tuple[Task[Any], ...]] = (SUBJECT, SCORES, QUERIES, QUESTION)
"""What the synthesis asks. The polisher is another step (`hopweaver/polishing.py`)."""

_QUOTE_LINE = re.compile(rf"^(?:{'|'.join(QUOTES)}):.*\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks, their replies read as they are everywhere, or as the authors' released code reads them."""

    subject: Task[Found]
    scores: Task[Scores]
    queries: Callable[[Subject], Task[Queries]]
    question: Task[Built]
    joined: Callable[[Iterable[Attribute], Scores], Joined]


def _read_by(task: Task[T], read: Callable[[str], T | Fault[T]]) -> Task[T]:
    """The task with another reader. Those of scores and question know `ordered`."""
    return Task(task.name, task.reply_grammar or "", read, shown=_OF_ORDERED)


def _released_queries(subject: Subject) -> Task[Queries]:
    return _read_by(QUERIES, partial(released.read_queries, subject=subject))


def _released_question(text: str) -> Built | Fault[Built]:
    """The authors' nine fields by their reader. It does not know quotes, which are therefore read apart."""
    built = released.read_question(_QUOTE_LINE.sub("", text))
    if not isinstance(built, Comparison):
        return built
    values = values_in(text)
    return replace(built, **{name: values.get(name, "") for name in QUOTES})


READINGS: Final[Mapping[Reading, Tasks]] = {
    "tolerant": Tasks(SUBJECT, SCORES, lambda _subject: QUERIES, QUESTION, joined),
    "released": Tasks(
        _read_by(SUBJECT, released.read_subject),
        _read_by(SCORES, released.read_scores),
        _released_queries,
        _read_by(QUESTION, _released_question),
        released.joined,
    ),
}
