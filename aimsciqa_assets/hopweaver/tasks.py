"""The tasks that make a bridge question: an entity, two sub-questions, one question of both."""

from collections.abc import Callable
from typing import Any, Final

from aimsciqa_assets.asking.task import Task, Variables
from aimsciqa_assets.hopweaver.replies import (
    INVALID_CONNECTION,
    NO_BRIDGE,
    NO_QUESTION,
    BridgeEntity,
    Declined,
    Fusion,
    SubQuestions,
    read_entity,
    read_fusion,
    read_sub_questions,
)

_FIELD: Final = 'field ::= "\\"" ([^<\\n] | "<" [^|\\n])+ "\\""\n'
_LINE: Final = "line ::= [^\\n]+\n"


def _record(tag: str) -> str:
    return rf'"(\"{tag}\"<|>" field "<|>" field ")"'


def _lines(*names: str) -> str:
    return ' "\\n" '.join(f'"{name}: " line' for name in names)


_ENTITY_FORM: Final = (
    rf'root ::= "{NO_BRIDGE}\n" line | '
    + ' " ## " '.join(map(_record, ("bridge_entity", "relevant_segments", "quote", "query")))
    + f' "<|COMPLETE|>"\n{_FIELD}{_LINE}'
)
_SUB_QUESTIONS_FORM: Final = (
    rf'root ::= "{INVALID_CONNECTION}\n" line | "ANALYSIS:\n" '
    + _lines(
        *("Bridge connection", "Document A segments", "Document B segments", "Document B quote"),
        "Reasoning path",
    )
    + r' "\n\nSUB-QUESTIONS:\n" '
    + _lines("Sub-question 1", "Answer 1", "Sub-question 2", "Answer 2")
    + f"\n{_LINE}"
)
_FUSION_FORM: Final = (
    rf'root ::= "{NO_QUESTION}\n" line | '
    + _lines("MULTI-HOP QUESTION", "ANSWER", "REASONING PATH", "SOURCES")
    + f"\n{_LINE}"
)


def having(**others: Any) -> Callable[[Variables], Variables]:
    """Values of variables that not every request has: one without them is as it was before there were any."""
    return lambda told: {**others, **told}


ENTITY: Final = Task[BridgeEntity | Declined](
    "hopweaver_bridge_entity", _ENTITY_FORM, read_entity, shown=having(names=[], none_shared=False)
)
SUB_QUESTIONS: Final = Task[SubQuestions | Declined](
    "hopweaver_bridge_sub_questions", _SUB_QUESTIONS_FORM, read_sub_questions, shown=having(quote="")
)
FUSION: Final = Task[Fusion | Declined](
    "hopweaver_bridge_fusion", _FUSION_FORM, read_fusion, shown=having(quote_a="", quote_b="")
)
